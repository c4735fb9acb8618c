"""nu by cross-validation, along a path of warm starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import column_or_1d

from frankboost.estimators.calibration import quiet
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.data import check_weights
from frankboost.estimators.fitting import Training
from frankboost.estimators.parameters import (
    Parameters,
    check_parameters,
    parameter,
    parameters_of,
    with_parameters,
)
from frankboost.estimators.prediction import ModelClassifier, keep
from frankboost.estimators.problems import Problems
from frankboost.estimators.sklearn_callbacks import CallbackSupportMixin
from frankboost.estimators.threads import one_blas_thread
from frankboost.typing import Floats, Indices
from frankboost.validation import check_positive

NUS = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)


def _check_nus(name: str, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str) or not hasattr(value, "__iter__") or len(list(value)) == 0:
        raise ValueError(f"{name} must hold numbers in (0, 1]; got {value!r}")
    for nu in value:
        check_positive(f"each of {name}", nu, at_most=1.0)


@with_parameters
class SoftMarginClassifierCV(CallbackSupportMixin, ModelClassifier, Parameters):  # type: ignore[misc]
    """LevelBoost with nu chosen by cross-validation.

    In each fold, made ready once, nu runs from the largest value to the smallest, and each fit starts from
    the hypotheses of the one before and stops at twice `tol`, which is close enough to compare. The nu of
    best mean score wins, the largest of them in a tie, and is fitted to all rows.

    Attributes
    ----------
    nu_ : float
        The value chosen.
    cv_results_ : dict of arrays
        As that of GridSearchCV, one entry per value of nu.
    best_score_ : float
        The mean score of `nu_`.

    All other attributes are those of `SoftMarginClassifier`, of the fit to all rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifierCV([0.3, 0.1], cv=3).fit(X, y)
    >>> clf.nu_, clf.certificate_.nu
    (0.1, 0.1)
    """

    nus: Sequence[float] | None = parameter(
        "Values in (0, 1]; None: ten from 0.5 to 0.03.", default=None, check=_check_nus, kw_only=False
    )
    tol: float = parameter(
        "Stop when bound - soft margin <= tol; in the folds, at twice that.",
        default=0.01,
        check=check_positive,
        kw_only=False,
    )
    columns_per_round: int = SoftMarginClassifier.columns_per_round
    cv: Any = parameter(
        "Folds, as in scikit-learn, `n_jobs` of them side by side; None: 5, stratified.",
        default=None,
        kind="int, splitter or iterable",
    )
    scoring: Any = parameter(
        "As in scikit-learn; None: accuracy.", default=None, kind="str, callable or None"
    )

    @property
    def nu_(self) -> float:
        """The value chosen."""
        return float(self.model_.ensembles[0].certificate.nu)

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SoftMarginClassifierCV:
        """Choose nu by cross-validation, and fit it to all rows; see `SoftMarginClassifier.fit`."""
        check_parameters(self)
        results = self._cross_validated(X, y, sample_weight)
        best = int(np.argmax(results["mean_test_score"]))
        final = self._classifier(nu=float(results["param_nu"][best]))
        if hasattr(self, "_skl_callbacks"):
            final.set_callbacks(*self._skl_callbacks)
        final.fit(X, y, sample_weight)
        score = float(results["mean_test_score"][best])
        keep(self, final.model_, final, cv_results_=results, best_score_=score)
        return self

    def _cross_validated(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> dict[str, Any]:
        """Scores of each nu in each fold."""
        from sklearn.metrics import check_scoring  # noqa: PLC0415  (heavy)
        from sklearn.model_selection import check_cv  # noqa: PLC0415  (heavy)

        nus = sorted({float(nu) for nu in (NUS if self.nus is None else self.nus)}, reverse=True)
        # The folds see the rows as numbers.
        encoding, labels = Problems.of(self, X, y, sample_weight).data.encoding, column_or_1d(y)
        data = encoding(X), labels, check_weights(sample_weight, len(labels))
        categorical = list(encoding.by_column) or None
        plain = quiet(self._classifier(tol=2.0 * self.tol, categorical_features=categorical, n_jobs=None))
        scorer = check_scoring(plain, self.scoring)
        folds = check_cv(self.cv, labels, classifier=True).split(np.zeros(len(labels)), labels)
        runs = Parallel(n_jobs=self.n_jobs)(
            delayed(_scores_along)(plain, nus, scorer, data, fold) for fold in folds
        )
        return _results(nus, np.array(runs))

    def _classifier(self, **settings: Any) -> SoftMarginClassifier:
        """The classifier for one nu, with the same parameters."""
        shared = {name: getattr(self, name) for name in ("tol", *parameters_of(Parameters))}
        return SoftMarginClassifier(**{**shared, **settings})


def _results(nus: list[float], runs: Floats) -> dict[str, Any]:
    """What `cv_results_` tells, from runs of shape (folds, nus, [score, seconds, rounds])."""
    scores, seconds, rounds = np.moveaxis(runs, 2, 0)
    mean = scores.mean(axis=0)
    return {
        "param_nu": np.array(nus),
        "params": [{"nu": nu} for nu in nus],
        **{f"split{k}_test_score": fold for k, fold in enumerate(scores)},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=0),
        "rank_test_score": (mean[:, None] < mean[None, :]).sum(axis=1) + 1,
        "mean_fit_time": seconds.mean(axis=0),
        "mean_n_iter": rounds.mean(axis=0),
    }


def fits_along(
    clf: SoftMarginClassifier,
    nus: Sequence[float],
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> Iterator[SoftMarginClassifier]:
    """The classifier, fitted at one nu after another, each time from all hypotheses found by then.

    The training set is made ready once; what changes along the path is the capped simplex.
    """
    check_parameters(clf)
    problems = Problems.of(clf, X, y, sample_weight)
    pairs = zip(problems.sets, problems.starts(None), strict=True)
    trainings = [Training(rows, problems.learner, start) for rows, start in pairs]
    for nu in nus:
        clf.nu = nu
        with one_blas_thread():
            fits = [training.fit(clf.settings()) for training in trainings]
        if any(fit.certificate.status == "interrupted" for fit in fits):
            raise KeyboardInterrupt  # a search cut short has no best nu
        keep(clf, problems.model(fits), problems.data.encoding.columns)
        yield clf


def _scores_along(
    clf: SoftMarginClassifier,
    nus: list[float],
    scorer: Any,
    data: tuple[Floats, NDArray[Any], Floats],
    fold: tuple[Indices, Indices],
) -> list[tuple[float, float, int]]:
    """Score, seconds and rounds at each nu."""
    X, y, weight = data
    train, test = fold
    return [
        (
            float(scorer(fitted, X[test], y[test])),
            sum(each.trace[-1].seconds for each in fitted.model_.ensembles),
            fitted.n_iter_,
        )
        for fitted in fits_along(clf, nus, X[train], y[train], weight[train])
    ]
