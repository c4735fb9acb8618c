"""The parts on one worker, which are asked together, and their tables of pairs of features.

Each worker fills tables from its rows, and scans a share of the tables. It fetches this share of the tables
of all other workers, adds them to its own share, and finds the best children of root splits in the sum. So no
worker needs the memory for more than a share of other tables, and the client needs none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from distributed import Worker, get_worker

from frankboost import native
from frankboost.dask.actors import LostError, call_actor
from frankboost.dask.binned import GameRows
from frankboost.rooms.local_parts import JointTreePart, TreePart
from frankboost.rooms.margins import BinaryMargins, JointMargins
from frankboost.rooms.questions import Answers, AnyAsked, Number
from frankboost.rooms.tree_search import TreeRows
from frankboost.typing import Floats

FETCH_SECONDS = 60.0  # to wait for the tables of another worker

Cells = tuple[int, int]
"""The first cell of some tables, and the cell after the last."""

TableRange = tuple[int, int, int]
"""The number of a distribution, the first pair of features, and the pair after the last."""

Share = tuple[int, int]
"""The number of a share, and the number of shares."""


class WorkerTables:
    """The tables of the rows of a worker; `survey` makes a new `TableSurvey` of the features."""

    def __init__(self, survey: Callable[[], native.TableSurvey], threads: int) -> None:
        self._survey = survey
        self._threads = threads
        self._filled: TableRange | None = None
        self._space: Floats = np.zeros(0)  # kept during a search: new memory takes longer than zeros in old
        self._tables = self._space

    def begin(self, tables: TableRange) -> Floats:
        """Return tables of zeros, which the caller fills."""
        size = self._survey().pair_cells(*tables[1:])
        if len(self._space) < size:
            self._space = np.empty(size + size // 8)  # the tables of the next pairs may be a little larger
        self._tables = self._space[:size]
        self._tables.fill(0.0)
        self._filled = tables
        return self._tables

    def end(self) -> None:
        """Release the tables."""
        self._filled, self._tables, self._space = None, np.zeros(0), np.zeros(0)

    def cells(self, tables: TableRange, cells: Cells) -> Floats | None:
        """Some cells of the tables; None if this worker has replaced a lost one and has other tables."""
        return self._tables[slice(*cells)] if tables == self._filled else None

    def children(
        self, tables: TableRange, share: Share, fetch: Callable[[Cells], Sequence[Floats | None]]
    ) -> Any:
        """The best children in a share of the tables; None if the tables of a worker are lost.

        `fetch` returns cells of the tables of all other workers.
        """
        survey = self._survey()
        begin, end = pairs_of_share(survey, tables, share)
        cells = survey.pair_cells(tables[1], begin), survey.pair_cells(tables[1], end)
        total = self.cells(tables, cells)
        if total is None:
            return None
        for more in fetch(cells):
            if more is None:
                return None
            total += more  # in place, since no other worker needs this share
        survey.take_pairs(begin, end, total, self._threads)
        return survey.children()


def call_other_workers(objects: Sequence[tuple[str, str]], method: str, args: Sequence[Any]) -> list[Any]:
    """On a worker, call a method of objects on other workers at once; the answer of a lost object is None."""
    worker = get_worker()
    calls = _call_at_once(worker, objects, method, args)
    return asyncio.run_coroutine_threadsafe(calls, worker.loop.asyncio_loop).result()


async def _call_at_once(
    worker: Worker, objects: Sequence[tuple[str, str]], method: str, args: Sequence[Any]
) -> list[Any]:
    calls = (call_actor(worker.rpc(address), key, method, args) for address, key in objects)
    bounded = (asyncio.wait_for(call, FETCH_SECONDS) for call in calls)
    answers = await asyncio.gather(*bounded, return_exceptions=True)
    for each in answers:
        if isinstance(each, BaseException) and not isinstance(each, LostError | TimeoutError):
            raise each
    return [None if isinstance(each, BaseException) else each for each in answers]


def pairs_of_share(survey: native.TableSurvey, tables: TableRange, share: Share) -> tuple[int, int]:
    """The first pair of a share, and the pair after the last; all shares have about as many cells."""
    _, begin, end = tables
    upto = [survey.pair_cells(begin, k) for k in range(begin, end + 1)]
    k, count = share
    first, last = np.searchsorted(upto, [k * upto[-1] / count, (k + 1) * upto[-1] / count])
    return begin + int(first), begin + int(last)


class WorkerParts:
    """Parts in the process of a worker, or on its current device.

    `firsts` has, for each part, the number of rows in all parts before it.
    """

    def __init__(
        self, rows: Sequence[GameRows], firsts: Sequence[int], weight_error: float, device: str
    ) -> None:
        threads, part_on = get_worker().state.nthreads, _part_on(device, rows[0].margins)
        self._parts = [
            part_on(replace(each, weight_error=weight_error), first, threads=threads)
            for each, first in zip(rows, firsts, strict=True)
        ]
        self._tables = WorkerTables(rows[0].X.search().survey, threads)

    def answers(self, asked: Sequence[AnyAsked]) -> Answers:
        """The answers of all parts to each question, or their sum if only the sum matters."""
        return [self._answers(each) for each in asked]

    def _answers(self, asked: AnyAsked) -> list[Any]:
        if asked.question is TreeRows.fill_pairs:
            self._fill_tables(*asked.args)
            return [None]
        answers: list[Any] = []
        for k, part in enumerate(self._parts):
            answer = asked.of(part, k)
            if answers and asked.marks.adds:
                answers[0] += answer
            else:
                answers.append(answer)
        if asked.question in (TreeRows.side_sums, TreeRows.rows):
            self._tables.end()  # this is the last question of a search
        return answers

    def answer(self, k: int, asked: AnyAsked) -> Any:
        """The answer of one part."""
        return asked.of(self._parts[k], k)

    def _fill_tables(self, number: Number, begin: int, end: int) -> None:
        tables = self._tables.begin((number, begin, end))
        for part in self._parts:
            part.add_pair_tables(number, begin, end, tables)

    async def table_cells(self, tables: TableRange, cells: Cells) -> Floats | None:
        """Some cells of the tables, for another worker; asynchronous, as this worker may wait for others."""
        return self._tables.cells(tables, cells)

    def scan_tables(self, tables: TableRange, share: Share, others: Sequence[tuple[str, str]]) -> Any:
        """The best children in a share of all tables, see `WorkerTables.children`."""

        def fetch(cells: Cells) -> list[Floats | None]:
            return call_other_workers(others, WorkerParts.table_cells.__name__, (tables, cells))

        return self._tables.children(tables, share, fetch)


def _part_on(device: str, margins: BinaryMargins | JointMargins) -> Any:
    joint = isinstance(margins, JointMargins)
    if device == "cpu":
        return JointTreePart if joint else TreePart
    from frankboost.cuda.part import CudaPart, JointCudaPart  # noqa: PLC0415  (heavy, and an extra)

    return JointCudaPart if joint else CudaPart
