"""The thresholds of rows on the workers of a cluster: the same as on one machine, without moving the rows.

A threshold follows the least value v with W(v) >= t, where W counts the units of weight at or below v, which
are whole numbers and so add up exactly. Each partition gives W at some of its values. Between these W is
bracketed, so each pass narrows the interval (low, high] in which v lies, until all values in it are known.
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

PER_THREAD = 8  # partitions that are asked about their values together
AT_ONCE = 8  # features whose values are kept sorted at one time: 16 bytes for each
FIRST = 1024  # values of a partition in the first pass; more than thresholds, so that few are all
SAMPLES = 16  # values of a partition in each interval of a later one


Intervals = tuple[Floats, Floats]
"""The ends of intervals (low, high] of a feature, one for each of the values looked for, in order."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """Some values of a partition, and the units up to each.

    The last value within each interval is among them, and so are the ends of the intervals.
    """

    values: Floats  # in increasing order
    before: Floats  # the units below each
    upto: Floats  # and up to it
    whole: Flags  # of each interval, whether these are all the values of the partition within it


@dataclass(frozen=True, eq=False)
class SortedColumn:
    """The distinct values of a feature in a partition, and the units up to each, with 0 before them."""

    values: Floats
    units: Floats

    @classmethod
    def of(cls, x: Floats, units: Floats) -> SortedColumn:
        present = ~np.isnan(x)
        if len(units) and units.min() == units.max():  # counts will do, and sorting without places is fast
            values, counts = np.unique(x[present], return_counts=True)
            each = counts * units[0]
        else:
            values, place = np.unique(x[present], return_inverse=True)
            each = np.bincount(place, units[present], len(values))
        return cls(values, np.concatenate([[0.0], np.cumsum(each)]))

    def sketch(self, wanted: Intervals, samples: int) -> Sketch:
        """A number of values of each interval, spread evenly over the values in the interval."""
        first, end = (np.searchsorted(self.values, each, "right") for each in wanted)
        some = first[:, None] + (end - first - 1)[:, None] * np.arange(samples) // (samples - 1)
        inside = self.values[np.unique(some[end > first])]
        ends = np.concatenate(wanted)
        values = np.unique(np.concatenate([inside, ends[np.isfinite(ends)]]))
        before, upto = (self.units[np.searchsorted(self.values, values, side)] for side in ("left", "right"))
        return Sketch(values, before, upto, end - first <= samples)

    def neighbours(self, found: Floats) -> tuple[Floats, Floats]:
        """The nearest values below and above each given value; infinite where there is none."""
        framed = np.concatenate([[-np.inf], self.values, [np.inf]])
        below, above = (np.searchsorted(self.values, found, side) for side in ("left", "right"))
        return framed[below], framed[above + 1]


class Selection:
    """The thresholds of a feature, pass by pass."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._targets: Floats | None = None
        self.wanted: Intervals = np.array([-np.inf]), np.array([np.inf])
        self.samples = FIRST
        self.found: Floats | None = None  # the values that thresholds follow
        self.thresholds: Floats | None = None

    @property
    def is_open(self) -> bool:
        """Whether another pass is needed to find the values."""
        return self.found is None and self.thresholds is None

    def narrow(self, sketches: Sequence[Sketch]) -> None:
        """Take in what each partition says of the intervals that were wanted."""
        values, least, largest = _brackets(sketches)
        whole = np.all([each.whole for each in sketches], axis=0)
        if self._targets is None and whole.all() and len(values) <= self._most + 1:
            self.thresholds = midpoints(values)
            return
        if self._targets is None:
            total = sum(each.upto[-1] if len(each.upto) else 0.0 for each in sketches)
            self._targets = quantile_targets(total, self._most)
            whole = np.repeat(whole, self._most)
        # W >= t at `high`, W < t at `low`; at the largest value of all W is the total.
        high = values[np.searchsorted(least, self._targets).clip(max=len(values) - 1)]
        place = np.searchsorted(largest, self._targets)
        low = np.where(place > 0, values[place - 1], -np.inf)
        self.samples = SAMPLES
        self.wanted = low, high
        if whole.all():
            self.found = high

    def finish(self, neighbours: Sequence[tuple[Floats, Floats]]) -> None:
        """Take in the neighbours of the values found in each partition."""
        assert self.found is not None
        below = np.max([each[0] for each in neighbours], axis=0)
        above = np.min([each[1] for each in neighbours], axis=0)
        largest = np.isinf(above)  # no threshold follows it: the last is between it and the one before
        low, high = np.where(largest, below, self.found), np.where(largest, self.found, above)
        self.thresholds = np.unique(midpoint(low, high))


