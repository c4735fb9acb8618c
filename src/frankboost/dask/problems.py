"""A Dask training set as games, of one class against the rest or of all, on rows that stay on the workers."""

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
    all_rows,
    from_buckets,
    has_whole_weights,
    in_buckets,
    most_members,
    played,
    played_once,
    played_together,
)
from frankboost.dask.ingestion import DistributedRows
from frankboost.dask.merging import Bucket, sampled, sorted_out, worth_merging
from frankboost.fitting.weak_learners import check_two_classes
from frankboost.learners.best_tree import BestTree
from frankboost.learners.binning import all_values_apart, check_thresholds
from frankboost.learners.tree_class import TreeClass
from frankboost.model import positives


@dataclass(frozen=True, eq=False)
class Played:
    """The rows of a game, one future for each partition, and how they became what they are."""

    client: Client
    data: DistributedRows
    rows: list[Future]  # of PlayedRows
    binned: list[Future]
    buckets: list[Future] = field(default_factory=list)  # if equal rows were merged
    weight_error: float = 0.0
    classes: int = 2  # in the game

    def distribution(self, d: Sequence[Future], nu: float, total: float) -> da.Array:
        """A distribution over these rows, as one over all that were given; it stays on the workers."""
        dealt = partial(Bucket.dealt, nu=nu, total=total, error=self.weight_error)
        return self._given(d, dealt, np.float64, () if self.classes == 2 else (self.classes,))

    def flags(self, flags: Sequence[Future]) -> da.Array:
        """What is true of these rows, as what is true of all that were given."""
        return self._given(flags, Bucket.repeated, np.bool_)

    def _given(
        self, parts: Sequence[Future], dealt: Callable[..., Any], dtype: Any, columns: tuple[int, ...] = ()
    ) -> da.Array:
        submit = partial(self.client.submit, pure=False)
        if not self.buckets:
            whole = [submit(all_rows, *each) for each in zip(parts, self.binned, strict=True)]
            return self._joined(whole, dtype, columns)
        sent = [submit(in_buckets, *each) for each in zip(parts, self.rows, strict=True)]
        out = [
            submit(dealt, bucket, [submit(itemgetter(b), each) for each in sent])
            for b, bucket in enumerate(self.buckets)
        ]
        back = [
            submit(from_buckets, each, [submit(itemgetter(p), some) for some in out])
            for p, each in enumerate(self.binned)
        ]
        return self._joined(back, dtype, columns)

    def _joined(self, parts: Sequence[Future], dtype: Any, columns: tuple[int, ...]) -> da.Array:
        """Arrays on the workers as one; partitions without weight have zeros. `LostError`: some were lost."""
        wait(parts)  # what they are made of may be let go
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
        check_two_classes(self.learner, data.agreed.classes)
        constraints = self.learner.constraints(len(features))
        bins = thresholds, data.missing, categories
        self._binned = client.map(BinnedRows.of, data.rows, bins=bins, constraints=constraints, pure=False)
        self.features = client.submit(BinnedRows.first_row, self._binned[0], pure=False).result()
        apart = all_values_apart(client.gather(client.map(attrgetter("ends"), self._binned, pure=False)))
        self.hypothesis_class = TreeClass(
            learner.max_depth, thresholds, categories, apart, constraints=constraints
        )
        starts = accumulate(data.counts, initial=0)
        some = [
            client.submit(sampled, each, before, data.agreed.span.rows, pure=False)
            for each, before in zip(data.rows, starts, strict=False)
        ]
        samples = client.gather(some)
        codes = [] if joint else positives(np.arange(len(data.agreed.classes))).tolist()
        self._merged = [k for k in codes if worth_merging(samples, k)]
        if not self._merged:
            data.rows.clear()  # from now on bin codes will do

    def together(self) -> Played:
        """The game of all classes, with the rows as they are."""
        classes = len(self._data.agreed.classes)
        rows = [self._client.submit(played_together, each, classes, pure=False) for each in self._binned]
        return Played(self._client, self._data, rows, self._binned, classes=classes)

    def of_class(self, positive: int) -> Played:
        """The game of a class against the rest; equal rows are made one where one machine would do so."""
        submit, count = partial(self._client.submit, pure=False), len(self._binned)
        if positive not in self._merged:
            rows = [submit(played, each, positive) for each in self._binned]
            return Played(self._client, self._data, rows, self._binned)
        sent = [submit(sorted_out, each, positive, count) for each in self._data.rows]
        buckets = [submit(Bucket, [submit(itemgetter(b), each) for each in sent]) for b in range(count)]
        rows = [
            submit(played_once, each, positive, [submit(Bucket.owned, bucket, p) for bucket in buckets])
            for p, each in enumerate(self._binned)
        ]
        members = max(self._client.gather(self._client.map(most_members, rows, pure=False)))
        whole = all(self._client.gather(self._client.map(has_whole_weights, self._binned, pure=False)))
        error = 0.0 if whole else members * 2.0**-53
        return Played(self._client, self._data, rows, self._binned, buckets, error)
