"""The weak learners whose finite classes of hypotheses are matrices: a given one, or the worst case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.learners.base import Hypothesis, WeakLearner
from frankboost.learners.finite import FiniteOracle
from frankboost.typing import Floats
from frankboost.validation import check_count


@dataclass(frozen=True, eq=False)
class Columns(WeakLearner):
    """Weak learner: the best column of a given matrix.

    Parameters
    ----------
    H : array-like of shape (m, k) or None, default=None
        H[i, j], in [-1, 1], is the vote of hypothesis j for training row i. Such an ensemble predicts only
        for the training rows of positive weight. None: the hypotheses are the columns of X.
    columns_per_round : int or None, default=None
        The largest number of columns per call, best first. None: 1, or the number that the estimator has.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.zeros((4, 1)), np.array([-1, -1, 1, 1])
    >>> H = np.array([[-1, -1], [1, -1], [1, -1], [1, 1]])
    >>> oracle = Columns(H).prepare(X, y, np.ones(4))
    >>> [best] = oracle(y * np.array([0.1, 0.5, 0.2, 0.2])).hypotheses
    >>> best.index
    1
    """

    H: ArrayLike | None = None
    columns_per_round: int | None = None

    @property
    def generalises(self) -> bool:
        """Whether the matrix is X itself: other matrices have no values for new rows."""
        return self.H is None

    def with_defaults(
        self, *, columns_per_round: int, n_jobs: int | None, categorical: tuple[int, ...]
    ) -> Columns:
        """The learner with the estimator's number of columns per round where its own is None."""
        given = self.columns_per_round
        return replace(self, columns_per_round=columns_per_round) if given is None else self

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> FiniteOracle:
        """Check the matrix against the training rows."""
        check_count("columns_per_round", self.columns_per_round, at_least=1, or_none=True)
        name = "X" if self.H is None else "H"
        H = np.asarray(X if self.H is None else self.H, dtype=np.float64)
        if H.ndim != 2 or len(H) != len(y) or H.shape[1] == 0:
            raise ValueError(
                f"Columns: {name} must have one row for each of the {len(y)} training examples of positive "
                f"weight and at least one column; got shape {H.shape}"
            )
        if not (np.abs(H) <= 1.0).all():
            raise ValueError(f"Columns: {name} must hold values in [-1, 1]; got {H.min():g} to {H.max():g}")
        known = None if self.H is None else KnownRows(X, H)
        return ColumnOracle(H, known, f"columns of {name}", self.columns_per_round or 1)


@dataclass(frozen=True, eq=False)
class KnownRows:
    """The training rows X, and the votes H of the hypotheses for them; for other rows there are no votes."""

    X: Floats
    H: Floats


@dataclass(frozen=True, eq=False)
class Column:
    """Hypothesis j of a finite class."""

    index: int
    known: KnownRows | None

    def __call__(self, X: Floats, /) -> Floats:
        """The column of X, or the column of the matrix if X is the training set."""
        if self.known is None:
            return X[:, self.index]
        if not np.array_equal(X, self.known.X, equal_nan=True):
            raise ValueError(
                "X must be the training rows, as Columns(H) knows its hypotheses on no other rows; "
                "Columns() without H takes the columns of X as hypotheses, and predicts for any rows"
            )
        return self.known.H[:, self.index]


class ColumnOracle(FiniteOracle):
    """The search over the columns of a matrix."""

    def __init__(self, H: Floats, known: KnownRows | None, kind: str, columns: int = 1) -> None:
        self._own = [Column(j, known) for j in range(H.shape[1])]
        super().__init__(H, self._own, kind, columns)

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """The column of this matrix with the same number; None for a column of another matrix."""
        if hypothesis in self._number or not isinstance(hypothesis, Column):
            return super().recall(hypothesis)
        number = hypothesis.index
        same = number < len(self._own) and hypothesis.known is None and self._own[number].known is None
        return self._own[number] if same else None


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
