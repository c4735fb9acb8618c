"""Tables of pairs of features, which every station fills from its rows, and of which each scans a share.

A station gets its share of the tables of the others from them, adds it to its own, and finds the best
children of root splits in the sum. So none has more of the tables of others than a share, and the client has
none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import repeat
from typing import Any

import numpy as np

from frankboost import native
from frankboost.dask.line import DirectLine, Place, listen_to_many
from frankboost.dask.wire import Gone
from frankboost.typing import Floats

WAIT = 60  # times that a station may be silent for a while before it counts as gone

Wanted = tuple[int, int, int]
"""Which tables: the number of a distribution, and the pairs from one up to another."""


class StationTables:
    """The tables of a station.

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
        self._lines: dict[bytes, DirectLine] = {}
        self.place = listen_to_many(self)  # where others get their shares

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

    def filled(self, wanted: Wanted, share: tuple[int, int] | None = None) -> Floats | None:
        """The tables, or some of their cells; None if they were never filled: who did is gone."""
        if wanted != self._wanted:
            return None
        return self._tables[slice(*share)] if share else self._tables

    def children(
        self, wanted: Wanted, share: tuple[int, int], others: Sequence[Place | Floats | None]
    ) -> Any:
        """The best children in a share of the tables, one of so many; None if another station is missing.

        The tables of the others are here, or where they are to be had.
        """
        survey = self._survey()
        begin, end = _pairs(survey, wanted, share)
        cells = survey.pair_cells(wanted[1], begin), survey.pair_cells(wanted[1], end)
        total = self.filled(wanted, cells)
        if total is None:
            return None
        asked = [self._asked(other, wanted, cells) for other in others]  # all, before any is waited for
        for each in asked:
            more = _answer(each)
            if more is None:
                self._hang_up()
                return None
            total += more  # in place: nobody else looks at this share
        survey.take_pairs(begin, end, total, self._threads)
        return survey.children()

    def _asked(
        self, other: Place | Floats | None, wanted: Wanted, cells: tuple[int, int]
    ) -> DirectLine | Floats | None:
        """The share that another has, or the line by which it will come."""
        if not isinstance(other, Place):
            return None if other is None else other[slice(*cells)]
        with suppress(OSError):
            if other.secret not in self._lines:
                self._lines[other.secret] = DirectLine(other, lambda: True)
            line = self._lines[other.secret]
            line.ask("filled", (wanted, cells))
            return line
        return None

    def _hang_up(self) -> None:
        """So that no answer comes later that nobody waits for."""
        for line in self._lines.values():
            line.close()
        self._lines.clear()


def _answer(asked: DirectLine | Floats | None) -> Floats | None:
    if not isinstance(asked, DirectLine):
        return asked
    looks = repeat(True, WAIT)
    with suppress(OSError, Gone):
        answer = asked.answer(lambda: next(looks, False))
        return answer if isinstance(answer, np.ndarray) else None
    return None


def _pairs(survey: native.TableSurvey, wanted: Wanted, share: tuple[int, int]) -> tuple[int, int]:
    """The pairs of a share, of which all have about as many cells."""
    _, begin, end = wanted
    upto = [survey.pair_cells(begin, k) for k in range(begin, end + 1)]
    k, count = share
    first, last = np.searchsorted(upto, [k * upto[-1] / count, (k + 1) * upto[-1] / count])
    return begin + int(first), begin + int(last)
