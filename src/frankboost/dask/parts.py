"""Parts of the rows on the workers of a cluster, as a room asks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any

import numpy as np
from distributed import Client, Future

from frankboost.dask.binned import PlayedRows
from frankboost.dask.crew import TRIES, Call, Crew
from frankboost.dask.journal import Journal, Question, for_parts
from frankboost.dask.problems import Played
from frankboost.dask.station import ADDED, Station
from frankboost.dask.wire import Gone

SILENT = ("forget", "drop", "give_first", "take_first", "place")
"""Questions without answers: they go along with the next one that has some."""


class RemoteParts:
    """Parts on the workers, asked all at once. A lost one is made again, and told what all were told."""

    in_one_place = False
    scans = True
    _apart = False  # whether stations cannot reach each other

    def __init__(self, client: Client, played: Played, device: str) -> None:
        counts = client.gather(client.map(_count, played.rows, pure=False))
        self.rows = sum(counts)
        self._client = client
        self._played: Played | None = played
        self._counts = counts
        self._journal = Journal()
        self._untold: list[Question] = []
        firsts = list(accumulate(counts[:-1], initial=0))
        some = [k for k, count in enumerate(counts) if count > 0]  # which partitions are parts
        places = client.who_has(played.rows)
        by_place: dict[str | None, list[int]] = {}
        for part, k in enumerate(some):
            by_place.setdefault(next(iter(places[played.rows[k].key]), None), []).append(part)
        self._stations = list(by_place.values())  # which parts each has
        self._crew = Crew(
            client,
            [
                partial(
                    Station,
                    firsts=[firsts[some[p]] for p in parts],
                    weight_error=played.weight_error,
                    device=device,
                )
                for parts in self._stations
            ],
            [[played.rows[some[p]] for p in parts] for parts in self._stations],
            lambda station: self._journal.calls(self._stations[station]),
            list(by_place),
        )

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """The answers of all parts to a method of `LocalPart`; `each` has one argument for each part."""
        if question in SILENT:
            self._untold.append((question, args, each))
            return [None] * sum(map(len, self._stations))
        if question == "pair_children":
            return self._pair_children(args)
        [answers] = self._ask([(question, args, each)])
        return answers

    def ask_all(self, *questions: tuple[str, Sequence[Any]]) -> list[list[Any]]:
        """The answers to questions of which none depends on the answer to another, all at once."""
        return self._ask([(question, args, {}) for question, args in questions])

    def _ask(self, questions: Sequence[Question]) -> list[list[Any]]:
        """The answers of all parts to each of some questions, after what they have not been told yet."""
        told, self._untold = self._untold, []
        asked = [*told, *questions]
        calls = [
            Call("ask_all", ([for_parts(*one, parts) for one in asked],), about=asked[-1][0])
            for parts in self._stations
        ]
        stations = self._crew.ask(calls)
        for one in asked:
            self._journal.note(*one)
        return [
            self._in_order(question, [each[k] for each in stations])
            for k, (question, _, _) in enumerate(asked)
            if k >= len(told)
        ]

    def _in_order(self, question: str, answers: Sequence[Sequence[Any]]) -> list[Any]:
        """The answers of the parts of all stations, or the sums of those of each."""
        if question in ADDED:
            return [total for [total] in answers]
        of_parts = zip(*(chain(*each) for each in (self._stations, answers)), strict=True)
        return [answer for _, answer in sorted(of_parts, key=itemgetter(0))]

    def _pair_children(self, wanted: Sequence[Any]) -> list[Any]:
        """The best children in tables that all stations fill, and of which each looks through a share."""
        self._tell()
        count = len(self._crew)
        for _ in range(TRIES):
            before = self._crew.rebuilt
            places = self._crew.ask([Call("fill_tables", (wanted,))] * count)
            self._apart = self._apart or (count > 1 and None in places)
            if self._apart:
                tables = self._crew.ask([Call("filled_tables", (wanted,))] * count)
                calls = [Call("scan_tables", (wanted, (0, 1), tables[1:])), *[None] * (count - 1)]
            else:
                calls = [
                    Call("scan_tables", (wanted, (k, count), [*places[:k], *places[k + 1 :]]))
                    for k in range(count)
                ]
            found = [each for each, call in zip(self._crew.ask(calls), calls, strict=True) if call]
            if all(each is not None for each in found):
                return found
            self._apart = self._crew.rebuilt == before  # nobody died: they do not reach each other
        raise RuntimeError(f"{TRIES} workers in a row died as tables were added: is their memory enough?")

    def _tell(self) -> None:
        """Let the parts know what they have not been told yet."""
        if self._untold:
            self._ask([])

    def distribution(self, number: int, nu: float, total: float) -> Any:
        """A distribution over the rows that were given, which stays on the workers."""
        played = self._played
        assert played is not None
        return self._whole(
            lambda: played.distribution(self._kept("distribution", number, np.float64), nu, total)
        )

    def capped(self, number: int) -> Any:
        """Which of the rows that were given are as heavy as they may be; it stays on the workers."""
        played = self._played
        assert played is not None
        return self._whole(lambda: played.flags(self._kept("capped", number, np.bool_)))

    def _whole(self, gathered: Callable[[], Any]) -> Any:
        """What was gathered, again if a worker died with some of it."""
        for _ in range(TRIES):
            with suppress(Gone):
                return gathered()
        raise RuntimeError(f"{TRIES} workers in a row died with a distribution: is their memory enough?")

    def _kept(self, question: str, number: int, dtype: Any) -> list[Future]:
        """The answers for all partitions, on the workers."""
        self._tell()
        places = sorted(
            (part, s, k) for s, parts in enumerate(self._stations) for k, part in enumerate(parts)
        )
        kept = iter(self._crew.keep([(s, Call("ask_one", (k, question, number))) for _, s, k in places]))
        nothing = np.zeros(0, dtype=dtype)
        return [next(kept) if count else self._client.scatter(nothing, hash=False) for count in self._counts]

    def close(self) -> None:
        """Let the parts go, whoever still holds this."""
        self._crew.close()
        self._played = None


def _count(rows: PlayedRows) -> int:
    return len(rows.y)
