"""nu by cross-validation, along a path of warm starts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.validation import column_or_1d

from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.fitting import Observer, Training, one_blas_thread
from frankboost.validation import check_positive

Floats = NDArray[np.float64]

NUS = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)


class SoftMarginClassifierCV(SoftMarginClassifier):
    """LevelBoost with nu chosen by cross-validation.

    In each fold, made ready once, nu runs from the largest value to the smallest, and each fit starts from
    the hypotheses of the one before and stops at twice `tol`, which is close enough to compare. The nu of
    best mean score wins, the largest of them in a tie, and is fitted to all rows.

    Parameters
    ----------
    nus : sequence of float, default=None
        Values in (0, 1]; None: ten from 0.5 to 0.03.
    tol : float, default=0.01
        As in `SoftMarginClassifier`, and so are all parameters that are not listed here.
    cv : int, splitter or iterable, default=None
        Folds, as in scikit-learn; None: 5, stratified.
    scoring : str, callable or None, default=None
        As in scikit-learn; None: accuracy.
    n_jobs : int or None, default=None
        Folds side by side.

    Attributes
    ----------
    nu_ : float
        The value chosen.
    cv_results_ : dict of arrays
        As that of GridSearchCV, one entry a value of nu.
    best_score_ : float
        The mean score of `nu_`.

    All other attributes are those of `SoftMarginClassifier`, of the fit to all rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifierCV([0.3, 0.1], cv=3).fit(X, y)
    >>> clf.nu_ in (0.3, 0.1), clf.certificate_.nu == clf.nu_
    (True, True)
    """

    def __init__(
        self,
        nus: Sequence[float] | None = None,
        tol: float = 0.01,
        *,
        cv: Any = None,
        scoring: Any = None,
        estimator: Any = None,
        max_depth: int = 2,
        max_bins: int | None = 255,
        categorical_features: Any = None,
        columns_per_round: int = 20,
        max_iter: int = 10_000,
        time_limit: float | None = None,
        class_weight: Any = None,
        calibration: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        callbacks: Sequence[Observer] | None = None,
    ) -> None:
        self.nus = nus
        self.tol = tol
        self.cv = cv
        self.scoring = scoring
        self.estimator = estimator
        self.max_depth = max_depth
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.columns_per_round = columns_per_round
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.calibration = calibration
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callbacks = callbacks

    warm_start = False

    def _nu(self) -> float:
        return float(self.nu_)

    def _plain(self, **settings: Any) -> SoftMarginClassifier:
        """The classifier that is fitted in the folds."""
        shared = {
            name: value
            for name, value in self.get_params(deep=False).items()
            if name not in ("nus", "cv", "scoring", "verbose", "callbacks", "calibration", "n_jobs")
        }
        return clone(SoftMarginClassifier(**{**shared, **settings}))  # type: ignore[no-any-return]

    def _fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> None:
        nus = self._checked_nus()
        self.nu_ = nus[0]
        self._check_settings()
        table = self._check_data(X, y, sample_weight, self._learner()).table
        labels = column_or_1d(y)
        splitter = check_cv(self.cv, labels, classifier=True)
        scorer = check_scoring(self._plain(), self.scoring)
        # The folds see the rows as numbers.
        plain = self._plain(tol=2.0 * self.tol, categorical_features=list(table.encoding.by_column) or None)
        data = table.X, labels, None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        scores = Parallel(n_jobs=self.n_jobs)(
            delayed(_scores_along)(plain, nus, scorer, data, fold)
            for fold in splitter.split(np.zeros(len(labels)), labels)
        )
        self._choose(nus, np.array(scores))
        super()._fit(X, y, sample_weight)

    def _checked_nus(self) -> list[float]:
        nus = NUS if self.nus is None else self.nus
        if isinstance(nus, str) or not hasattr(nus, "__iter__") or len(list(nus)) == 0:
            raise ValueError(f"nus must hold numbers in (0, 1]; got {self.nus!r}")
        for nu in nus:
            check_positive("each of nus", nu, at_most=1.0)
        return sorted({float(nu) for nu in nus}, reverse=True)

    def _choose(self, nus: list[float], runs: Floats) -> None:
        """Results from (folds, nus, [score, seconds, rounds])."""
        scores, seconds, rounds = np.moveaxis(runs, 2, 0)
        mean = scores.mean(axis=0)
        self.nu_ = nus[int(np.argmax(mean))]
        self.best_score_ = float(mean.max())
        self.cv_results_ = {
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
    clf._check_settings()
    data, problems, learner = clf._problems(X, y, sample_weight)
    starts = clf._starts(data, problems, learner)
    each = [Training(problem, learner, start) for problem, start in zip(problems, starts, strict=True)]
    for nu in nus:
        clf.nu = nu
        with one_blas_thread():
            fits = [training.fit(clf._rules(), clf._settings(threads=1)) for training in each]
        if any(fit.certificate.status == "interrupted" for fit in fits):
            raise KeyboardInterrupt  # a search cut short has no best nu
        clf._keep(data, fits, problems)
        yield clf


def _scores_along(
    clf: SoftMarginClassifier,
    nus: list[float],
    scorer: Any,
    data: tuple[Floats, NDArray[Any], Floats | None],
    fold: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> list[tuple[float, float, int]]:
    """Score, seconds and rounds at each nu."""
    X, y, weight = data
    train, test = fold
    results = []
    start = time.perf_counter()
    for fitted in fits_along(clf, nus, X[train], y[train], None if weight is None else weight[train]):
        seconds = time.perf_counter() - start
        results.append((float(scorer(fitted, X[test], y[test])), seconds, fitted.n_iter_))
        start = time.perf_counter()
    return results
