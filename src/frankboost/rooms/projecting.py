"""Newton's method for the projection of rows in parts; few rows matter to its last steps, and come here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost import native
from frankboost.rooms.parts import FEW, Parts

NEAR = 0.25  # of a step: the next ones together are no longer, as a rule

Sums = tuple[float, ...]  # what `native.projection_sums` says


def projected(parts: Parts, number: int, steps: native.ProjectionSteps, count: int) -> float:
    """The scale at which the steps end, of keys that `count` parts have."""
    low, answers = np.inf, list[Any]()
    before = steps.limit
    while True:
        if steps.fresh or steps.limit < low:
            shift = steps.shift if steps.fresh else None
            low = steps.limit - NEAR * max(before - steps.limit, 0.0)
            near = (low, steps.limit)
            answers = parts.ask("sums_near", number, shift, near, steps.terms, FEW // count)
            if not all(len(each) > 5 for each in answers):
                low = np.inf  # some say what is true of this limit alone
        before = steps.limit
        scale = steps.next(*total([each[:5] for each in answers] + _moved(answers, steps)))
        if scale is not None:
            return float(scale)


def _moved(answers: Sequence[Any], steps: native.ProjectionSteps) -> list[Sums]:
    """What is true of the rows that parts have sent."""
    rows = [each[5:] for each in answers if len(each) > 5 and len(each[5]) > 0]
    if not rows:
        return []
    key, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    power = native.projection_powers(key, steps.shift, 1)
    return [native.projection_sums(key, power, weight, steps.limit, *steps.terms, 1)]


def total(answers: Sequence[Sums]) -> tuple[float, float, float]:
    """Both sums, each of two exact parts, and the largest key."""
    a, b, c, d, top = zip(*answers, strict=True)
    return sum(a) + sum(b), sum(c) + sum(d), max(top)
