"""The training sets of a fit (one per ensemble), the weak learner, and the start of each fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, eye_array

from frankboost.arrays import is_on_device, memory_for
from frankboost.fitting.weak_learners import JOINT, check_joint, check_monotonic, make_weak_learner
from frankboost.grid import dealt, playable_nu
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Ensemble, Model
from frankboost.rooms.margins import BinaryMargins, JointMargins
from frankboost.shapes import importances_of
from frankboost.tables.labelled import LabelledRows, check_training_data
from frankboost.typing import AnyArray, Flags, Floats, Indices
from frankboost.validation import quoted

SAMPLE = 2000  # the number of rows that show whether merging equal rows is worth it
MOST_DISTINCT = 0.8  # the share of distinct rows from which on merging costs more than it saves


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows of one game: all rows with weight, or one row for all that are equal.

    `shares`, of shape (rows given to `fit`, rows here), has the share of each given row in the weight of a
    row here; None: the rows here are the given rows.
    """

    X: AnyArray
    y: AnyArray  # labels -1 and +1 in int8, or the numbers of more than two classes
    sample_weight: Floats
    shares: csr_array | None = None
    members: Indices | int = 1  # the number of given rows that each row here represents
    weight_error: float = 0.0  # the relative rounding error of the sums of their weights
    factors: tuple[float, float] = (1.0, 1.0)  # the weights of two classes, which `sample_weight` contains
    classes: int = 2  # the number of classes of the game

    @property
    def margins(self) -> BinaryMargins | JointMargins:
        """What a margin is, for these labels."""
        if self.classes == 2:
            return BinaryMargins(self.y)
        return JointMargins(self.y.astype(np.int64, copy=False), self.classes)

    @property
    def code(self) -> Indices:
        """The number of the class of each row, from 0."""
        return (self.y > 0.0).astype(np.intp) if self.classes == 2 else self.y.astype(np.intp)

    @property
    def plain_weight(self) -> Floats:
        """The sample weights without `class_weight`."""
        if self.factors == (1.0, 1.0):
            return self.sample_weight
        return self.sample_weight / np.where(self.y > 0.0, *reversed(self.factors))

    def select(self, rows: Flags | Indices) -> TrainingSet:
        """The training set of some of the rows."""
        selected = {name: getattr(self, name)[rows] for name in ("X", "y", "sample_weight")}
        return TrainingSet(**selected, factors=self.factors, classes=self.classes)

    def with_merged_rows(self) -> TrainingSet:
        """The training set with equal rows merged, if a sample of the rows has enough equal ones.

        No tree tells equal rows apart, so the game is the same with their weights added up. A game of more
        than two classes keeps its rows.
        """
        if self.classes > 2:
            return self
        sample = slice(None, None, max(1, len(self.y) // SAMPLE))
        if count_distinct(self.X[sample], self.y[sample]) > MOST_DISTINCT * len(self.y[sample]):
            return self
        group = group_equal_rows(self.X, self.y)
        first = np.unique(group, return_index=True)[1]
        weight = np.bincount(group, self.sample_weight).astype(np.float64)
        shares = csr_array((self.sample_weight / weight[group], (np.arange(len(group)), group)))
        members = np.bincount(group)
        whole = bool((self.sample_weight == np.floor(self.sample_weight)).all())
        error = 0.0 if whole else int(members.max()) * 2.0**-53
        given = shares if self.shares is None else self.shares @ shares
        return TrainingSet(self.X[first], self.y[first], weight, given, members, error, self.factors)

    def distribution_here(self, d: Floats) -> Floats:
        """Convert a distribution over the rows given to `fit` to one over the rows here."""
        return d if self.shares is None else (self.shares > 0).T @ d

    def given_rows(self, rows: Flags) -> Flags:
        """The rows given to `fit` that some rows here represent."""
        return rows if self.shares is None else self.shares @ rows > 0.0

    def distribution_given(self, d: Floats, nu: float) -> Floats:
        """Convert a distribution over the rows here to one over the rows given to `fit`.

        Its entries are whole units of the grid, at most the caps.
        """
        if self.shares is None:
            return d
        if self.shares.nnz == len(d):
            spread: Floats = self.shares @ d
            return spread
        total = math.fsum(self.sample_weight)  # rounded once, so that the caps hold in rational arithmetic
        caps = self.sample_weight / (playable_nu(nu, float(self.sample_weight.min()), total) * total)
        return dealt(d, self.shares, caps, self.weight_error)


def count_distinct(X: Floats, y: Floats) -> int:
    """The number of different rows, with their labels."""
    return 1 + int(group_equal_rows(X, y).max())


def group_equal_rows(X: Floats, y: Floats) -> Indices:
    """The group of each row: equal rows of the same label. Groups are numbered in the order of the rows."""
    group = (y > 0.0).astype(np.intp)
    for f in range(X.shape[1]):
        values, code = np.unique(X[:, f], return_inverse=True)
        _, group = np.unique(group * len(values) + code, return_inverse=True)
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[group]


def make_training_sets(data: LabelledRows, *, joint: bool = False) -> list[TrainingSet]:
    """One training set per game: of two classes, of each class against the rest, or, if `joint`, of all
    classes."""
    factors = tuple(data.factors.tolist()) if len(data.classes) == 2 else (1.0, 1.0)
    all_carry = bool(data.carries.all())
    shares = None if all_carry else eye_array(len(data.carries), format="csr")[:, data.carries]
    if joint:
        return [TrainingSet(data.X, data.code, data.sample_weight, shares, classes=len(data.classes))]
    return [
        TrainingSet(
            data.X, np.where(positive, np.int8(1), np.int8(-1)), data.sample_weight, shares, factors=factors
        )
        for positive in data.targets().T
    ]


@dataclass(frozen=True, eq=False)
class Problems:
    """The rows given to `fit`, the training set of each ensemble, and the weak learner."""

    data: LabelledRows
    sets: list[TrainingSet]
    learner: WeakLearner

    @classmethod
    def of(cls, clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> Problems:
        """Check the arguments of `fit`, and make its problems."""
        learner = make_weak_learner(clf)
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
            categorical=learner.categorical,  # so that a number that was not in the fit is a missing value
        )
        learner = learner.with_defaults(
            columns_per_round=clf.columns_per_round,
            n_jobs=clf.n_jobs,
            categorical=tuple(data.encoding.by_column),
        ).with_names(getattr(data.encoding.columns, "feature_names_in_", None), data.X.shape[1])
        check_monotonic(learner, data.classes)
        check_joint(clf, learner)
        with memory_for(len(data.carries)):
            return cls._on_device(clf, X, data, learner)

    @classmethod
    def _on_device(cls, clf: Any, X: Any, data: LabelledRows, learner: WeakLearner) -> Problems:
        """Make the problems with their rows on the device of the fit."""
        if not learner.splits_features:
            data = replace(data, X=np.asarray(data.X, dtype=np.float64))  # X may be sparse
        elif clf.device == "cuda":
            from frankboost.cuda import device_rows  # noqa: PLC0415  (an extra)

            data = replace(data, X=device_rows(learner, data.X))
        elif is_on_device(X):
            raise ValueError('X must be on the host with device="cpu"; it is on a CUDA device')
        sets = make_training_sets(data, joint=clf.multi_class == JOINT and len(data.classes) > 2)
        if learner.splits_features:
            sets = [each.with_merged_rows() for each in sets]
        return cls(data, sets, learner.fixed(data.X, data.sample_weight))

    def starts(self, last: Model | None) -> list[Start | None]:
        """The start of each fit: the learner's own start, or the end of the last fit.

        The last fit counts if it had the same classes, categories and number of rows.
        """
        starts = [self.learner.start(each.sample_weight) for each in self.sets]
        if last is not None and self._continues(last):
            for k, (rows, each) in enumerate(zip(self.sets, last.ensembles, strict=True)):
                if starts[k] is None and each.found is not None:
                    starts[k] = replace(each.found, distribution=rows.distribution_here(each.distribution))
        return starts

    def _continues(self, last: Model) -> bool:
        """Whether a fit can start from the last one."""
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

    def make_model(self, ensembles: Sequence[Ensemble]) -> Model:
        """Make the model of one ensemble per problem; its distributions are over the rows given to `fit`."""
        spread = [_over_given_rows(each, rows) for each, rows in zip(ensembles, self.sets, strict=True)]
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


def _over_given_rows(ensemble: Ensemble, rows: TrainingSet) -> Ensemble:
    """The ensemble with its distribution over the rows given to `fit`."""
    d = rows.distribution_given(ensemble.distribution, ensemble.certificate.nu)
    found, capped = ensemble.found, ensemble.capped
    return replace(
        ensemble,
        distribution=d,
        capped=None if capped is None else rows.given_rows(capped),
        found=found and replace(found, distribution=d),
    )
