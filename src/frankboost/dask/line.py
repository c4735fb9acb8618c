"""Lines from the client to objects on workers.

A call by way of Dask's event loops takes milliseconds of work at either end, and a fit makes thousands. So
each object is asked over a socket of its own. Where it cannot be reached by one, it is asked by way of Dask.
"""

from __future__ import annotations

import asyncio
import pickle
import secrets
import socket
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future as Promise
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from distributed import Client, get_worker
from distributed.protocol import to_serialize

from frankboost.dask.wire import SECRET, Gone, host_and_family, knows, receive, send

REACH = 3.0  # seconds to wait for a connection to a worker
LOOK = 0.5  # seconds of silence after which it is asked whether a worker is still there


@dataclass(frozen=True, eq=False)
class Place:
    """Where an object listens, and what it wants to hear first."""

    host: str
    port: int
    secret: bytes


@dataclass(frozen=True, eq=False)
class Failed:
    """What an object raised."""

    error: Exception


class Line(Protocol):
    """To one object, for one question at a time."""

    def ask(self, function: str, argument: Any) -> None:
        """Begin to call a method."""

    def answer(self) -> Any:
        """What it returned, `Failed` if it raised; `Gone` is raised if it is lost."""

    def close(self) -> None:
        """Hang up."""


class DirectLine:
    """A socket."""

    def __init__(self, place: Place, is_there: Callable[[], bool]) -> None:
        self._is_there = is_there
        self._connection = socket.create_connection((place.host, place.port), timeout=REACH)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection.settimeout(LOOK)
        self._connection.sendall(place.secret)

    def ask(self, function: str, argument: Any) -> None:
        with suppress(OSError):  # the answer will not come
            self._connection.settimeout(None)
            send(self._connection, (function, argument))

    def answer(self, is_there: Callable[[], bool] | None = None) -> Any:
        try:
            self._connection.settimeout(LOOK)
            return receive(self._connection, is_there or self._is_there)
        except OSError as error:
            raise Gone from error

    def close(self) -> None:
        self._connection.close()


class DaskLine:
    """By way of the worker's own connections, or of the scheduler's."""

    def __init__(self, client: Client, actor: Any, rpc: Any, is_there: Callable[[], bool]) -> None:
        self._loop = client.loop.asyncio_loop
        self._actor = actor
        self._rpc = rpc
        self._is_there = is_there
        self._promise: Promise[Any] = Promise()

    def ask(self, function: str, argument: Any) -> None:
        call = self._rpc.actor_execute(
            function=function, actor=self._actor.key, args=[to_serialize(argument)], kwargs={}
        )
        self._promise = asyncio.run_coroutine_threadsafe(call, self._loop)

    def answer(self) -> Any:
        while True:
            try:
                answer = self._promise.result(LOOK)
            except TimeoutError:
                if not self._is_there():
                    self._promise.cancel()
                    raise Gone from None
            except (OSError, KeyError) as error:  # of a worker that is gone, or another one at its address
                raise Gone from error
            else:
                return answer["result"] if answer["status"] == "OK" else Failed(answer["exception"])

    def close(self) -> None:
        pass


def listen(answer: Callable[[str, Any], Any]) -> Place | None:
    """On a worker: let an object be asked over a socket, by one who knows the secret."""

    def serve(server: socket.socket, secret: bytes) -> None:
        server.settimeout(10 * REACH)
        with suppress(OSError):  # nobody came
            with server:
                connection, _ = server.accept()
            _talk(connection, secret, answer)

    return _opened(serve)


def listen_to_many(owner: Any) -> Place | None:
    """On a worker: let the methods of an object be asked by all who know the secret, as long as it lives."""
    living = weakref.ref(owner)
    del owner

    def answer(method: str, args: Any) -> Any:
        return getattr(living(), method)(*args)

    def serve(server: socket.socket, secret: bytes) -> None:
        server.settimeout(REACH)
        with server:
            while living() is not None:
                with suppress(TimeoutError):
                    connection, _ = server.accept()
                    threading.Thread(target=_talk, args=(connection, secret, answer), daemon=True).start()

    return _opened(serve)


def _opened(serve: Callable[[socket.socket, bytes], None]) -> Place | None:
    where = host_and_family(get_worker().address)
    if where is None:
        return None
    host, family = where
    server = socket.create_server((host, 0), family=family)
    secret = secrets.token_bytes(SECRET)
    threading.Thread(target=serve, args=(server, secret), daemon=True).start()
    return Place(host, server.getsockname()[1], secret)


def _talk(connection: socket.socket, secret: bytes, answer: Callable[[str, Any], Any]) -> None:
    with suppress(OSError, Gone), connection:  # whoever asked has hung up
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(10 * REACH)
        if not knows(connection, secret):
            return
        connection.settimeout(None)
        while True:
            _reply(connection, _outcome(answer, *receive(connection)))


def _outcome(answer: Callable[[str, Any], Any], function: str, argument: Any) -> Any:
    try:
        return answer(function, argument)
    except Exception as error:
        return Failed(error)


def _reply(connection: socket.socket, outcome: Any) -> None:
    try:
        send(connection, outcome)
    except (pickle.PickleError, AttributeError, TypeError) as error:  # before a byte was sent
        send(connection, Failed(TypeError(f"an answer cannot travel: {error}")))


def lines_to(client: Client, actors: Sequence[Any], are_there: Sequence[Callable[[], bool]]) -> list[Line]:
    """A line to each of some actors, all of which have a method `listen`."""
    with ThreadPoolExecutor(min(len(actors), 32)) as pool:
        return list(pool.map(lambda each: _line(client, *each), zip(actors, are_there, strict=True)))


def _line(client: Client, actor: Any, is_there: Callable[[], bool]) -> Line:
    first = DaskLine(client, actor, actor._worker_rpc, is_there)
    first.ask("listen", None)
    with suppress(OSError, Gone):
        place = first.answer()
        if isinstance(place, Place):
            return DirectLine(place, is_there)
    return DaskLine(client, actor, _rpc(client, actor), is_there)


def _rpc(client: Client, actor: Any) -> Any:
    """A connection to the worker of an actor, or by way of the scheduler if there is none."""
    direct = client.rpc(actor._address)
    try:
        client.sync(asyncio.wait_for, direct.identity(), REACH)
    except (OSError, TimeoutError):
        return actor._worker_rpc
    return direct
