"""Objects on the workers of a cluster, one per worker, asked all at once.

The objects are Dask actors, and questions go to them by distributed's own communication: its security,
its names and its limits hold for them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from distributed import CancelledError, Client, Future, get_worker, wait
from distributed.protocol import to_serialize

LOOK = 0.5  # seconds between two looks at whether a worker is still there
REACH = 3.0  # seconds to wait for a connection to a worker
PATIENCE = 30.0  # seconds to wait for a worker, where none is left
TRIES = 20  # workers that may die under one question

R = TypeVar("R")


class LostError(Exception):
    """An object that was asked for was lost with its worker."""


@dataclass(frozen=True, eq=False)
class Actor:
    """An object on a worker, as the client knows it."""

    future: Future  # tells whether the object is still there
    key: str
    address: str
    rpc: Any  # distributed's connection to the worker


class Actors:
    """Objects that are made of the rows of some partitions.

    One that is lost with its worker is made again on another, of rows that the cluster computes again:
    therefore the futures of the rows are held as long as this is. `retell`, called with the number of such an
    object, tells it what its history says; then the question is repeated for it. The objects are on the
    workers at the addresses `places`, as long as these are there.
    """

    def __init__(
        self,
        client: Client,
        makes: Sequence[Callable[[Any], Any]],
        rows: Sequence[Sequence[Future]],
        retell: Callable[[int], None],
        places: Sequence[str | None],
    ) -> None:
        self._client = client
        self._makes = list(makes)
        self._rows = list(rows)
        self._retell = retell
        self._places = places
        self._actors = self._made(range(len(rows)))
        self.rebuilt = 0  # objects that were lost and made again

    def __len__(self) -> int:
        return len(self._rows)

    def addresses(self) -> list[tuple[str, str]]:
        """The address of the worker of each object, and the key of the object there."""
        return [(each.address, each.key) for each in self._actors]

    def ask(self, method: Callable[..., R], args: Mapping[int, Sequence[Any]]) -> list[R]:
        """The answers of some objects to a method, each with its own arguments; they are asked at once."""
        answers: dict[int, R] = {}
        for _ in range(TRIES):
            missing = {k: args[k] for k in args if k not in answers}
            if not missing:
                return [answers[k] for k in args]
            call = self._asked(method.__name__, missing)
            answers |= asyncio.run_coroutine_threadsafe(call, self._client.loop.asyncio_loop).result()
            self._replace([k for k in missing if k not in answers])
        raise RuntimeError(f"{TRIES} workers in turn died in {method.__name__}; give the workers more memory")

    def keep(self, method: Callable[..., Any], args: Sequence[tuple[int, Sequence[Any]]]) -> list[Future]:
        """Answers as futures, which stay on the workers; the first argument of each is the number of an
        object."""
        for _ in range(TRIES):
            futures = [
                self._client.submit(
                    _answer,
                    self._actors[k].key,
                    method.__name__,
                    each,
                    workers=[self._actors[k].address],
                    allow_other_workers=True,  # it fails there; without, it would wait for ever
                    pure=False,
                )
                for k, each in args
            ]
            self._await(futures)
            if all(future.status == "finished" for future in futures):
                return futures
            self._replace([k for k, each in enumerate(self._actors) if each.future.status != "finished"])
        raise RuntimeError(f"{TRIES} workers in turn died in {method.__name__}; give the workers more memory")

    def close(self) -> None:
        """Release the objects."""
        self._actors, self._rows = [], []

    def _made(self, numbers: Sequence[int]) -> list[Actor]:
        """Make objects on the workers that they are meant for, unless one was lost."""
        found: dict[int, Actor] = {}
        for _ in range(TRIES):
            missing = [k for k in numbers if k not in found]
            if not missing:
                return [found[k] for k in numbers]
            futures = [
                self._client.submit(
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
            for k, future in zip(missing, futures, strict=True):
                with suppress(LostError):
                    found[k] = self._actor(future)
        raise RuntimeError(
            f"{TRIES} workers in turn died while they loaded rows; give the workers more memory"
        )

    def _actor(self, future: Future) -> Actor:
        try:
            proxy = future.result()
        except RuntimeError as error:
            if "Worker holding Actor was lost" in str(error):
                raise LostError from error
            raise
        direct = self._client.rpc(proxy._address)
        try:
            self._client.sync(asyncio.wait_for, direct.identity(), REACH)
        except (OSError, TimeoutError):
            direct = proxy._worker_rpc  # by way of the scheduler
        return Actor(future, proxy.key, proxy._address, direct)

    def _await(self, futures: Sequence[Future]) -> None:
        """Wait for futures, as long as the cluster has workers."""
        since = time.monotonic()
        while True:
            try:
                with suppress(TimeoutError):
                    wait(futures, timeout=LOOK)
                    return
                workers = self._client.scheduler_info(n_workers=-1)["workers"]
            except (CancelledError, OSError, KeyError) as error:  # KeyError: without a connection
                raise RuntimeError(f"the scheduler of {self._client!r} cannot be reached") from error
            if workers:
                since = time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                raise RuntimeError(f"the cluster has had no workers for {PATIENCE:g} seconds")

    async def _asked(self, method: str, args: Mapping[int, Sequence[Any]]) -> dict[int, Any]:
        """The answers of objects, except of lost objects."""
        calls = {
            k: asyncio.ensure_future(execute(self._actors[k].rpc, self._actors[k].key, method, each))
            for k, each in args.items()
        }
        waiting = set(calls.values())
        while waiting:
            _, waiting = await asyncio.wait(waiting, timeout=LOOK)
            for k, call in calls.items():
                if call in waiting and self._actors[k].future.status != "finished":
                    call.cancel()
        kept = {k: call for k, call in calls.items() if not call.cancelled()}
        return {k: call.result() for k, call in kept.items() if not isinstance(call.exception(), LostError)}

    def _replace(self, lost: Sequence[int]) -> None:
        for k, actor in zip(lost, self._made(lost), strict=True):
            self._actors[k] = actor
            self.rebuilt += 1
            self._retell(k)


async def execute(rpc: Any, key: str, method: str, args: Sequence[Any]) -> Any:
    """Call a method of an object on a worker."""
    try:
        answer = await rpc.actor_execute(
            function=method, actor=key, args=list(map(to_serialize, args)), kwargs={}
        )
    except (OSError, KeyError) as error:  # of a worker that is gone, or of another one at its address
        raise LostError from error
    if answer["status"] == "OK":
        return answer["result"]
    raise answer["exception"]


def _answer(key: str, method: str, args: Sequence[Any]) -> Any:
    """On the worker where an object is."""
    actors = get_worker().state.actors
    if key not in actors:
        raise RuntimeError(f"{method}: the worker stopped, or the fit ended, before {method} ran: fit again")
    return getattr(actors[key], method)(*args)
