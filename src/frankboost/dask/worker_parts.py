"""All parts on one worker, which are asked together, and their tables.

Every worker fills tables of pairs of features from its rows, and scans a share of them. A worker gets its
share of the tables of the others from them, adds it to its own, and finds the best children of root splits in
the sum. So none has more of the tables of others than a share, and the client has none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from distributed import Worker, get_worker

from frankboost import native
from frankboost.dask.actors import LostError, execute
from frankboost.dask.binned import PlayedRows
from frankboost.rooms.joint_parts import JointTreePart
from frankboost.rooms.margins import BinaryMargins, JointMargins
from frankboost.rooms.questions import Answers, AnyAsked, Number
from frankboost.rooms.tree_part import TreePart
from frankboost.rooms.tree_search import TreeRows
from frankboost.typing import Floats

WAIT = 60.0  # seconds for the tables of another worker

Cells = tuple[int, int]  # of tables, from one up to another
Wanted = tuple[int, int, int]
"""Which tables: the number of a distribution, and the pairs from one up to another."""


class WorkerTables:
    """The tables of the rows of a worker; `survey` makes a new `TableSurvey` of the features."""

    def __init__(self, survey: Callable[[], native.TableSurvey], threads: int) -> None:
        self._survey = survey
        self._threads = threads
        self._wanted: Wanted | None = None
        self._space: Floats = np.zeros(0)  # for the tables of a search: fresh pages cost more than zeros
        self._tables = self._space

    def begin(self, wanted: Wanted) -> Floats:
        """Empty tables, to be filled."""
        size = self._survey().pair_cells(*wanted[1:])
        if len(self._space) < size:
            self._space = np.empty(size + size // 8)  # those of the next pairs may be a little larger
        self._tables = self._space[:size]
        self._tables.fill(0.0)
        self._wanted = wanted
        return self._tables

    def end(self) -> None:
        """Forget the tables."""
        self._wanted, self._tables, self._space = None, np.zeros(0), np.zeros(0)

    def filled(self, wanted: Wanted, cells: Cells) -> Floats | None:
        """Some cells of the tables; None if they are not filled, after another worker was lost."""
        return self._tables[slice(*cells)] if wanted == self._wanted else None

    def children(
        self,
        wanted: Wanted,
        share: tuple[int, int],
        others: Callable[[tuple[int, int]], Sequence[Floats | None]],
    ) -> Any:
        """The best children in a share of the tables, one of so many; None if tables are missing.

        `others` gives some cells of the tables of all other workers.
        """
        survey = self._survey()
        begin, end = pairs_of(survey, wanted, share)
        cells = survey.pair_cells(wanted[1], begin), survey.pair_cells(wanted[1], end)
        total = self.filled(wanted, cells)
        if total is None:
            return None
        for more in others(cells):
            if more is None:
                return None
            total += more  # in place: nobody else looks at this share
        survey.take_pairs(begin, end, total, self._threads)
        return survey.children()


def fetched(others: Sequence[tuple[str, str]], method: str, args: Sequence[Any]) -> list[Any]:
    """On a worker: the answers of the objects of other workers, at once; None of those that are lost."""
    worker = get_worker()
    call = _fetched(worker, others, method, args)
    return asyncio.run_coroutine_threadsafe(call, worker.loop.asyncio_loop).result()


async def _fetched(
    worker: Worker, others: Sequence[tuple[str, str]], method: str, args: Sequence[Any]
) -> list[Any]:
    calls = (execute(worker.rpc(address), key, method, args) for address, key in others)
    bounded = (asyncio.wait_for(call, WAIT) for call in calls)
    answers = await asyncio.gather(*bounded, return_exceptions=True)
    for each in answers:
        if isinstance(each, BaseException) and not isinstance(each, LostError | TimeoutError):
            raise each
    return [None if isinstance(each, BaseException) else each for each in answers]


def pairs_of(survey: native.TableSurvey, wanted: Wanted, share: tuple[int, int]) -> tuple[int, int]:
    """The pairs of a share, of which all have about as many cells."""
    _, begin, end = wanted
    upto = [survey.pair_cells(begin, k) for k in range(begin, end + 1)]
    k, count = share
    first, last = np.searchsorted(upto, [k * upto[-1] / count, (k + 1) * upto[-1] / count])
    return begin + int(first), begin + int(last)


class WorkerParts:
    """Parts in this process, or on the worker's current device; the parts before each have `firsts` rows."""

    def __init__(
        self, rows: Sequence[PlayedRows], firsts: Sequence[int], weight_error: float, device: str
    ) -> None:
        threads, part_on = get_worker().state.nthreads, _part_on(device, rows[0].margins)
        self._parts = [
            part_on(replace(each, weight_error=weight_error), first, threads=threads)
            for each, first in zip(rows, firsts, strict=True)
        ]
        self._tables = WorkerTables(rows[0].X.search().survey, threads)

    def answers(self, asked: Sequence[AnyAsked]) -> Answers:
        """The answers of all parts to each question, or their sum if only that matters."""
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
            self._tables.end()  # nothing else is asked in a search
        return answers

    def answer(self, k: int, asked: AnyAsked) -> Any:
        return asked.of(self._parts[k], k)

    # Tables

    def _fill_tables(self, number: Number, begin: int, end: int) -> None:
        tables = self._tables.begin((number, begin, end))
        for part in self._parts:
            part.add_pair_tables(number, begin, end, tables)

    async def filled_tables(self, wanted: Wanted, cells: tuple[int, int]) -> Floats | None:
        """Some cells of the tables, for other workers; asynchronous, as the worker may wait for theirs."""
        return self._tables.filled(wanted, cells)

    def scan_tables(self, wanted: Wanted, share: tuple[int, int], others: Sequence[tuple[str, str]]) -> Any:
        """The best children in a share of all tables, see `WorkerTables.children`."""

        def tables_of_others(cells: tuple[int, int]) -> list[Floats | None]:
            return fetched(others, WorkerParts.filled_tables.__name__, (wanted, cells))

        return self._tables.children(wanted, share, tables_of_others)


def _part_on(device: str, margins: BinaryMargins | JointMargins) -> Any:
    joint = isinstance(margins, JointMargins)
    if device == "cpu":
        return JointTreePart if joint else TreePart
    from frankboost.cuda.joint_part import JointCudaPart  # noqa: PLC0415  (heavy, and an extra)
    from frankboost.cuda.part import CudaPart  # noqa: PLC0415

    return JointCudaPart if joint else CudaPart
