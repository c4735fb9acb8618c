"""The problems of a training set (one per ensemble), their weak learner, and the start of their fits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, eye_array

from frankboost.arrays import is_on_device, memory_for
from frankboost.fitting.weak_learners import JOINT, check_joint, check_two_classes, weak_learner
from frankboost.grid import dealt, playable_nu
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Ensemble, Model
from frankboost.rooms.margins import BinaryMargins, JointMargins
from frankboost.shapes import importances_of
from frankboost.tables.labelled import LabelledRows, check_training_data
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import quoted

SAMPLE = 2000  # rows among which equal ones are looked for first
MOST_DISTINCT = 0.8  # of them; where more are distinct, merging would save less than it costs


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows that carry weight, with labels -1 and +1; where many classes are one game, with their numbers.

    `shares`, of shape (rows given to fit, rows here), says what part of a row here each given row is. None:
    the rows here are those given.
    """

    X: Floats
    y: Floats
    sample_weight: Floats
    shares: csr_array | None = None
    members: Indices | int = 1  # how many of the given rows each one here stands for
    weight_error: float = 0.0  # what rounding did to sums of their weights, relatively
    factors: tuple[float, float] = (1.0, 1.0)  # of two classes, by which the weights were multiplied
    classes: int = 2  # in one game

    @property
    def margins(self) -> BinaryMargins | JointMargins:
        """The margins that the labels define."""
        if self.classes == 2:
            return BinaryMargins(self.y)
        return JointMargins(self.y.astype(np.int64), self.classes)

    @property
    def code(self) -> Indices:
        """The number of each row's class; of two, the second has 1."""
        return (self.y > 0.0).astype(np.intp) if self.classes == 2 else self.y.astype(np.intp)

    @property
    def plain_weight(self) -> Floats:
        """The sample weights without `class_weight`."""
        if self.factors == (1.0, 1.0):
            return self.sample_weight
        return self.sample_weight / np.where(self.y > 0.0, *reversed(self.factors))

    def part(self, rows: Flags | Indices) -> TrainingSet:
        """The training set of some of the rows."""
        some = {name: getattr(self, name)[rows] for name in ("X", "y", "sample_weight")}
        return TrainingSet(**some, factors=self.factors, classes=self.classes)

    def merged(self) -> TrainingSet:
        """The training set with equal rows merged, if there may be enough of them.

        No tree tells them apart, so the game is the same with their weights added up. That of many classes is
        played with the rows as they are.
        """
        if self.classes > 2:
            return self
        some = slice(None, None, max(1, len(self.y) // SAMPLE))
        if 1 + equal_rows(self.X[some], self.y[some]).max() > MOST_DISTINCT * len(self.y[some]):
            return self
        group = equal_rows(self.X, self.y)
        first = np.unique(group, return_index=True)[1]
        weight = np.bincount(group, self.sample_weight).astype(np.float64)
        shares = csr_array((self.sample_weight / weight[group], (np.arange(len(group)), group)))
        members = np.bincount(group)
        whole = bool((self.sample_weight == np.floor(self.sample_weight)).all())
        error = 0.0 if whole else int(members.max()) * 2.0**-53
        given = shares if self.shares is None else self.shares @ shares
        return TrainingSet(self.X[first], self.y[first], weight, given, members, error, self.factors)

    def gathered(self, d: Floats) -> Floats:
        """Convert a distribution over the rows given to `fit` to one over the rows here."""
        return d if self.shares is None else (self.shares > 0).T @ d

    def flagged(self, rows: Flags) -> Flags:
        """The rows given to `fit` that these rows here represent."""
        return rows if self.shares is None else self.shares @ rows > 0.0

    def dealt(self, d: Floats, nu: float) -> Floats:
        """Convert a distribution over the rows here to one over the rows given to `fit`, in whole units
        within the caps."""
        if self.shares is None:
            return d
        if self.shares.nnz == len(d):
            spread: Floats = self.shares @ d
            return spread
        whole = math.fsum(self.sample_weight)  # rounded once, so that the caps hold in rational arithmetic
        caps = self.sample_weight / (playable_nu(nu, float(self.sample_weight.min()), whole) * whole)
        return dealt(d, self.shares, caps, self.weight_error)


def equal_rows(X: Floats, y: Floats) -> Indices:
    """One number per row, the same for equal rows alone; they count from 0 in the order of the rows."""
    group = (y > 0.0).astype(np.intp)
    for f in range(X.shape[1]):
        values, code = np.unique(X[:, f], return_inverse=True)
        _, group = np.unique(group * len(values) + code, return_inverse=True)
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[group]


def training_sets(data: LabelledRows, *, joint: bool = False) -> list[TrainingSet]:
    """The second class against the first; with more than two, each class against the rest, or all at once."""
    factors = tuple(data.factors.tolist()) if len(data.classes) == 2 else (1.0, 1.0)
    all_carry = bool(data.carries.all())
    shares = None if all_carry else eye_array(len(data.carries), format="csr")[:, data.carries]
    if joint:
        numbers = data.code.astype(np.float64)
        return [TrainingSet(data.X, numbers, data.sample_weight, shares, classes=len(data.classes))]
    return [
        TrainingSet(data.X, np.where(positive, 1.0, -1.0), data.sample_weight, shares, factors=factors)
        for positive in data.targets().T
    ]


@dataclass(frozen=True, eq=False)
class Problems:
    """The arguments of `fit`, one training set per ensemble, and the weak learner."""

    data: LabelledRows
    sets: list[TrainingSet]  # with equal rows made one
    learner: WeakLearner

    @classmethod
    def of(cls, clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> Problems:
        """The problems of the arguments of `fit`, which are checked."""
        learner = weak_learner(clf)
        features = clf.categorical_features
        if features is not None and not learner.splits_features:
            raise ValueError(
                "categorical_features must be None unless the weak learner is BestTree, the default; "
                f"got {quoted(features)} with {learner!r}"
            )
        data = check_training_data(
            clf,
            X,
            y,
            sample_weight,
            categorical_features=features if learner.splits_features else (),
            categorical=learner.categorical,  # so that numbers not fitted are missing
        )
        learner = learner.with_defaults(
            columns_per_round=clf.columns_per_round,
            n_jobs=clf.n_jobs,
            categorical=tuple(data.encoding.by_column),
        ).with_names(getattr(data.encoding.columns, "feature_names_in_", None), data.X.shape[1])
        check_two_classes(learner, data.classes)
        check_joint(clf, learner)
        with memory_for(len(data.carries)):
            return cls._of(clf, X, data, learner)

    @classmethod
    def _of(cls, clf: Any, X: Any, data: LabelledRows, learner: WeakLearner) -> Problems:
        """The problems with their rows on the device of the fit."""
        if not learner.splits_features:
            data = replace(data, X=np.asarray(data.X))  # it may be sparse
        elif clf.device == "cuda":
            from frankboost.cuda import device_rows  # noqa: PLC0415  (an extra)

            data = replace(data, X=device_rows(learner, data.X))
        elif is_on_device(X):
            raise ValueError('X must be on the host with device="cpu"; it is on a CUDA device')
        sets = training_sets(data, joint=clf.multi_class == JOINT and len(data.classes) > 2)
        if learner.splits_features:
            sets = [each.merged() for each in sets]
        return cls(data, sets, learner.fixed(data.X, data.sample_weight))

    def starts(self, last: Model | None) -> list[Start | None]:
        """The starts of the fits: what the learner itself starts from, or the end of the last fit.

        The last fit must have been of the same classes, categories and number of rows.
        """
        starts = [self.learner.start(each.sample_weight) for each in self.sets]
        if last is not None and self._same(last):
            for k, (rows, each) in enumerate(zip(self.sets, last.ensembles, strict=True)):
                if starts[k] is None and each.found is not None:
                    starts[k] = replace(each.found, distribution=rows.gathered(each.distribution))
        return starts

    def _same(self, last: Model) -> bool:
        known, categories = last.categories, self.data.encoding.categories
        return (
            len(last.ensembles) == len(self.sets)
            and np.array_equal(last.classes, self.data.classes)
            and known.keys() == categories.keys()
            and all(np.array_equal(known[key], categories[key]) for key in known)
            and all(
                each.found is not None and len(each.distribution) == len(self.data.carries)
                for each in last.ensembles
            )
        )

    def model(self, ensembles: Sequence[Ensemble]) -> Model:
        """The model of an ensemble for each problem, about the rows that were given."""
        spread = [_spread(each, rows) for each, rows in zip(ensembles, self.sets, strict=True)]
        encoding = self.data.encoding
        weight = self.data.sample_weight
        return Model.of(
            self.data.classes,
            encoding.categories,
            spread,
            encoding.dates,
            importances=importances_of(spread),
            rows=len(weight),
            weighted=bool((weight != 1.0).any()),
        )


def _spread(ensemble: Ensemble, rows: TrainingSet) -> Ensemble:
    """The ensemble with its distribution spread over the rows that were given."""
    d = rows.dealt(ensemble.distribution, ensemble.certificate.nu)
    found, capped = ensemble.found, ensemble.capped
    return replace(
        ensemble,
        distribution=d,
        capped=None if capped is None else rows.flagged(capped),
        found=found and replace(found, distribution=d),
    )
