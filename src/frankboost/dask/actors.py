"""Objects on the workers of a cluster, whose methods are called on all of them at once.

The objects are Dask actors. Calls use distributed's own communication, so that its security and its limits
hold for them.
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

POLL_SECONDS = 0.5  # between two checks whether a worker is still there
CONNECT_SECONDS = 3.0  # to wait for a connection to a worker
PATIENCE = 30.0  # seconds to wait for a worker if none is left
MAX_TRIES = 20  # the number of times that a call is tried while workers die

R = TypeVar("R")


class LostError(Exception):
    """An object was lost with its worker."""


@dataclass(frozen=True, eq=False)
class Actor:
    """A handle of an object on a worker."""

    future: Future  # its status says whether the object still exists
    key: str
    address: str
    rpc: Any  # distributed's connection to the worker


class Actors:
    """Objects on workers, each of which is made from the rows of some partitions.

    An object that is lost with its worker is made again on another worker, from rows that the cluster
    computes again. So the futures of the rows are kept. Then `replay` is called with the number of the
    object, to bring it to the state of the lost one. `workers` has the addresses of the workers that should
    have the objects.
    """

    def __init__(
        self,
        client: Client,
        constructors: Sequence[Callable[[Any], Any]],
        rows: Sequence[Sequence[Future]],
        replay: Callable[[int], None],
        workers: Sequence[str | None],
    ) -> None:
        self._client = client
        self._constructors = list(constructors)
        self._rows = list(rows)
        self._replay = replay
        self._workers = workers
        self._actors = self._make(range(len(rows)))
        self.rebuilt = 0  # the number of objects that were lost and made again

    def __len__(self) -> int:
        return len(self._rows)

    def addresses(self) -> list[tuple[str, str]]:
        """The address of the worker of each object, and the key of the object there."""
        return [(each.address, each.key) for each in self._actors]

    def ask(self, method: Callable[..., R], args: Mapping[int, Sequence[Any]]) -> list[R]:
        """Call a method of some objects at once, each with its own arguments; returns the answers."""
        answers: dict[int, R] = {}
        for _ in range(MAX_TRIES):
            missing = {k: args[k] for k in args if k not in answers}
            if not missing:
                return [answers[k] for k in args]
            call = self._call_at_once(method.__name__, missing)
            answers |= asyncio.run_coroutine_threadsafe(call, self._client.loop.asyncio_loop).result()
            self._replace([k for k in missing if k not in answers])
        raise workers_died(f"in {method.__name__}")

    def submit(self, method: Callable[..., Any], args: Sequence[tuple[int, Sequence[Any]]]) -> list[Future]:
        """Call a method of some objects; returns futures of the answers, which stay on the workers.

        Each of `args` has the number of an object, and the arguments.
        """
        for _ in range(MAX_TRIES):
            futures = [
                self._client.submit(
                    _call_on_worker,
                    self._actors[k].key,
                    method.__name__,
                    each,
                    workers=[self._actors[k].address],
                    allow_other_workers=True,  # where it fails: it would wait for ever if the worker died
                    pure=False,
                )
                for k, each in args
            ]
            self._wait_for(futures)
            if all(future.status == "finished" for future in futures):
                return futures
            self._replace([k for k, each in enumerate(self._actors) if each.future.status != "finished"])
        raise workers_died(f"in {method.__name__}")

    def close(self) -> None:
        """Release the objects."""
        self._actors, self._rows = [], []

    def _make(self, numbers: Sequence[int]) -> list[Actor]:
        """Make objects, each on its own worker or, if that was lost, on any worker."""
        found: dict[int, Actor] = {}
        for _ in range(MAX_TRIES):
            missing = [k for k in numbers if k not in found]
            if not missing:
                return [found[k] for k in numbers]
            futures = [
                self._client.submit(
                    self._constructors[k],
                    self._rows[k],
                    actor=True,
                    pure=False,
                    workers=self._workers[k],
                    allow_other_workers=self._workers[k] is not None,
                )
                for k in missing
            ]
            self._wait_for(futures)
            for k, future in zip(missing, futures, strict=True):
                with suppress(LostError):
                    found[k] = self._connect(future)
        raise workers_died("while they loaded rows")

    def _connect(self, future: Future) -> Actor:
        try:
            proxy = future.result()
        except RuntimeError as error:
            if "Worker holding Actor was lost" in str(error):
                raise LostError from error
            raise
        direct = self._client.rpc(proxy._address)
        try:
            self._client.sync(asyncio.wait_for, direct.identity(), CONNECT_SECONDS)
        except (OSError, TimeoutError):
            direct = proxy._worker_rpc  # by way of the scheduler
        return Actor(future, proxy.key, proxy._address, direct)

    def _wait_for(self, futures: Sequence[Future]) -> None:
        """Wait for futures, as long as the cluster has workers."""
        since = time.monotonic()
        while True:
            try:
                with suppress(TimeoutError):
                    wait(futures, timeout=POLL_SECONDS)
                    return
                workers = self._client.scheduler_info(n_workers=-1)["workers"]
            except (CancelledError, OSError, KeyError) as error:  # a KeyError means no connection
                raise RuntimeError(f"the scheduler of {self._client!r} cannot be reached") from error
            if workers:
                since = time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                raise RuntimeError(f"the cluster has had no workers for {PATIENCE:g} seconds")

    async def _call_at_once(self, method: str, args: Mapping[int, Sequence[Any]]) -> dict[int, Any]:
        """The answers of the objects that were not lost."""
        calls = {
            k: asyncio.ensure_future(call_actor(self._actors[k].rpc, self._actors[k].key, method, each))
            for k, each in args.items()
        }
        waiting = set(calls.values())
        while waiting:
            _, waiting = await asyncio.wait(waiting, timeout=POLL_SECONDS)
            for k, call in calls.items():
                if call in waiting and self._actors[k].future.status != "finished":
                    call.cancel()
        kept = {k: call for k, call in calls.items() if not call.cancelled()}
        return {k: call.result() for k, call in kept.items() if not isinstance(call.exception(), LostError)}

    def _replace(self, lost: Sequence[int]) -> None:
        for k, actor in zip(lost, self._make(lost), strict=True):
            self._actors[k] = actor
            self.rebuilt += 1
            self._replay(k)


def workers_died(when: str) -> RuntimeError:
    """The error if too many workers die one after the other."""
    return RuntimeError(f"{MAX_TRIES} workers in turn died {when}; give the workers more memory")


async def call_actor(rpc: Any, key: str, method: str, args: Sequence[Any]) -> Any:
    """Call a method of an object on a worker."""
    try:
        answer = await rpc.actor_execute(
            function=method, actor=key, args=list(map(to_serialize, args)), kwargs={}
        )
    except (OSError, KeyError) as error:  # the worker is gone, or another worker has its address
        raise LostError from error
    if answer["status"] == "OK":
        return answer["result"]
    raise answer["exception"]


def _call_on_worker(key: str, method: str, args: Sequence[Any]) -> Any:
    """Call a method of an object, on the worker that has the object."""
    actors = get_worker().state.actors
    if key not in actors:
        raise RuntimeError(f"{method}: the worker stopped, or the fit ended, before {method} ran: fit again")
    return getattr(actors[key], method)(*args)
