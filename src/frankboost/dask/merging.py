"""Merge equal rows across partitions, with the result of `TrainingSet.with_merged_rows` for all rows.

Each row goes to a bucket, which a hash of its values selects, so that equal rows are in one bucket. The
bucket adds up their weights in the order of the rows. The first of the equal rows represents them in its
partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from frankboost.choosing.held_out import row_keys
from frankboost.dask.rows import Rows
from frankboost.fitting.problems import MOST_DISTINCT, SAMPLE, count_distinct, group_equal_rows
from frankboost.grid import dealt
from frankboost.typing import AnyArray, Floats, Indices


def every_kth_row(rows: Rows, before: int, total: int) -> tuple[Floats, Indices]:
    """A sample of the rows of a partition that has `before` rows before it, of `total` rows."""
    step = max(1, total // SAMPLE)
    sample = slice((-before) % step, None, step)
    return rows.X[sample].copy(), rows.code[sample].copy()  # views would keep all rows in memory


def is_worth_merging(samples: Sequence[tuple[Floats, Indices]], positive: int) -> bool:
    """Whether enough of the sampled rows are equal, in the game of a class against the rest."""
    X, code = (np.concatenate(each) for each in zip(*samples, strict=True))
    return count_distinct(X, np.where(code == positive, 1.0, -1.0)) <= MOST_DISTINCT * len(X)


@dataclass(frozen=True, eq=False)
class BucketRows:
    """The rows that a partition sends to a bucket."""

    X: Floats  # the distinct rows
    y: Floats
    first: Indices  # the position in the partition of the first row that equals each distinct row
    row: Indices  # the position in the partition of each row
    group: Indices  # the number of the distinct row that each row equals
    weight: Floats  # of each row


def split_into_buckets(rows: Rows, positive: int, buckets: int) -> list[BucketRows]:
    """Split the rows of a partition: one `BucketRows` for each bucket."""
    y = np.where(rows.code == positive, 1.0, -1.0)
    if len(y) == 0:
        none = np.zeros(0, dtype=np.intp)
        return [BucketRows(rows.X, y, none, none, none, np.zeros(0))] * buckets
    group = group_equal_rows(rows.X, y)
    first = np.unique(group, return_index=True)[1]
    bucket = row_keys(rows.X[first]) % np.uint64(buckets)
    sent = []
    for b in range(buckets):
        here = bucket == b
        row = np.flatnonzero(here[group])
        number = np.cumsum(here) - 1
        firsts = first[here]
        sent.append(
            BucketRows(rows.X[firsts], y[firsts], firsts, row, number[group[row]], rows.sample_weight[row])
        )
    return sent


@dataclass(frozen=True, eq=False)
class MergedRows:
    """Rows of a partition that represent all rows that equal them."""

    first: Indices  # their positions in the partition
    weight: Floats  # the weight of all rows that they represent
    members: Indices  # the number of these rows


class Bucket:
    """The rows of all partitions with some values of the hash."""

    def __init__(self, sent: Sequence[BucketRows]) -> None:
        counts = [len(each.first) for each in sent]
        X, y, first = (np.concatenate([getattr(each, name) for each in sent]) for name in ("X", "y", "first"))
        partition = np.repeat(np.arange(len(sent)), counts)
        kind = group_equal_rows(X, y) if len(y) else np.zeros(0, dtype=np.intp)
        offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
        group = np.concatenate([kind[each.group + at] for each, at in zip(sent, offsets, strict=True)])
        weight = np.concatenate([each.weight for each in sent])
        _, leader = np.unique(kind, return_index=True)  # the first row of each kind
        self._rows = [each.row for each in sent]
        self._group, self._row_weight = group, weight
        self._weight = np.bincount(group, weight, len(leader)).astype(np.float64)
        self._members = np.bincount(group, minlength=len(leader))
        self._owner, self._first = partition[leader], first[leader]

    def merged_rows(self, partition: int) -> MergedRows:
        """The rows of a partition that represent equal rows."""
        mine = self._owner == partition
        return MergedRows(self._first[mine], self._weight[mine], self._members[mine])

    def divide(
        self, d: Sequence[Floats], nu: float, total: float, error: float
    ) -> list[tuple[Indices, Floats]]:
        """Divide a distribution over merged rows among all rows, as `TrainingSet.distribution_given` does.

        `d` has the weights of the merged rows of each partition, and `total` is the sum of all sample
        weights. The result has the positions and the weights of the rows of each partition.
        """
        count, kinds = len(self._group), self._concatenate(d)
        share = self._row_weight / self._weight[self._group]
        shares = csr_array((share, (np.arange(count), self._group)), shape=(count, len(kinds)))
        return self._split(dealt(kinds, shares, self._weight / (nu * total), error))

    def repeat(self, values: Sequence[AnyArray]) -> list[tuple[Indices, AnyArray]]:
        """Repeat the values of merged rows for all rows; positions and values for each partition."""
        return self._split(self._concatenate(values)[self._group])

    def _concatenate(self, values: Sequence[AnyArray]) -> AnyArray:
        """Values for the merged rows of each partition as one array."""
        kinds = np.empty(len(self._weight), dtype=values[0].dtype)
        for partition, each in enumerate(values):
            kinds[self._owner == partition] = each
        return kinds

    def _split(self, values: AnyArray) -> list[tuple[Indices, AnyArray]]:
        """Split values for all rows by partition, with the positions of the rows."""
        ends = np.cumsum([len(each) for each in self._rows])[:-1]
        return list(zip(self._rows, np.split(values, ends), strict=True))
