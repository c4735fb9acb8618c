"""Solve the soft-margin game of a matrix by any rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse

from frankboost.certificate import Certificate
from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.classifiers import MLPBoostClassifier, SoftBoostClassifier, SoftMarginClassifier
from frankboost.fitting.fit_warnings import warn_of_limits
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.training import Training
from frankboost.learners.columns import Columns
from frankboost.rules.base import Rule
from frankboost.rules.names import FW_RULES, is_rule, secondary_names
from frankboost.scope import finite_text
from frankboost.threads import one_blas_thread
from frankboost.trace import Trace
from frankboost.typing import Floats
from frankboost.validation import check_count, check_positive, naming

LEVEL = "level"


@dataclass(frozen=True, eq=False, repr=False)
class MatrixSolution:
    """The solution of a soft-margin game: both sides and the certificate.

    Attributes
    ----------
    weights : array of shape (n,)
        The weights w, at least 0 and of sum 1: one entry per hypothesis.
    distribution : array of shape (m,)
        The distribution d, with entries of at most 1/(nu m) that sum to 1: one entry per row.
    certificate : Certificate
        The proof: soft margin of w <= optimum <= largest edge under d. The soft margin is that of margins
        rounded down to single precision, which costs up to 1e-7.
    trace : Trace
        A record for each round.
    """

    weights: Floats
    distribution: Floats
    certificate: Certificate
    trace: Trace

    def __repr__(self) -> str:
        used = np.count_nonzero(self.weights)
        return f"<MatrixSolution: {used} of {len(self.weights)} hypotheses, {self.certificate}>"

    def _repr_html_(self) -> str:
        """The certificate and the rounds as pictures."""
        return self.certificate._repr_html_() + self.trace._repr_html_()


def solve(
    A: ArrayLike, nu: float, tol: float = 0.01, rule: str | Rule = LEVEL, *, max_iter: int = 10_000
) -> MatrixSolution:
    """Find the weights of largest soft margin for a margin matrix, and the distribution that proves the
    bound.

    The problem is to maximise, over w in the simplex, the minimum over d of d^T A w, where d sums to 1 and
    has entries of at most 1/(nu m). The columns of A play the weak learner: each round adds a column with
    the largest edge (A^T d)_j, or, by LevelBoost, up to 20 columns.

    Parameters
    ----------
    A : array-like of shape (m, n)
        A[i, j] = y_i h_j(x_i), the margin of hypothesis j on example i, in [-1, 1].
    nu : float
        The fraction of the rows that count as hard, in (0, 1]: the soft margin is the mean of the `nu * m`
        smallest margins. Below 1/m this is the hard margin, the smallest of all.
    tol : float, default=0.01
        Stop when bound - soft margin <= tol; 0 goes as far as rounding allows.
    rule : str or rule, default="level"
        A name that `MLPBoostClassifier` knows as `fw_rule` or `secondary`, or a rule of your own. No other
        rule proposes weights, as long as this one makes progress. If two rounds bring no new column and the
        same proposal, LPBoost goes on from there; its rounds have the rule "crossover" in the trace.
    max_iter : int, default=10_000
        The largest number of rounds. A warning says if the gap is still above `tol` then.

    Returns
    -------
    MatrixSolution
        An object with `weights`, `distribution`, `certificate` and `trace`.

    Examples
    --------
    >>> import frankboost
    >>> A = [[1, -1], [-1, 1], [1, 1]]
    >>> solution = frankboost.solve(A, nu=1 / 3, tol=1e-6)
    >>> solution.weights.tolist(), solution.certificate.soft_margin
    ([0.5, 0.5], 0.0)
    """
    check_positive("nu", nu, at_most=1.0)
    check_positive("tol", tol, or_zero=True)
    check_count("max_iter", max_iter, at_least=1)
    margins = _check_matrix(A)
    clf, (m, n) = _make_classifier(rule, nu=nu, tol=tol, max_iter=max_iter), margins.shape
    data = TrainingSet(margins, np.ones(m), np.ones(m))
    with one_blas_thread():
        found = Training(data, Columns(columns_per_round=clf.columns_per_round)).fit(clf.settings())
    warn_of_limits([found], clf.settings())
    weights = np.zeros(n)
    hypotheses: list[Any] = list(found.hypotheses)
    weights[[each.index for each in hypotheses]] = found.weights
    certificate = replace(found.certificate, hypothesis_class=finite_text(n, "columns of A"))
    return MatrixSolution(weights, found.distribution, certificate, found.trace)


def _check_matrix(A: Any) -> Floats:
    """The matrix as an array of numbers; an error unless they are margins."""
    if issparse(A):
        raise TypeError(f"A must be a dense array; got a {type(A).__name__}: give A.toarray()")
    with naming("A", "numbers"):
        margins: Floats = np.ascontiguousarray(A, dtype=np.float64)
    if margins.ndim != 2 or 0 in margins.shape:
        raise ValueError(f"A must have examples as rows and hypotheses as columns; got shape {margins.shape}")
    if not (np.abs(margins) <= 1.0).all():
        raise ValueError(f"A must hold margins in [-1, 1]; got {margins.min():g} to {margins.max():g}")
    return margins


def _make_classifier(rule: Any, **settings: Any) -> SoftMarginBooster:
    """Make a classifier whose algorithm has only this rule."""
    name = rule if isinstance(rule, str) else ""
    if name == LEVEL:
        return SoftMarginClassifier(**settings)
    if name == "softboost":
        return SoftBoostClassifier(**settings, columns_per_round=1)
    if name in FW_RULES:
        return MLPBoostClassifier(**settings, fw_rule=name, secondary=None)
    if is_rule(rule) or name in secondary_names():
        return MLPBoostClassifier(**settings, fw_rule=None, secondary=rule)
    names = ", ".join(map(repr, [*FW_RULES, *secondary_names()]))
    raise ValueError(f"rule must be {names} or a rule; got {rule!r}")
