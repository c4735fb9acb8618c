"""Merge equal rows across partitions: the result is that of `TrainingSet.merged` for all rows.

Rows go to buckets by a hash of their values. A bucket has all rows that are equal, adds up their weights in
the order of the rows, and tells the partition of the first of them what it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from frankboost.choosing.held_out import row_keys
from frankboost.dask.rows import Rows
from frankboost.fitting.problems import MOST_DISTINCT, SAMPLE, equal_rows
from frankboost.grid import dealt
from frankboost.typing import AnyArray, Floats, Indices


def sampled(rows: Rows, before: int, total: int) -> tuple[Floats, Indices]:
    """Every k-th row of the whole data that lies in this partition, to see whether merging is worth it."""
    step = max(1, total // SAMPLE)
    some = slice((-before) % step, None, step)
    return rows.X[some].copy(), rows.code[some].copy()  # views would hold all rows


def worth_merging(samples: Sequence[tuple[Floats, Indices]], positive: int) -> bool:
    """Whether enough of the sampled rows are equal, for the problem of a class against the rest."""
    X, code = (np.concatenate(each) for each in zip(*samples, strict=True))
    distinct = 1 + int(equal_rows(X, np.where(code == positive, 1.0, -1.0)).max())
    return distinct <= MOST_DISTINCT * len(X)


@dataclass(frozen=True, eq=False)
class BucketRows:
    """The rows that a partition sends to a bucket: the different ones, and which of them each row equals."""

    X: Floats
    y: Floats
    first: Indices  # where each of the different rows is first met, in the partition
    row: Indices  # the number of each row in the partition
    group: Indices  # and which of the different ones it equals
    weight: Floats  # of each row


def sorted_out(rows: Rows, positive: int, buckets: int) -> list[BucketRows]:
    """The rows of a partition, one `BucketRows` for each bucket."""
    y = np.where(rows.code == positive, 1.0, -1.0)
    if len(y) == 0:
        none = np.zeros(0, dtype=np.intp)
        return [BucketRows(rows.X, y, none, none, none, np.zeros(0))] * buckets
    group = equal_rows(rows.X, y)
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
    """Rows of a partition that stand for all that equal them."""

    first: Indices  # in the partition
    weight: Floats
    members: Indices


class Bucket:
    """All rows of some distinct kinds, from every partition."""

    def __init__(self, sent: Sequence[BucketRows]) -> None:
        counts = [len(each.first) for each in sent]
        X, y, first = (np.concatenate([getattr(each, name) for each in sent]) for name in ("X", "y", "first"))
        partition = np.repeat(np.arange(len(sent)), counts)
        kind = equal_rows(X, y) if len(y) else np.zeros(0, dtype=np.intp)
        offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
        group = np.concatenate([kind[each.group + at] for each, at in zip(sent, offsets, strict=True)])
        weight = np.concatenate([each.weight for each in sent])
        _, leader = np.unique(kind, return_index=True)  # kinds count from 0 in the order of the partitions
        self._rows = [each.row for each in sent]
        self._group, self._row_weight = group, weight
        self._weight = np.bincount(group, weight, len(leader)).astype(np.float64)
        self._members = np.bincount(group, minlength=len(leader))
        self._owner, self._first = partition[leader], first[leader]

    def owned(self, partition: int) -> MergedRows:
        """The rows of a partition that represent equal rows, and their weights."""
        mine = self._owner == partition
        return MergedRows(self._first[mine], self._weight[mine], self._members[mine])

    def dealt(
        self, d: Sequence[Floats], nu: float, total: float, error: float
    ) -> list[tuple[Indices, Floats]]:
        """Divide a distribution over merged rows among all equal rows; one entry per partition.

        `d` has for each partition the weights of those that it owns here, `total` is the sum of all sample
        weights; otherwise as `TrainingSet.dealt`.
        """
        count, kinds = len(self._group), self._joined(d)
        share = self._row_weight / self._weight[self._group]
        shares = csr_array((share, (np.arange(count), self._group)), shape=(count, len(kinds)))
        return self._split(dealt(kinds, shares, self._weight / (nu * total), error))

    def repeated(self, values: Sequence[AnyArray]) -> list[tuple[Indices, AnyArray]]:
        """Repeat values of merged rows for all equal rows."""
        return self._split(self._joined(values)[self._group])

    def _joined(self, values: Sequence[AnyArray]) -> AnyArray:
        kinds = np.empty(len(self._weight), dtype=values[0].dtype)
        for partition, each in enumerate(values):
            kinds[self._owner == partition] = each
        return kinds

    def _split(self, values: AnyArray) -> list[tuple[Indices, AnyArray]]:
        ends = np.cumsum([len(each) for each in self._rows])[:-1]
        return list(zip(self._rows, np.split(values, ends), strict=True))
