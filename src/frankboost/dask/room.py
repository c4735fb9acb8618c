"""The room whose rows lie on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
from distributed import Client, Future, get_worker

from frankboost.dask.binned import PlayedRows
from frankboost.dask.crew import TRIES, Call, Crew
from frankboost.dask.journal import Journal
from frankboost.dask.problems import DistributedProblems, Played
from frankboost.dask.wire import Gone
from frankboost.estimators.fitting import Game, Settings
from frankboost.rooms.part import LocalPart
from frankboost.rooms.parts_room import PartsRoom
from frankboost.rooms.parts_search import PartsTrees


class RemoteParts:
    """Parts on the workers, asked all at once. A lost one is made again, and told what all were told."""

    in_one_place = False

    def __init__(self, client: Client, played: Played) -> None:
        counts = client.gather(client.map(_count, played.rows, pure=False))
        self.rows = sum(counts)
        self._client = client
        self._played: Played | None = played
        self._counts = counts
        self._journal = Journal()
        makes = [
            partial(_part, first=first, weight_error=played.weight_error)
            for first in accumulate(counts[:-1], initial=0)
        ]
        some = [k for k, count in enumerate(counts) if count > 0]
        self._crew = Crew(
            client, [makes[k] for k in some], [played.rows[k] for k in some], self._journal.calls
        )

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """The answers of all parts to a method of `LocalPart`; `each` has one argument for each part."""
        answers = self._crew.ask(self._calls(question, args, each))
        self._journal.note(question, args, each)
        return answers

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
        kept = iter(self._crew.keep(self._calls(question, (number,), {})))
        nothing = np.zeros(0, dtype=dtype)
        return [next(kept) if count else self._client.scatter(nothing, hash=False) for count in self._counts]

    def close(self) -> None:
        """Let the parts go, whoever still holds this."""
        self._crew.close()
        self._played = None

    def _calls(self, question: str, args: Sequence[Any], each: Mapping[str, Sequence[Any]]) -> list[Call]:
        return [
            Call(question, args, {name: values[k] for name, values in each.items()})
            for k in range(len(self._crew))
        ]


def _count(rows: PlayedRows) -> int:
    return len(rows.y)


def _part(rows: PlayedRows, first: int, weight_error: float) -> LocalPart:
    """On a worker, with all of its threads."""
    return LocalPart(
        rows.features,
        rows.y,
        rows.sample_weight,
        first,
        members=rows.members,
        weight_error=weight_error,
        threads=get_worker().state.nthreads,
    )


class DaskRoom(PartsRoom):
    """What has an entry per row leaves as a Dask array, about the rows that were given."""

    parts: RemoteParts

    def _distribution(self, number: int) -> Any:
        return self.parts.distribution(number, self.nu, self.total)

    def _capped(self, number: int) -> Any:
        return self.parts.capped(number)


@contextmanager
def opened(
    client: Client, problems: DistributedProblems, positive: int, settings: Settings
) -> Iterator[Game]:
    """The game of a class against the rest; its parts are let go at the end."""
    played = problems.of_class(positive)
    parts = RemoteParts(client, played)
    try:
        columns = problems.learner.columns_per_round or 1
        search = PartsTrees(problems.hypothesis_class, problems.features, parts, columns=columns)
        room = DaskRoom(parts, search, nu=settings.nu, tol=settings.tol, weight_error=played.weight_error)
        yield Game(room, search)
    finally:
        parts.close()
