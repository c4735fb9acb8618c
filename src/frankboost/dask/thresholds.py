"""The thresholds of rows that lie on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from distributed import Client, Future

from frankboost.dask.rows import Rows
from frankboost.dask.selection import Interval, Selection, Sketch, SortedColumn
from frankboost.learners.thresholds import Span
from frankboost.typing import Flags, Floats

PER_THREAD = 8  # partitions that are asked about their values together
AT_ONCE = 8  # features whose values are kept sorted at one time: 16 bytes for each


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
    columns: Mapping[int, SortedColumn], wanted: Mapping[int, tuple[Interval, int]]
) -> dict[int, Sketch]:
    return {f: columns[f].sketch(*each) for f, each in wanted.items()}


def _neighbours(
    columns: Mapping[int, SortedColumn], found: Mapping[int, Floats]
) -> dict[int, tuple[Floats, Floats]]:
    return {f: columns[f].neighbours(each) for f, each in found.items()}
