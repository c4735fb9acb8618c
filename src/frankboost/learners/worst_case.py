"""The weak learner on which LPBoost is slow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.learners.base import WeakLearner
from frankboost.learners.columns import ColumnOracle, KnownRows
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class WorstCase(WeakLearner):
    """Weak learner: a finite class of about m/2 hypotheses, all of which LPBoost visits.

    N examples, k = N/2, e = 0.1/N. Hypothesis t = 1..k has margin -1 + (2t+1)e everywhere except: the
    first has +1 on rows 1..k, each later one +1 on row k+t-1, and each -1 + 2te on row k+t. The last
    hypothesis has -1 + e on rows 1..k and 1 - e on the rest. LPBoost is slow with the hard margin,
    nu <= 1/N.

    References
    ----------
    Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft margin, NIPS 2007.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> oracle = WorstCase().prepare(np.arange(4.0)[:, None], y, np.ones(4))
    >>> [hypothesis] = oracle(0.25 * y).hypotheses
    >>> hypothesis.index
    0
    """

    @property
    def generalises(self) -> bool:
        """Whether the hypotheses can vote on other rows: they cannot."""
        return False

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> ColumnOracle:
        """Make the class for as many examples as X has rows."""
        if len(y) < 4 or len(y) % 2:
            raise ValueError(f"WorstCase needs an even number of rows, at least 4; got {len(y)}")
        H = worst_case_margins(len(y)) * y[:, None]
        return ColumnOracle(H, KnownRows(X, H), "hypotheses of LPBoost's worst case")


def worst_case_margins(n: int) -> Floats:
    """The margin matrix of WorstCase, n rows and n/2 + 1 columns."""
    k, e = n // 2, 0.1 / n
    t = np.arange(1, k + 1)
    A = np.tile(-1.0 + (2 * t + 1) * e, (n, 1))
    A[k + t - 1, t - 1] = -1.0 + 2 * t * e
    A[:k, 0] = 1.0
    A[k + t[1:] - 2, t[1:] - 1] = 1.0
    last = np.where(np.arange(n) < k, -1.0 + e, 1.0 - e)
    return np.column_stack([A, last])
