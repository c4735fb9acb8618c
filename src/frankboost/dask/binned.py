"""Rows of partitions as bin codes, and the rows of the game of one class."""

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
    """The rows of a partition with weight, as bin codes alone."""

    features: BinnedFeatures
    ends: list[BinEnds]  # the least and largest values in the bins
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
class PlayedRows(Examples):
    """The rows of a partition in a game, as bin codes; what one stands for may be elsewhere."""

    slots: Sequence[Indices] = ()  # which of them are in each bucket, if equal rows were merged


def played(rows: BinnedRows, positive: int) -> PlayedRows:
    """All rows of a partition, in the game of a class against the rest."""
    return PlayedRows(rows.features, _against_the_rest(rows.code, positive), rows.sample_weight)


def played_together(rows: BinnedRows, classes: int) -> PlayedRows:
    """All rows of a partition, in the game of all classes."""
    return PlayedRows(rows.features, JointMargins(rows.code.astype(np.int64), classes), rows.sample_weight)


def _against_the_rest(code: Indices, positive: int) -> BinaryMargins:
    return BinaryMargins(np.where(code == positive, 1.0, -1.0))


def played_once(rows: BinnedRows, positive: int, owned: Sequence[MergedRows]) -> PlayedRows:
    """The rows of a partition that represent equal rows, with the weights that the buckets computed."""
    first, weight, members = (
        np.concatenate([getattr(each, name) for each in owned]) for name in ("first", "weight", "members")
    )
    order = np.argsort(first)
    ends = np.cumsum([len(each.first) for each in owned])[:-1]
    first = first[order]
    margins = _against_the_rest(rows.code[first], positive)
    codes: Any = np.ascontiguousarray(rows.features.codes[:, first])
    features, slots = replace(rows.features, codes=codes), np.split(np.argsort(order), ends)
    return PlayedRows(features, margins, weight[order], members[order], slots=slots)


def in_buckets(values: AnyArray, rows: PlayedRows) -> list[AnyArray]:
    """Values for the rows of a partition, in the order of the buckets."""
    return [values[slot] for slot in rows.slots]


def all_rows(values: AnyArray, rows: BinnedRows) -> AnyArray:
    """Values for all given rows, from values for the rows with weight; 0 for the others."""
    given = np.zeros((len(rows.carries), *values.shape[1:]), dtype=values.dtype)
    given[rows.carries] = values
    return given


def from_buckets(rows: BinnedRows, sent: Sequence[tuple[Indices, AnyArray]]) -> AnyArray:
    """Values for all given rows of a partition, from values in the order of the buckets."""
    values = np.zeros(len(rows.code), dtype=sent[0][1].dtype)
    for row, each in sent:
        values[row] = each
    return all_rows(values, rows)


def most_members(rows: PlayedRows) -> int:
    """The largest number of rows that one row of a partition represents."""
    return int(np.max(rows.members, initial=1))


def has_whole_weights(rows: BinnedRows) -> bool:
    """Whether all weights of a partition are whole numbers, whose sums are exact."""
    return bool((rows.sample_weight == np.floor(rows.sample_weight)).all())
