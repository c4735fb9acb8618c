"""The rows of a partition as bin codes, and as rows of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from frankboost.constraints import Constraints
from frankboost.dask.merging import MergedRows
from frankboost.dask.rows import Rows
from frankboost.learners.binning import BinEnds, BinnedFeatures
from frankboost.rooms.host_part import Examples
from frankboost.rooms.margins import BinaryMargins, JointMargins
from frankboost.typing import AnyArray, Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class BinnedRows:
    """The rows of a partition that have weight, as bin codes."""

    features: BinnedFeatures
    ends: list[BinEnds]  # the smallest and largest value in each bin
    code: Indices
    sample_weight: Floats
    carries: Flags

    @classmethod
    def of(cls, rows: Rows, bins: tuple[Any, ...], constraints: Constraints | None) -> BinnedRows:
        """The rows as bin codes; `bins` are the arguments of `BinnedFeatures.of_part` for all partitions."""
        features, ends = BinnedFeatures.of_part(rows.X, *bins)
        features = replace(features, constraints=constraints)
        return cls(features, ends, rows.code, rows.sample_weight, rows.carries)

    def first_row(self) -> BinnedFeatures:
        """The features of a single row."""
        return replace(self.features, codes=self.features.codes[:, :1].copy())


@dataclass(frozen=True, eq=False)
class GameRows(Examples):
    """The rows of a partition in a game. A row may represent equal rows of other partitions.

    If equal rows were merged, `bucket_rows` has the positions of the rows of each bucket (see `merging`).
    """

    bucket_rows: Sequence[Indices] = ()


def class_game_rows(rows: BinnedRows, positive: int) -> GameRows:
    """The rows of a partition in the game of a class against the rest."""
    return GameRows(rows.features, _one_vs_rest(rows.code, positive), rows.sample_weight)


def joint_game_rows(rows: BinnedRows, classes: int) -> GameRows:
    """The rows of a partition in the game of all classes."""
    return GameRows(rows.features, JointMargins(rows.code.astype(np.int64), classes), rows.sample_weight)


def _one_vs_rest(code: Indices, positive: int) -> BinaryMargins:
    return BinaryMargins(np.where(code == positive, 1.0, -1.0))


def merged_game_rows(rows: BinnedRows, positive: int, merged: Sequence[MergedRows]) -> GameRows:
    """The rows of a partition that represent equal rows, in the game of a class against the rest.

    `merged` has the rows of each bucket.
    """
    first, weight, members = (
        np.concatenate([getattr(each, name) for each in merged]) for name in ("first", "weight", "members")
    )
    order = np.argsort(first)
    ends = np.cumsum([len(each.first) for each in merged])[:-1]
    first = first[order]
    margins = _one_vs_rest(rows.code[first], positive)
    codes: Any = np.ascontiguousarray(rows.features.codes[:, first])
    features, bucket_rows = replace(rows.features, codes=codes), np.split(np.argsort(order), ends)
    return GameRows(features, margins, weight[order], members[order], bucket_rows=bucket_rows)


def split_by_bucket(values: AnyArray, rows: GameRows) -> list[AnyArray]:
    """Split values for the rows of a partition into the values of each bucket."""
    return [values[each] for each in rows.bucket_rows]


def expand_to_given_rows(values: AnyArray, rows: BinnedRows) -> AnyArray:
    """Values for all given rows, from values for the rows with weight; 0 for the other rows."""
    given = np.zeros((len(rows.carries), *values.shape[1:]), dtype=values.dtype)
    given[rows.carries] = values
    return given


def join_buckets(rows: BinnedRows, sent: Sequence[tuple[Indices, AnyArray]]) -> AnyArray:
    """Values for all given rows of a partition, from the rows and values that each bucket sends."""
    values = np.zeros(len(rows.code), dtype=sent[0][1].dtype)
    for row, each in sent:
        values[row] = each
    return expand_to_given_rows(values, rows)


def max_members(rows: GameRows) -> int:
    """The largest number of rows that one row of a partition represents."""
    return int(np.max(rows.members, initial=1))


def has_whole_weights(rows: BinnedRows) -> bool:
    """Whether all weights of a partition are whole numbers, so that their sums are exact."""
    return bool((rows.sample_weight == np.floor(rows.sample_weight)).all())
