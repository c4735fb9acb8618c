"""A finite class given as a matrix, and the one on which LPBoost is slow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Columns:
    """Weak learner: the best column of a given matrix.

    Parameters
    ----------
    H : array-like of shape (m, k) or None, default=None
        H[i, j] is what hypothesis j says of training row i, in [-1, 1]; such an ensemble predicts on
        the training rows only. None: the hypotheses are the columns of X itself.
    columns_per_round : int or None, default=None
        At most this many columns a call, best first. None: 1, or what the estimator says.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.zeros((4, 1)), np.array([-1, -1, 1, 1])
    >>> H = np.array([[-1, -1], [1, -1], [1, -1], [1, 1]])
    >>> oracle = Columns(H).prepare(X, y, np.ones(4))
    >>> [best] = oracle(np.array([0.1, 0.5, 0.2, 0.2]))
    >>> best.index
    1
    """

    H: ArrayLike | None = None
    columns_per_round: int | None = None

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> ColumnOracle:
        """Check the matrix against the training rows."""
        name = "X" if self.H is None else "H"
        H = np.asarray(X if self.H is None else self.H, dtype=np.float64)
        if H.ndim != 2 or len(H) != len(y) or H.shape[1] == 0:
            raise ValueError(
                f"Columns: {name} must have one row for each of the {len(y)} training examples "
                f"and at least one column; got shape {H.shape}"
            )
        if not (np.abs(H) <= 1.0).all():
            raise ValueError(f"Columns: {name} must hold values in [-1, 1]; got {H.min():g} to {H.max():g}")
        known = None if self.H is None else KnownRows(X, H)
        label = f"the {H.shape[1]} columns of {name}"
        return ColumnOracle(H, y, known, self.columns_per_round or 1, label)


@dataclass(frozen=True, eq=False)
class WorstCase:
    """Weak learner: the finite class on which LPBoost visits every hypothesis, about m/2 of them.

    N examples, k = N/2, e = 0.1/N. Hypothesis t = 1..k has margin -1 + (2t+1)e everywhere except: the
    first has +1 on rows 1..k, each later one +1 on row k+t-1, and each -1 + 2te on row k+t. A last one
    has -1 + e on rows 1..k and 1 - e on the rest. Slow with the hard margin, nu at most one example.

    References
    ----------
    Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft margin, NIPS 2007.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> [hypothesis] = WorstCase().prepare(np.arange(4.0)[:, None], y, np.ones(4))(np.full(4, 0.25))
    >>> hypothesis.index
    0
    """

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> ColumnOracle:
        """The class for as many examples as X has rows."""
        if len(y) < 4 or len(y) % 2:
            raise ValueError(f"WorstCase needs an even number of rows, at least 4; got {len(y)}")
        H = worst_case_margins(len(y)) * y[:, None]
        label = f"LPBoost's worst case of {H.shape[1]} hypotheses"
        return ColumnOracle(H, y, KnownRows(X, H), 1, label)


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


@dataclass(frozen=True, eq=False)
class KnownRows:
    """The rows on which the hypotheses of a matrix are known."""

    X: Floats
    H: Floats


@dataclass(frozen=True, eq=False)
class Column:
    """Hypothesis j of a finite class."""

    index: int
    known: KnownRows | None

    def __call__(self, X: Floats, /) -> Floats:
        """Its column of X, or what is known of it if X is the training set."""
        if self.known is None:
            return X[:, self.index]
        if not np.array_equal(X, self.known.X, equal_nan=True):
            raise ValueError(
                "X must be the training rows: a class given as a matrix is known on no others "
                "(Columns() without a matrix takes the columns of X as its hypotheses)"
            )
        return self.known.H[:, self.index]


@dataclass(frozen=True, eq=False)
class FiniteClass:
    """Hypotheses by what they say of the training rows, one column each."""

    predictions: NDArray[Any]
    label: str

    def __str__(self) -> str:
        return self.label


class ColumnOracle:
    """The search over a finite class: one product with its matrix."""

    exact = True

    def __init__(self, H: Floats, y: Floats, known: KnownRows | None, columns: int, label: str) -> None:
        self._H = H
        self._y = y
        self._known = known
        self._columns = columns
        self.hypothesis_class = FiniteClass(H, label)

    def recall(self, hypothesis: Any, /) -> Column | None:
        """The hypothesis if it is a column of X; those of another matrix are not known to be the same."""
        if not isinstance(hypothesis, Column) or hypothesis.known is not None or self._known is not None:
            return None
        return hypothesis

    def __call__(self, d: Floats, /) -> list[Column]:
        """The columns of largest edge, best first."""
        edges = (d * self._y) @ self._H
        best = np.argsort(-edges, kind="stable")[: self._columns]
        return [Column(int(j), self._known) for j in best]
