"""A finite class given as a matrix, and the one on which LPBoost is slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Oracle, WeakLearner
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Columns(WeakLearner):
    """Weak learner: the best column of a given matrix.

    Parameters
    ----------
    H : array-like of shape (m, k) or None, default=None
        H[i, j] is what hypothesis j says of training row i, in [-1, 1]; such an ensemble predicts on
        the training rows only. None: the hypotheses are the columns of X itself.
    columns_per_round : int or None, default=None
        At most this many columns per call, best first. None: 1, or what the estimator says.

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

    def with_defaults(
        self, *, columns_per_round: int, n_jobs: int | None, categorical: tuple[int, ...]
    ) -> Columns:
        """As many columns per round as the estimator takes."""
        return self if self.columns_per_round else replace(self, columns_per_round=columns_per_round)

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> FiniteOracle:
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
        return ColumnOracle(H, known, label, self.columns_per_round or 1)


@dataclass(frozen=True, eq=False)
class WorstCase(WeakLearner):
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
    >>> oracle = WorstCase().prepare(np.arange(4.0)[:, None], y, np.ones(4))
    >>> [hypothesis] = oracle(0.25 * y).hypotheses
    >>> hypothesis.index
    0
    """

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> FiniteOracle:
        """The class for as many examples as X has rows."""
        if len(y) < 4 or len(y) % 2:
            raise ValueError(f"WorstCase needs an even number of rows, at least 4; got {len(y)}")
        H = worst_case_margins(len(y)) * y[:, None]
        label = f"LPBoost's worst case of {H.shape[1]} hypotheses"
        return ColumnOracle(H, KnownRows(X, H), label)


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
class FiniteClass(HypothesisClass):
    """Hypotheses by what they say of the training rows, one column each."""

    predictions: NDArray[Any]
    label: str
    searched_as: ClassVar[Literal["trees", "columns"] | None] = "columns"

    def __str__(self) -> str:
        return self.label


class FiniteOracle(Oracle):
    """The search over a finite class: one product with its matrix.

    Parameters
    ----------
    H : array of shape (m, k), float64, or int8 if all entries are -1 and +1
        What hypothesis j says of training row i.
    hypotheses : sequence of k hypotheses
    label : str
        What the class is called.
    columns : int
        At most this many hypotheses per answer.
    """

    exact = True

    def __init__(
        self, H: NDArray[Any], hypotheses: Sequence[Hypothesis], label: str, columns: int = 1
    ) -> None:
        self._H = H
        self._hypotheses = hypotheses
        self._number = {hypothesis: j for j, hypothesis in enumerate(hypotheses)}
        self._columns = columns
        self.hypothesis_class = FiniteClass(H, label)

    def __call__(self, u: Floats, /) -> Answer:
        """The hypotheses of largest edge, best first."""
        edges = self._edges(u)
        best = np.argsort(-edges, kind="stable")[: self._columns].tolist()
        return Answer([self._hypotheses[j] for j in best], float(edges[best[0]]))

    def _edges(self, u: Floats) -> Floats:
        # A product with int8 makes float64 of all columns: some at a time.
        few = self._H.shape[1] if self._H.dtype == np.float64 else 64
        parts = [u @ self._H[:, first : first + few] for first in range(0, self._H.shape[1], few)]
        return np.concatenate(parts)

    def values(self, hypotheses: Sequence[Hypothesis], X: Floats, /) -> list[NDArray[Any]]:
        """The columns of the matrix."""
        return [self._H[:, self._number[hypothesis]] for hypothesis in hypotheses]

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """The hypothesis, if it is one of the given ones."""
        return hypothesis if hypothesis in self._number else None


class ColumnOracle(FiniteOracle):
    """The search over the columns of a matrix; they are known of new rows if the matrix is X itself."""

    def __init__(self, H: Floats, known: KnownRows | None, label: str, columns: int = 1) -> None:
        self._own = [Column(j, known) for j in range(H.shape[1])]
        super().__init__(H, self._own, label, columns)

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """The same column of X; one of another matrix is not known to be the same."""
        if hypothesis in self._number or not isinstance(hypothesis, Column):
            return super().recall(hypothesis)
        number = hypothesis.index
        same = number < len(self._own) and hypothesis.known is None and self._own[number].known is None
        return self._own[number] if same else None
