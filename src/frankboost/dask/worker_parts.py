"""The parts of the rows that lie on one worker, asked together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distributed import get_worker

from frankboost.dask.binned import PlayedRows
from frankboost.dask.tables import Wanted, WorkerTables, fetched
from frankboost.rooms.host_part import Examples
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.questions import Answers, AnyAsked
from frankboost.rooms.tree_part import TreePart
from frankboost.rooms.tree_search import TreeRows
from frankboost.typing import Floats


class WorkerParts:
    """Parts in this process.

    Parameters
    ----------
    rows : list of PlayedRows
    firsts : list of int
        How many rows the parts before each have.
    weight_error : float
        As in `Examples`.
    device : str
        "cuda": the parts are on the worker's current device.
    """

    def __init__(
        self, rows: Sequence[PlayedRows], firsts: Sequence[int], weight_error: float, device: str
    ) -> None:
        threads, part_on = get_worker().state.nthreads, _part_on(device)
        self._parts = [
            part_on(
                Examples(
                    each.features, BinaryMargins(each.y), each.sample_weight, each.members, weight_error
                ),
                first,
                threads=threads,
            )
            for each, first in zip(rows, firsts, strict=True)
        ]
        self._tables = WorkerTables(rows[0].features.search().survey, threads)

    def answers(self, asked: Sequence[AnyAsked]) -> Answers:
        """The answers of all parts to each question, or their sum if only that matters."""
        return [self._answers(each) for each in asked]

    def _answers(self, asked: AnyAsked) -> list[Any]:
        answers: list[Any] = []
        for k, part in enumerate(self._parts):
            answer = asked.of(part, k)
            if answers and asked.marks.adds:
                answers[0] += answer
            else:
                answers.append(answer)
        if asked.question is TreeRows.side_sums:
            self._tables.end()  # nothing else is asked in a search
        return answers

    def answer(self, k: int, asked: AnyAsked) -> Any:
        """The answer of a single part."""
        return asked.of(self._parts[k], k)

    # Tables

    def fill_tables(self, wanted: Wanted) -> None:
        """Fill tables, see `WorkerTables`."""
        tables = self._tables.begin(wanted)
        for part in self._parts:
            part.add_pair_tables(*wanted, tables)

    async def filled_tables(self, wanted: Wanted, cells: tuple[int, int]) -> Floats | None:
        """Some cells of the tables, for other workers; asynchronous, as the worker may wait for theirs."""
        return self._tables.filled(wanted, cells)

    def scan_tables(self, wanted: Wanted, share: tuple[int, int], others: Sequence[tuple[str, str]]) -> Any:
        """The best children in a share of all tables, see `WorkerTables.children`."""

        def tables_of_others(cells: tuple[int, int]) -> list[Floats | None]:
            return fetched(others, WorkerParts.filled_tables.__name__, (wanted, cells))

        return self._tables.children(wanted, share, tables_of_others)


def _part_on(device: str) -> Any:
    """What holds rows there."""
    if device == "cpu":
        return TreePart
    from frankboost.cuda.part import CudaPart  # noqa: PLC0415  (heavy, and an extra)

    return CudaPart
