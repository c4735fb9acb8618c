"""Choose the thresholds of rows on the workers of a cluster: the same as on one machine.

A threshold follows the smallest value v with W(v) >= t, where W(v) is the number of units of weight at or
below v. Units are whole numbers, so that they add up exactly. Each partition sends W at some of its values,
which bounds W between these values. So each pass narrows the interval (low, high] that contains v, until all
values in the interval are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from distributed import Client, Future

from frankboost.dask.rows import Rows
from frankboost.learners.thresholds import Span, midpoint, midpoints, quantile_targets
from frankboost.typing import Flags, Floats

PER_THREAD = 8  # the number of partitions per thread that send values at the same time
FEATURES_AT_ONCE = 8  # the number of features that are sorted at the same time, at 16 bytes per value
FIRST_SAMPLES = 1024  # values per partition in the first pass; more than thresholds, so often all values
SAMPLES = 16  # values per partition and interval in a later pass


Intervals = tuple[Floats, Floats]
"""The lower and upper ends of intervals (low, high] of a feature, each of which contains a value to find."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """Some values of a feature in a partition, with the units of weight up to each value.

    They include the ends of the intervals, and the last value of the partition within each interval.
    """

    values: Floats  # in increasing order
    before: Floats  # the units below each value
    upto: Floats  # the units at or below each value
    whole: Flags  # whether all values of the partition within each interval are included


@dataclass(frozen=True, eq=False)
class SortedColumn:
    """The distinct values of a feature in a partition.

    `units` has 0, and then the units of weight at or below each value.
    """

    values: Floats
    units: Floats

    @classmethod
    def of(cls, x: Floats, units: Floats) -> SortedColumn:
        present = ~np.isnan(x)
        if len(units) and units.min() == units.max():  # faster, as np.unique need not return the inverse
            values, counts = np.unique(x[present], return_counts=True)
            each = counts * units[0]
        else:
            values, position = np.unique(x[present], return_inverse=True)
            each = np.bincount(position, units[present], len(values))
        return cls(values, np.concatenate([[0.0], np.cumsum(each)]))

    def sketch(self, intervals: Intervals, samples: int) -> Sketch:
        """Take up to `samples` values of each interval, evenly spaced among the values in the interval."""
        first, end = (np.searchsorted(self.values, each, "right") for each in intervals)
        taken = first[:, None] + (end - first - 1)[:, None] * np.arange(samples) // (samples - 1)
        inside = self.values[np.unique(taken[end > first])]
        ends = np.concatenate(intervals)
        values = np.unique(np.concatenate([inside, ends[np.isfinite(ends)]]))
        before, upto = (self.units[np.searchsorted(self.values, values, side)] for side in ("left", "right"))
        return Sketch(values, before, upto, end - first <= samples)

    def neighbours(self, found: Floats) -> tuple[Floats, Floats]:
        """The nearest values below and above each given value; infinite where there is none."""
        framed = np.concatenate([[-np.inf], self.values, [np.inf]])
        below, above = (np.searchsorted(self.values, found, side) for side in ("left", "right"))
        return framed[below], framed[above + 1]


class Selection:
    """Selects at most `most` thresholds of a feature, pass by pass."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._targets: Floats | None = None
        self.intervals: Intervals = np.array([-np.inf]), np.array([np.inf])
        self.samples = FIRST_SAMPLES
        self.found: Floats | None = None  # the values that thresholds follow
        self.thresholds: Floats | None = None

    @property
    def is_open(self) -> bool:
        """Whether another pass is needed to find the values."""
        return self.found is None and self.thresholds is None

    def narrow(self, sketches: Sequence[Sketch]) -> None:
        """Narrow the intervals by the sketches of all partitions."""
        values, least, largest = _bound_units(sketches)
        whole = np.all([each.whole for each in sketches], axis=0)
        if self._targets is None and whole.all() and len(values) <= self._most + 1:
            self.thresholds = midpoints(values)
            return
        if self._targets is None:
            total = sum(each.upto[-1] if len(each.upto) else 0.0 for each in sketches)
            self._targets = quantile_targets(total, self._most)
            whole = np.repeat(whole, self._most)
        # W >= t at `high`, and W < t at `low`; at the largest value, W is the total.
        high = values[np.searchsorted(least, self._targets).clip(max=len(values) - 1)]
        position = np.searchsorted(largest, self._targets)
        low = np.where(position > 0, values[position - 1], -np.inf)
        self.samples = SAMPLES
        self.intervals = low, high
        if whole.all():
            self.found = high

    def finish(self, neighbours: Sequence[tuple[Floats, Floats]]) -> None:
        """Compute the thresholds from the neighbours, in each partition, of the values found."""
        assert self.found is not None
        below = np.max([each[0] for each in neighbours], axis=0)
        above = np.min([each[1] for each in neighbours], axis=0)
        largest = np.isinf(above)  # the last threshold is below the largest value
        low, high = np.where(largest, below, self.found), np.where(largest, self.found, above)
        self.thresholds = np.unique(midpoint(low, high))


