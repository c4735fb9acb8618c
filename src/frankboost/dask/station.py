"""The parts of the rows that lie on one worker, asked together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from distributed import get_worker

from frankboost.dask.binned import PlayedRows
from frankboost.dask.journal import Question
from frankboost.dask.line import Place
from frankboost.dask.shelf import is_full, kept
from frankboost.dask.tables import StationTables, Wanted
from frankboost.rooms.part import LocalPart
from frankboost.typing import Floats

ADDED = ("feature_sums", "side_sums", "edges", "buckets", "leaf_sums")
"""Questions of which only the sum of the answers matters; it is exact in any order."""


class Station:
    """Parts in this process, one after the other; where memory is short, only one of them is in it.

    Parameters
    ----------
    rows : list of PlayedRows
    firsts : list of int
        How many rows the parts before each have.
    weight_error : float
        As in `LocalPart`.
    device : str
        "cuda": the parts are on the worker's current device.
    """

    def __init__(
        self, rows: Sequence[PlayedRows], firsts: Sequence[int], weight_error: float, device: str
    ) -> None:
        threads, part_on = get_worker().state.nthreads, _part_on(device)
        self._parts: list[Any] = []
        for each, first in zip(rows, firsts, strict=True):
            settings = {"members": each.members, "weight_error": weight_error, "threads": threads}
            self._parts.append(part_on(each.features, each.y, each.sample_weight, first, **settings))
            self._stow(self._parts[-1])
        self._tables = StationTables(rows[0].features.search().survey, threads)

    def ask_all(self, questions: Sequence[Question]) -> list[list[Any]]:
        """The answers to some questions, one after the other."""
        return [self.ask(*each) for each in questions]

    def ask(self, question: str, args: Sequence[Any], each: Mapping[str, Sequence[Any]]) -> list[Any]:
        """The answers of all parts to a method of `LocalPart`, or their sum if only that matters."""
        answers: list[Any] = []
        for k, part in enumerate(self._parts):
            answer = getattr(part, question)(*args, **{name: values[k] for name, values in each.items()})
            if answers and question in ADDED:
                _add(answers[0], answer)
            else:
                answers.append(answer)
            self._stow(part)
        if question == "side_sums":
            self._tables.end()  # nothing else is asked in a search
        return answers

    def ask_one(self, k: int, question: str, *args: Any) -> Any:
        """The answer of a single part."""
        answer = getattr(self._parts[k], question)(*args)
        self._stow(self._parts[k])
        return answer

    def fill_tables(self, wanted: Wanted) -> Place | None:
        """Fill tables, see `StationTables`; where others get them."""
        tables = self._tables.begin(wanted)
        for part in self._parts:
            part.add_pair_tables(*wanted, tables)
            self._stow(part)
        return self._tables.place

    def filled_tables(self, wanted: Wanted) -> Floats | None:
        """The tables, for those who cannot get them from here."""
        return self._tables.filled(wanted)

    def scan_tables(
        self, wanted: Wanted, share: tuple[int, int], others: Sequence[Place | Floats | None]
    ) -> Any:
        """The best children in a share of all tables, see `StationTables.children`."""
        return self._tables.children(wanted, share, others)

    def _stow(self, part: Any) -> None:
        """Put all that a part has into files, if memory is short."""
        if is_full():
            part.stow(kept)
            is_full()


def _part_on(device: str) -> Any:
    """What holds rows there, and answers as `LocalPart` does."""
    if device == "cpu":
        return LocalPart
    from frankboost.cuda.part import CudaPart  # noqa: PLC0415  (heavy, and an extra)

    return CudaPart


def _add(total: Any, more: Any) -> None:
    """In place."""
    if isinstance(total, tuple):
        for one, other in zip(total, more, strict=True):
            _add(one, other)
    else:
        np.add(total, more, out=total)
