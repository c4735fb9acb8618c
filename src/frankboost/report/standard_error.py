"""Test errors over splits, and how far they can be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import stdev

from frankboost.report.selection import Run

SEVERAL = 2.0  # standard errors that count as a difference


@dataclass(frozen=True)
class PooledError:
    """Errors p_1, ..., p_k on splits of n_1, ..., n_k test rows, s times over if rows were split anew.

    Attributes
    ----------
    mean : float
        p = sum p_i n_i / sum n_i: every row tested counts alike.
    standard_error : float
        The larger of sqrt(q (1 - q) / n), the binomial one, and stdev(p_i) / sqrt(k / s), that of the spread
        over splits. n = sum n_i / s, since rows that are tested again are no new rows. q = (p n + 1) /
        (n + 2), Laplace's estimate, instead of p: no errors among n rows do not mean that there are none.
    """

    mean: float
    standard_error: float


def pooled(runs: Sequence[Run]) -> PooledError:
    """The test error of runs that differ in their partition."""
    errors = [float(run["test_error"]) for run in runs]
    sizes = [int(run["m_test"]) for run in runs]
    times = len({run["seed"] for run in runs})
    p = math.fsum(error * size for error, size in zip(errors, sizes, strict=True)) / sum(sizes)
    n = sum(sizes) / times
    q = (p * n + 1.0) / (n + 2.0)
    binomial = math.sqrt(q * (1.0 - q) / n)
    spread = stdev(errors) / math.sqrt(len(errors) / times) if len(errors) > 1 else 0.0
    return PooledError(p, max(binomial, spread))


def verdict(difference: float, standard_error: float) -> str:
    """better, no worse or worse, by a difference of errors of more than two standard errors or not."""
    if abs(difference) <= SEVERAL * standard_error + 1e-12:
        return "no worse"
    return "better" if difference < 0.0 else "worse"