def _bound_units(sketches: Sequence[Sketch]) -> tuple[Floats, Floats, Floats]:
    """All values of the sketches, with a lower and an upper bound on the units of all rows up to each.

    Between two values of a sketch, the units of its partition are at least those up to the first value, and
    at most those before the second. Units are whole numbers, so sums over the values are exact.
    """
    sketches = [each for each in sketches if len(each.values)]
    if not sketches:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    values, position = np.unique(np.concatenate([each.values for each in sketches]), return_inverse=True)

    def sum_up_to(steps: list[Floats]) -> Floats:
        return np.cumsum(np.bincount(position, np.concatenate(steps), len(values)))

    at_values = sum_up_to([each.upto - each.before for each in sketches])
    between = [np.append(each.before[1:], each.upto[-1]) - each.upto for each in sketches]
    below = np.concatenate([[0.0], sum_up_to(between)[:-1]])
    least = sum_up_to([np.diff(each.upto, prepend=0.0) for each in sketches])
    return values, least, sum(each.before[0] for each in sketches) + at_values + below


def missing_and_present(rows: Rows) -> Flags:
    """Which columns of a partition have missing values, and which have other values."""
    missing = np.isnan(rows.X)
    return np.stack([missing.any(axis=0), ~missing.all(axis=0)])


def choose_thresholds(
    client: Client, rows: Sequence[Future], span: Span, most: Mapping[int, int]
) -> dict[int, Floats]:
    """The thresholds of each feature f, at most `most[f]`: those that one machine chooses, to the bit."""
    chosen: dict[int, Floats] = {}
    numbers = list(most)
    for begin in range(0, len(numbers), FEATURES_AT_ONCE):
        features = numbers[begin : begin + FEATURES_AT_ONCE]
        columns = [client.submit(_sort_columns, each, features, span, pure=False) for each in rows]
        chosen |= _select(client, columns, {f: Selection(most[f]) for f in features})
    return chosen


def _select(client: Client, columns: Sequence[Future], selections: dict[int, Selection]) -> dict[int, Floats]:
    """Run all passes of the selections of some features."""
    # Batches, since all answers at once would fill the memory of workers with many partitions.
    batch = PER_THREAD * max(1, sum(client.nthreads().values()))

    def ask(question: Callable[..., Any], args: Mapping[int, Any]) -> dict[int, list[Any]]:
        answers: list[Any] = []
        for begin in range(0, len(columns), batch):
            some = columns[begin : begin + batch]
            answers += client.gather([client.submit(question, each, args, pure=False) for each in some])
        return {f: [each[f] for each in answers] for f in args}

    while open_ones := {f: (s.intervals, s.samples) for f, s in selections.items() if s.is_open}:
        for f, sketches in ask(_sketches, open_ones).items():
            selections[f].narrow(sketches)
    if found := {f: s.found for f, s in selections.items() if s.found is not None}:
        for f, neighbours in ask(_neighbours, found).items():
            selections[f].finish(neighbours)
    return {f: s.thresholds for f, s in selections.items() if s.thresholds is not None}


def _sort_columns(rows: Rows, features: Sequence[int], span: Span) -> dict[int, SortedColumn]:
    units = span.units(rows.sample_weight)
    return {f: SortedColumn.of(rows.X[:, f], units) for f in features}


def _sketches(
    columns: Mapping[int, SortedColumn], args: Mapping[int, tuple[Intervals, int]]
) -> dict[int, Sketch]:
    return {f: columns[f].sketch(*each) for f, each in args.items()}


def _neighbours(
    columns: Mapping[int, SortedColumn], found: Mapping[int, Floats]
) -> dict[int, tuple[Floats, Floats]]:
    return {f: columns[f].neighbours(each) for f, each in found.items()}
