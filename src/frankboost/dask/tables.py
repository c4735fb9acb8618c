"""Tables of pairs of features, which every worker fills from its rows, and of which each scans a share.

A worker gets its share of the tables of the others from them, adds it to its own, and finds the best
children of root splits in the sum. So none has more of the tables of others than a share, and the client has
none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from distributed import Worker, get_worker

from frankboost import native
from frankboost.dask.actors import LostError, execute
from frankboost.typing import Floats

WAIT = 60.0  # seconds for the tables of another worker

Cells = tuple[int, int]  # of tables, from one up to another
Wanted = tuple[int, int, int]
"""Which tables: the number of a distribution, and the pairs from one up to another."""


class WorkerTables:
    """The tables of the rows of a worker.

    Parameters
    ----------
    survey : function
        A new `TableSurvey` of the features.
    threads : int
    """

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
        """Some cells of the tables; None if they were never filled: who did is gone."""
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
