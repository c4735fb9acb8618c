"""Objects that live on the workers of a cluster, and are asked all at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from distributed import CancelledError, Client, Future, get_worker, wait

from frankboost.dask.line import LOOK, Failed, Line, Place, lines_to, listen
from frankboost.dask.wire import Gone

PATIENCE = 30.0  # seconds to wait for a worker, where none is left
TRIES = 20  # workers that may die under one call


@dataclass(frozen=True, eq=False)
class Call:
    """A method of an object, and its arguments."""

    method: str
    args: Sequence[Any] = ()
    named: Mapping[str, Any] | None = None
    about: str = ""  # what is asked, for errors

    def __str__(self) -> str:
        return " ".join([self.method, *(each for each in (self.about, *self.args) if isinstance(each, str))])

    def of(self, made: Any) -> Any:
        """What the object answers."""
        return getattr(made, self.method)(*self.args, **(self.named or {}))


_at_work = threading.Lock()  # of a worker: each member has all of its threads


class Member:
    """What lives on a worker: an object made of rows."""

    def __init__(self, make: Callable[[Sequence[Any]], Any], rows: Sequence[Any]) -> None:
        self._made = make(rows)

    def answer(self, call: Call | None) -> Any:
        """The answer to a call; to none, that the member is there."""
        if call is None:
            return None
        with _at_work:
            return call.of(self._made)

    def replay(self, calls: Sequence[Call]) -> None:
        """Do again what one that was lost had done."""
        for call in calls:
            self.answer(call)

    def listen(self, _: None) -> Place | None:
        """Where this can be asked directly."""
        return listen(lambda function, argument: getattr(self, function)(argument))


@dataclass(frozen=True, eq=False)
class _Hired:
    """A member from here: its future, which tells whether it is still there, and how to ask it."""

    future: Future
    actor: Any
    line: Line


class _Lost:
    """What a member answers that is gone with its worker."""


class Crew:
    """The members, each of them of the rows of some partitions.

    A member that is lost with its worker is made again, of rows that the cluster computes again, on another
    worker, and does what its history says; then the call is repeated for it. Nobody else notices.

    Parameters
    ----------
    client : distributed.Client
    makes : list of functions
        For each member from rows to an object.
    rows : list of lists of futures
        Those of each member. They are held as long as the crew is, so that lost ones can be had again.
    history : function
        From the number of a member to the calls that an object has to see again.
    places : list of str or None
        The addresses of the workers that shall have the members, as long as they are there.
    """

    def __init__(
        self,
        client: Client,
        makes: Sequence[Callable[[Any], Any]],
        rows: Sequence[Sequence[Future]],
        history: Callable[[int], Sequence[Call]],
        places: Sequence[str | None],
    ) -> None:
        self._client = client
        self._makes = list(makes)
        self._rows = list(rows)
        self._history = history
        self._places = places
        # An interrupt of this thread leaves an exchange as a whole, and nothing half read.
        self._exchanges = ThreadPoolExecutor(1)
        self._members = self._hired(range(len(rows)))
        self.rebuilt = 0  # members that were lost and made again

    def __len__(self) -> int:
        return len(self._rows)

    def ask(self, calls: Sequence[Call | None]) -> list[Any]:
        """The answer of each member to a call."""
        answers: list[Any] = [_Lost()] * len(self)
        for _ in range(TRIES):
            missing = [k for k, answer in enumerate(answers) if isinstance(answer, _Lost)]
            if not missing:
                return answers
            for k, answer in self._exchanged("answer", {k: calls[k] for k in missing}).items():
                answers[k] = answer
            self._replace([k for k in missing if isinstance(answers[k], _Lost)])
        raise RuntimeError(f"{TRIES} workers in a row died in {calls[0]}: is their memory enough?")

    def keep(self, calls: Sequence[tuple[int, Call]]) -> list[Future]:
        """The answers of members, by their numbers, as futures, which stay where the members are."""
        for _ in range(TRIES):
            futures = [
                self._client.submit(
                    _answer,
                    self._members[k].actor.key,
                    call,
                    workers=[self._members[k].actor._address],
                    allow_other_workers=True,  # it fails there; without, it would wait for ever
                    pure=False,
                )
                for k, call in calls
            ]
            self._await(futures)
            if all(future.status == "finished" for future in futures):
                return futures
            self.ask([None] * len(self))  # those that are lost are made again
        raise RuntimeError(f"{TRIES} workers in a row died in {calls[0][1]}: is their memory enough?")

    def close(self) -> None:
        """Let the members go."""
        self._exchanges.shutdown()
        for member in self._members:
            member.line.close()
        self._members, self._rows = [], []

    def _hired(self, numbers: Sequence[int]) -> list[_Hired]:
        """New members, where they shall be as long as nobody was lost."""
        found: dict[int, tuple[Future, Any]] = {}
        for _ in range(TRIES):
            missing = [k for k in numbers if k not in found]
            if not missing:
                break
            futures = [
                self._client.submit(
                    Member,
                    self._makes[k],
                    self._rows[k],
                    actor=True,
                    pure=False,
                    workers=self._places[k],
                    allow_other_workers=self._places[k] is not None,
                )
                for k in missing
            ]
            self._await(futures)
            actors = [(future, _actor_of(future)) for future in futures]
            found |= {k: each for k, each in zip(missing, actors, strict=True) if each[1] is not None}
        else:
            raise RuntimeError(f"{TRIES} workers in a row died as they took rows in: is their memory enough?")
        hired = [found[k] for k in numbers]
        are_there = [partial(_is_there, future) for future, _ in hired]
        lines = lines_to(self._client, [actor for _, actor in hired], are_there)
        return [_Hired(*each, line) for each, line in zip(hired, lines, strict=True)]

    def _await(self, futures: Sequence[Future]) -> None:
        """Wait for futures as long as there are workers."""
        since = time.monotonic()
        while True:
            try:
                with suppress(TimeoutError):
                    wait(futures, timeout=LOOK)
                    return
                workers = self._client.scheduler_info(n_workers=-1)["workers"]
            except (CancelledError, OSError, KeyError) as error:  # KeyError: without a connection
                raise RuntimeError(f"the scheduler of {self._client!r} is gone") from error
            if workers:
                since = time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                raise RuntimeError(f"the cluster has had no workers for {PATIENCE:g} seconds")

    def _exchanged(self, function: str, arguments: Mapping[int, Any]) -> dict[int, Any]:
        """The answers of some members to questions that go out to all of them before any is waited for."""
        answers = self._exchanges.submit(self._exchange, function, arguments).result()
        for each in answers.values():
            if isinstance(each, Failed):
                raise each.error
        return answers

    def _exchange(self, function: str, arguments: Mapping[int, Any]) -> dict[int, Any]:
        for k, each in arguments.items():
            self._members[k].line.ask(function, each)
        return {k: _answer_of(self._members[k].line) for k in arguments}

    def _replace(self, lost: Sequence[int]) -> None:
        if not lost:
            return
        for k, member in zip(lost, self._hired(lost), strict=True):
            self._members[k].line.close()
            self._members[k] = member
        self.rebuilt += len(lost)
        self._exchanged("replay", {k: self._history(k) for k in lost})


def _actor_of(future: Future) -> Any:
    """The actor, if it was not lost with its worker as soon as it was made."""
    try:
        return future.result()
    except RuntimeError as error:
        if "Worker holding Actor was lost" in str(error):
            return None
        raise


def _is_there(future: Future) -> bool:
    return bool(future.status == "finished")


def _answer_of(line: Line) -> Any:
    try:
        return line.answer()
    except Gone:
        return _Lost()


def _answer(key: str, call: Call) -> Any:
    """On the worker where a member is."""
    members = get_worker().state.actors
    if key not in members:
        raise RuntimeError(f"{call} was lost with its worker, or with the fit that it was part of: fit again")
    return members[key].answer(call)
