"""nu and the depth of the trees by cross-validation, along paths of warm starts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _num_samples, column_or_1d

from frankboost.choosing.constants import DEPTHS
from frankboost.choosing.depths import Depth, depths_to_try
from frankboost.choosing.held_out import Patterns, check_folds, held_out_masks, make_folds, row_keys
from frankboost.choosing.search import ChoiceProblem, choose, choose_by_loss
from frankboost.choosing.trials import Choice, NuResult, make_cv_results
from frankboost.estimators.algorithm_parameters import SearchParameters
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.cross_calibration import clone_for_fold, cross_calibrate
from frankboost.estimators.fold_scores import FoldScores
from frankboost.estimators.parameters import Parameters, check_parameters, parameters_of, with_constructor
from frankboost.estimators.prediction import ModelClassifier, set_model
from frankboost.fitting.fit_warnings import NuWarning, is_interrupted
from frankboost.fitting.problems import Problems
from frankboost.fitting.weak_learners import make_weak_learner
from frankboost.learners.base import WeakLearner
from frankboost.learners.one_per_class import class_of_each
from frankboost.saying import named, unsaid
from frankboost.tables.labelled import LabelledRows, check_labels
from frankboost.tables.weights import check_weights
from frankboost.typing import Indices, one_or_all
from frankboost.validation import naming

Folds = list[tuple[Indices, Indices]]
FOLD_SHARE, FOLDS = 0.2, 5  # the share of the rows in each default fold, and the number of these folds


@with_constructor
class SoftMarginClassifierCV(SearchParameters, ModelClassifier):
    """The most accurate of the classifiers: nu and the depth of the trees are chosen by cross-validation.

    The model is that of `SoftMarginClassifier`, and a fit takes several times as long. In each fold nu runs
    from the largest value to the smallest, and each fit starts from the hypotheses of the one before. With
    more than two classes, each class has its own nu and depth, unless `multi_class="joint"` fits all of them
    together. The best values are fitted to all rows, and the votes in the folds calibrate `predict_proba`.

    Attributes
    ----------
    nu_, max_depth_ : float, int
        The values that were chosen; with more than two classes that are not fitted together, lists with one
        entry per class.
    cv_results_ : dict of arrays
        As in GridSearchCV, with one entry per depth and value of nu. With more than two classes, a list of
        such dicts, one per class, or, with `scoring` or `multi_class="joint"`, one dict for all classes.
    best_score_ : float
        The mean score of the values that were chosen.

    All other attributes are those of `SoftMarginClassifier`, for the fit to all rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifierCV([0.3, 0.1], max_depth=2, cv=3).fit(X, y)
    >>> clf.nu_, clf.certificate_.nu
    (0.1, 0.1)
    """

    if TYPE_CHECKING:  # no parameters
        cv_results_: dict[str, Any]
        best_score_: float
        nu_path_: Choice  # without `scoring`

    @property
    def max_depth_(self) -> int:
        """The chosen depth; a list if each class has its own."""
        classes = [class_of_each(each.hypothesis_class) for each in self.model_.ensembles]
        found = [getattr(each, "max_depth", None) for each in classes]
        if None in found:
            raise AttributeError(
                f"max_depth_ needs the default weak learner, BestTree; got estimator={self.estimator!r}"
            )
        return one_or_all([int(depth) for depth in found if depth is not None])

    @named
    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Choose nu and depth by cross-validation, and fit them to all rows; see `SoftMarginClassifier.fit`.

        `groups` has one entry per row. A splitter such as `GroupKFold` keeps rows of the same group in one
        fold.
        """
        check_parameters(self)
        self._check_combinations(groups)
        final = SoftMarginClassifier(**{**self._shared_parameters(), "calibration": None})
        folds = self._folds(X, y, sample_weight, groups)
        with unsaid(NuWarning):
            if self.scoring is None:
                final._fit(X, y, sample_weight, partial(self._choose_by_loss, folds))
                found: Any = final.nu_path_
                choices: list[Choice] = found if isinstance(found, list) else [found]
            else:
                choices = [self._choose_by_score(X, y, sample_weight, folds)]
                depth = choices[0].max_depth
                final.set_params(nu=choices[0].nu, **({} if depth is None else {"max_depth": depth}))
                final._fit(X, y, sample_weight, None)
        model = final.model_
        if self.calibration is not None and not is_interrupted(model.ensembles):
            data = Problems.of(final, X, y, sample_weight).data
            model = cross_calibrate(self, model, X, y, sample_weight, data=data)
        path = {"nu_path_": final.nu_path_} if self.scoring is None else {}
        results = one_or_all([make_cv_results(each) for each in choices])
        score = -sum(each.loss for each in choices) / len(choices)
        set_model(self, model, final, cv_results_=results, best_score_=score, **path)
        return self

    def _check_combinations(self, groups: ArrayLike | None) -> None:
        """Raise a ValueError for parameters that exclude each other."""
        if self.estimator is not None and self.max_depth is not None:
            raise ValueError(
                f"max_depth must be None with an estimator, which has its own; got {self.max_depth!r}"
            )
        given = self.cv is not None and not isinstance(self.cv, Integral) and not hasattr(self.cv, "split")
        if self.calibration is not None and (given or groups is not None):
            raise ValueError(
                "calibration must be None with given folds or groups, as its own cross-validation cannot "
                f"reuse them; got {self.calibration!r}"
            )

    def _depths(self, learner: WeakLearner, rows: int, *, sure: bool) -> Sequence[Depth]:
        """The depths to try; without sure leaves, depth 1 is not among the default depths."""
        given: Sequence[Depth] | None = None
        if self.estimator is not None:
            given = [getattr(make_weak_learner(self), "max_depth", None)]
        elif self.max_depth is not None:
            values: Any = self.max_depth if hasattr(self.max_depth, "__iter__") else [self.max_depth]
            given = sorted({int(depth) for depth in values})
        return depths_to_try(given, DEPTHS if sure else DEPTHS[1:], learner, rows)

    def _nus(self) -> list[float] | None:
        return None if self.nus is None else sorted({float(nu) for nu in self.nus}, reverse=True)

    def _shared_parameters(self) -> dict[str, Any]:
        """The values of the parameters that `SoftMarginClassifier` has, too."""
        names = ["tol", "leaves", *(name for name in parameters_of(Parameters) if name != "max_depth")]
        return {name: getattr(self, name) for name in names}

    def _folds(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, groups: ArrayLike | None
    ) -> Folds | None:
        """The folds of `cv`, or None."""
        if self.cv is None:
            return None
        with naming("y", "labels of one kind"):
            labels = check_labels(y, _num_samples(X))
        carries = check_weights(sample_weight, len(labels)) > 0.0
        return make_folds("cv", self.cv, labels, carries, groups)

    def _choose_by_loss(self, folds: Folds | None, problem: ChoiceProblem) -> Choice:
        """Choose depth and nu of one game by the log-loss of calibrated votes."""
        if folds is None:
            problem = problem.with_merged_rows()
            held_out = held_out_masks(problem.patterns, problem.data.y, FOLD_SHARE, problem.data.classes)
        else:
            masks = np.zeros((len(folds), len(problem.carries)), dtype=np.bool_)
            for mask, (_, test) in zip(masks, folds, strict=True):
                mask[test] = True
            masks = masks[:, problem.carries]
            in_same_folds = np.unique(masks, axis=1, return_inverse=True)[1]
            problem, rows = problem.with_rows_merged_within(in_same_folds)
            held_out = list(masks[:, rows])
        if not held_out:
            return Choice.default()
        depths = self._depths(problem.learner, len(problem.data.y), sure=problem.sure)
        return choose_by_loss(problem, held_out, depths, self._nus(), every_depth=self.max_depth is not None)

    def _choose_by_score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, given: Folds | None
    ) -> Choice:
        """Choose depth and nu of all classes together by `scoring`."""
        from sklearn.metrics import check_scoring  # noqa: PLC0415  (heavy)

        clf = SoftMarginClassifier(**self._shared_parameters())
        problems, labels = Problems.of(clf, X, y, sample_weight), column_or_1d(y)
        rows = problems.data
        folds = make_default_folds(rows, self.random_state or 0) if given is None else given
        # The rows are encoded once, so that the folds get numbers.
        data = rows.encoding(X), labels, check_weights(sample_weight, len(labels))
        categorical = list(rows.encoding.by_column) or None
        plain = clone_for_fold(clf).set_params(categorical_features=categorical, n_jobs=None)
        scorer = check_scoring(plain, self.scoring)

        def make_search(depth: Depth, seconds: float) -> FoldScores:
            clf = plain if depth is None else plain.set_params(max_depth=depth)
            return FoldScores(clf, scorer, data, folds, nus=self._nus(), n_jobs=self.n_jobs)

        depths = self._depths(problems.learner, len(rows.code), sure=False)
        found = choose(make_search, depths, every_depth=True, reporting=self._report_best)
        if found.interrupted:
            raise KeyboardInterrupt  # an interrupted search has no best nu
        return found

    @contextmanager
    def _report_best(self, heading: str) -> Iterator[Callable[[NuResult], None]]:
        """Collect the scores at a depth, and print the best one if `verbose` asks for it."""
        path: list[NuResult] = []
        yield path.append
        if self.verbose and path:
            best = min(path, key=lambda each: each.loss)
            found = f"best score {-best.loss:.4f} at nu = {best.nu:.4g}"
            print(f"{heading}: {found}, of {len(path)} values", file=sys.stderr, flush=True)


def make_default_folds(data: LabelledRows, seed: int) -> Folds:
    """Make folds for all classes together; equal rows are in the same fold."""
    rows = np.flatnonzero(data.carries)
    count = min(FOLDS, int(np.bincount(data.code).max()))
    part = Patterns.of(row_keys(data.X, seed)).split(data.code, count)
    folds = [(np.flatnonzero(part != k), np.flatnonzero(part == k)) for k in range(part.max() + 1)]
    check_folds("cv", folds, data.classes[data.code], np.ones(len(rows), dtype=np.bool_))
    return [(rows[train], rows[test]) for train, test in folds]