def _brackets(sketches: Sequence[Sketch]) -> tuple[Floats, Floats, Floats]:
    """All values of sketches, and the units of all partitions up to each: at least, and at most.

    Of a partition, between a value that it gives and its next one, the units are at least those up to the
    first and at most those before the second. They are whole numbers, so sums over the values are exact.
    """
    some = [each for each in sketches if len(each.values)]
    if not some:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    values, place = np.unique(np.concatenate([each.values for each in some]), return_inverse=True)

    def up_to_each(rises: list[Floats]) -> Floats:
        return np.cumsum(np.bincount(place, np.concatenate(rises), len(values)))

    at_once = up_to_each([each.upto - each.before for each in some])
    between = [np.append(each.before[1:], each.upto[-1]) - each.upto for each in some]
    after = np.concatenate([[0.0], up_to_each(between)[:-1]])  # what lies above a value is not up to it
    least = up_to_each([np.diff(each.upto, prepend=0.0) for each in some])
    return values, least, sum(each.before[0] for each in some) + at_once + after


def missing_and_present(rows: Rows) -> Flags:
    """Which columns of a partition have missing values, and which have others."""
    missing = np.isnan(rows.X)
    return np.stack([missing.any(axis=0), ~missing.all(axis=0)])


def choose_thresholds(
    client: Client, rows: Sequence[Future], span: Span, most: Mapping[int, int]
) -> dict[int, Floats]:
    """For each feature, at most so many thresholds: those that one machine chooses, to the bit."""
    chosen: dict[int, Floats] = {}
    numbers = list(most)
    for begin in range(0, len(numbers), AT_ONCE):
        features = numbers[begin : begin + AT_ONCE]
        columns = [client.submit(_sorted, each, features, span, pure=False) for each in rows]
        chosen |= _narrowed(client, columns, {f: Selection(most[f]) for f in features})
    return chosen


def _narrowed(client: Client, columns: Sequence[Future], of: dict[int, Selection]) -> dict[int, Floats]:
    # Not all at once: the answers would fill the memory of workers with many partitions.
    together = PER_THREAD * max(1, sum(client.nthreads().values()))

    def ask(what: Callable[..., Any], wanted: Mapping[int, Any]) -> dict[int, list[Any]]:
        answers: list[Any] = []
        for begin in range(0, len(columns), together):
            some = columns[begin : begin + together]
            answers += client.gather([client.submit(what, each, wanted, pure=False) for each in some])
        return {f: [each[f] for each in answers] for f in wanted}

    while wanted := {f: (s.wanted, s.samples) for f, s in of.items() if s.is_open}:
        for f, sketches in ask(_sketches, wanted).items():
            of[f].narrow(sketches)
    if found := {f: s.found for f, s in of.items() if s.found is not None}:
        for f, neighbours in ask(_neighbours, found).items():
            of[f].finish(neighbours)
    return {f: s.thresholds for f, s in of.items() if s.thresholds is not None}


def _sorted(rows: Rows, features: Sequence[int], span: Span) -> dict[int, SortedColumn]:
    units = span.units(rows.sample_weight)
    return {f: SortedColumn.of(rows.X[:, f], units) for f in features}


def _sketches(
    columns: Mapping[int, SortedColumn], wanted: Mapping[int, tuple[Intervals, int]]
) -> dict[int, Sketch]:
    return {f: columns[f].sketch(*each) for f, each in wanted.items()}


def _neighbours(
    columns: Mapping[int, SortedColumn], found: Mapping[int, Floats]
) -> dict[int, tuple[Floats, Floats]]:
    return {f: columns[f].neighbours(each) for f, each in found.items()}
