"""The games of a Dask training set, of each class against the rest or of all classes together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from operator import attrgetter, itemgetter
from typing import Any

import dask.array as da
import numpy as np
from distributed import Client, Future, wait

from frankboost.dask.actors import LostError
from frankboost.dask.binned import (
    BinnedRows,
    class_game_rows,
    expand_to_given_rows,
    has_whole_weights,
    join_buckets,
    joint_game_rows,
    max_members,
    merged_game_rows,
    split_by_bucket,
)
from frankboost.dask.ingestion import DistributedRows
from frankboost.dask.merging import Bucket, every_kth_row, is_worth_merging, split_into_buckets
from frankboost.fitting.weak_learners import check_monotonic
from frankboost.learners.best_tree import BestTree
from frankboost.learners.binning import all_values_apart, check_thresholds
from frankboost.learners.tree_class import TreeClass
from frankboost.model import positives


@dataclass(frozen=True, eq=False)
class Game:
    """The rows of a game on the workers: one future per partition."""

    client: Client
    data: DistributedRows
    rows: list[Future]  # of GameRows
    binned: list[Future]  # of BinnedRows
    buckets: list[Future] = field(default_factory=list)  # of Bucket; empty unless equal rows were merged
    weight_error: float = 0.0  # as in `TrainingSet`
    classes: int = 2  # the number of classes of the game

    def distribution(self, d: Sequence[Future], nu: float, total: float) -> da.Array:
        """Convert a distribution over these rows to one over the rows given to `fit`."""
        divide = partial(Bucket.divide, nu=nu, total=total, error=self.weight_error)
        return self._over_given_rows(d, divide, np.float64, () if self.classes == 2 else (self.classes,))

    def flags(self, flags: Sequence[Future]) -> da.Array:
        """Convert flags of these rows to flags of the rows given to `fit`."""
        return self._over_given_rows(flags, Bucket.repeat, np.bool_)

    def _over_given_rows(
        self,
        parts: Sequence[Future],
        divide: Callable[..., Any],
        dtype: Any,
        columns: tuple[int, ...] = (),
    ) -> da.Array:
        """Convert values, which `divide` spreads over equal rows in each bucket; they stay on the workers."""
        submit = partial(self.client.submit, pure=False)
        if not self.buckets:
            given = [submit(expand_to_given_rows, *each) for each in zip(parts, self.binned, strict=True)]
            return self._concatenate(given, dtype, columns)
        to_buckets = [submit(split_by_bucket, *each) for each in zip(parts, self.rows, strict=True)]
        divided = [
            submit(divide, bucket, [submit(itemgetter(b), each) for each in to_buckets])
            for b, bucket in enumerate(self.buckets)
        ]
        given = [
            submit(join_buckets, rows, [submit(itemgetter(p), each) for each in divided])
            for p, rows in enumerate(self.binned)
        ]
        return self._concatenate(given, dtype, columns)

    def _concatenate(self, parts: Sequence[Future], dtype: Any, columns: tuple[int, ...]) -> da.Array:
        """One array of the arrays on the workers; partitions without weight have zeros.

        A `LostError` says that a worker died.
        """
        wait(parts)  # so that the futures that they are made of can be released
        if any(each.status != "finished" for each in parts):
            raise LostError
        found = dict(zip(self.data.present, parts, strict=True))
        return da.concatenate(
            [
                da.from_delayed(found[k], shape, dtype) if k in found else da.zeros(shape, dtype=dtype)
                for k, shape in enumerate((size, *columns) for size in self.data.given)
            ]
        )


class DistributedProblems:
    """The rows of each partition as bin codes, and the class of trees over them."""

    def __init__(
        self, client: Client, data: DistributedRows, learner: BestTree, *, joint: bool = False
    ) -> None:
        self._client = client
        self._data = data
        counts = data.agreed.encoding.by_column
        features = range(len(data.missing))
        categories = tuple(len(counts[f]) if f in counts else 0 for f in features)
        if learner.thresholds is None:
            thresholds = data.thresholds(client, learner.max_bins or 0)
        else:
            thresholds = check_thresholds(learner.thresholds, data.missing, set(counts), few=True)
        names = getattr(data.agreed.encoding.columns, "feature_names_in_", None)
        learner = learner.with_names(names, len(features))
        self.learner = replace(learner, categorical=tuple(counts), thresholds=thresholds)
        check_monotonic(self.learner, data.agreed.classes)
        constraints = self.learner.constraints(len(features))
        bins = thresholds, data.missing, categories
        self._binned = client.map(BinnedRows.of, data.rows, bins=bins, constraints=constraints, pure=False)
        self.features = client.submit(BinnedRows.first_row, self._binned[0], pure=False).result()
        apart = all_values_apart(client.gather(client.map(attrgetter("ends"), self._binned, pure=False)))
        self.hypothesis_class = TreeClass(
            learner.max_depth, thresholds, categories, apart, constraints=constraints
        )
        starts = accumulate(data.counts, initial=0)
        samples = client.gather(
            [
                client.submit(every_kth_row, each, before, data.agreed.span.rows, pure=False)
                for each, before in zip(data.rows, starts, strict=False)
            ]
        )
        codes = [] if joint else positives(np.arange(len(data.agreed.classes))).tolist()
        self._merged = [k for k in codes if is_worth_merging(samples, k)]
        if not self._merged:
            data.rows.clear()  # the bin codes are enough from now on

    def joint_game(self) -> Game:
        """The game of all classes."""
        classes = len(self._data.agreed.classes)
        rows = [self._client.submit(joint_game_rows, each, classes, pure=False) for each in self._binned]
        return Game(self._client, self._data, rows, self._binned, classes=classes)

    def class_game(self, positive: int) -> Game:
        """The game of a class against the rest; equal rows are merged if one machine would merge them."""
        submit, count = partial(self._client.submit, pure=False), len(self._binned)
        if positive not in self._merged:
            rows = [submit(class_game_rows, each, positive) for each in self._binned]
            return Game(self._client, self._data, rows, self._binned)
        sent = [submit(split_into_buckets, each, positive, count) for each in self._data.rows]
        buckets = [submit(Bucket, [submit(itemgetter(b), each) for each in sent]) for b in range(count)]
        rows = [
            submit(
                merged_game_rows, rows, positive, [submit(Bucket.merged_rows, each, p) for each in buckets]
            )
            for p, rows in enumerate(self._binned)
        ]
        members = max(self._client.gather(self._client.map(max_members, rows, pure=False)))
        whole = all(self._client.gather(self._client.map(has_whole_weights, self._binned, pure=False)))
        error = 0.0 if whole else members * 2.0**-53
        return Game(self._client, self._data, rows, self._binned, buckets, error)
