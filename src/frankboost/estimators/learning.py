"""What is to be learned, and by whom: training data, weak learner, and where a fit starts."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.estimators.data import LabelledRows, TrainingSet, check_training_data
from frankboost.estimators.parameters import Parameters
from frankboost.learners.base import Start, WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.classifier import Classifier
from frankboost.model import Ensemble, Model
from frankboost.model.model import Categories
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Problems:
    """A training set as problems of two classes, and the weak learner for them.

    `columns` is a copy of the classifier: scikit-learn notes the names and the number of columns there, so
    that a fit that fails leaves the classifier as it was.
    """

    data: LabelledRows
    sets: list[TrainingSet]
    learner: WeakLearner
    columns: Parameters

    @classmethod
    def of(cls, clf: Parameters, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> Problems:
        """What `fit` was given, checked."""
        learner = learner_of(clf)
        columns = copy.copy(clf)
        data = check_training_data(
            columns,
            X,
            y,
            sample_weight,
            clf.class_weight,
            categorical_features=_categorical(clf, learner),
            categorical=learner.categorical,  # so that numbers not fitted are missing
        )
        sets = data.problems()
        learner = learner.with_defaults(
            columns_per_round=clf.columns_per_round,
            n_jobs=clf.n_jobs,
            categorical=tuple(data.encoding.by_column),
        )
        if learner.splits_features:
            sets = [each.merged() for each in sets]
        return cls(data, sets, learner, columns)

    def encode(self, X: Any) -> Floats:
        """Rows such as those of the fit as numbers."""
        return self.data.encoding.rows(self.columns, X)

    def starts(self, last: Model | None) -> list[Start | None]:
        """Where the last fit ended, if it was of the same classes, categories and number of rows."""
        if last is None or not self._same(last):
            return [self.learner.start(each.sample_weight) for each in self.sets]
        return [
            None
            if each.found is None
            else dataclasses.replace(each.found, distribution=rows.gather(each.found.distribution))
            for rows, each in zip(self.sets, last.ensembles, strict=True)
        ]

    def _same(self, last: Model) -> bool:
        return (
            np.array_equal(last.classes, self.data.classes)
            and _equal(last.categories, self.data.encoding.categories)
            and all(len(each.distribution) == len(self.data.carries) for each in last.ensembles)
        )

    def model(self, ensembles: Sequence[Ensemble]) -> Model:
        """The model of an ensemble for each problem, about the rows that were given."""
        spread = [_spread(each, rows) for each, rows in zip(ensembles, self.sets, strict=True)]
        return Model.of(self.data.classes, dict(self.data.encoding.categories), spread)


def learner_of(clf: Parameters) -> WeakLearner:
    """The weak learner that `estimator` stands for."""
    learner = clf.estimator
    if learner is None:
        learner = BestTree(max_depth=clf.max_depth, max_bins=clf.max_bins)
    if isinstance(learner, WeakLearner):
        return learner
    if hasattr(learner, "fit") and hasattr(learner, "predict") and not isinstance(learner, type):
        return Classifier(learner)
    raise TypeError(
        "estimator must be None, a weak learner (BestTree, Columns, or a WeakLearner of your own) "
        f"or a scikit-learn classifier that takes sample_weight; got {learner!r}"
    )


def _categorical(clf: Parameters, learner: WeakLearner) -> Any:
    """The columns to encode."""
    features = clf.categorical_features
    if not learner.splits_features:
        if features is not None:
            raise ValueError(
                "categorical_features must be None unless the estimator is our own tree, BestTree; "
                f"got {features!r} with {learner!r}"
            )
        return ()
    return features


def _equal(one: Categories, other: Categories) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


def _spread(ensemble: Ensemble, rows: TrainingSet) -> Ensemble:
    """The same ensemble, about the rows that were given instead of those that were fitted."""
    d, found, capped = rows.spread(ensemble.distribution), ensemble.found, ensemble.capped
    return dataclasses.replace(
        ensemble,
        distribution=d,
        capped=None if capped is None else rows.spread(capped.astype(np.float64)) > 0.0,
        found=None if found is None else dataclasses.replace(found, distribution=d),
    )
