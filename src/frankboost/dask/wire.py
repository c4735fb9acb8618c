"""Objects over a socket: what large arrays they hold travels beside them, and is copied nowhere."""

from __future__ import annotations

import hmac
import pickle
import socket
import struct
from collections.abc import Callable
from typing import Any

LARGE = 2**16  # bytes of an array from which it is sent by itself
SECRET = 32  # bytes
_COUNT = struct.Struct("!I")
_SIZE = struct.Struct("!Q")


class Gone(Exception):  # noqa: N818 - said of who was asked
    """The other end is no longer there."""


def host_and_family(address: str) -> tuple[str, socket.AddressFamily] | None:
    """Of a worker's address, where it can be reached by a plain socket."""
    protocol, _, place = address.partition("://")
    if protocol != "tcp":
        return None  # tls, which a plain socket would betray, or in this process
    host = place.rpartition(":")[0].strip("[]")
    return host, socket.AF_INET6 if ":" in host else socket.AF_INET


def send(connection: socket.socket, what: Any) -> None:
    """All of an object."""
    apart: list[memoryview] = []

    def is_small(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < LARGE:
            return True
        apart.append(raw)
        return False

    body = pickle.dumps(what, protocol=5, buffer_callback=is_small)
    sizes = b"".join(_SIZE.pack(len(each)) for each in (body, *apart))
    connection.sendall(_COUNT.pack(1 + len(apart)) + sizes + body)
    for each in apart:
        connection.sendall(each)


def receive(connection: socket.socket, is_there: Callable[[], bool] = lambda: True) -> Any:
    """An object; whenever nothing comes for a while it is asked whether the other end is still there."""

    def exactly(size: int) -> bytearray:
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            try:
                count = connection.recv_into(rest)
            except TimeoutError:
                if is_there():
                    continue
                raise Gone from None
            if count == 0:
                raise Gone
            rest = rest[count:]
        return data

    (count,) = _COUNT.unpack(exactly(_COUNT.size))
    sizes = exactly(count * _SIZE.size)
    body, *apart = [exactly(size) for (size,) in _SIZE.iter_unpack(sizes)]
    return pickle.loads(body, buffers=apart)


def knows(connection: socket.socket, secret: bytes) -> bool:
    """Whether the first thing to come is a secret; nothing that comes from elsewhere is looked at."""
    said = b""
    while len(said) < len(secret) and (more := connection.recv(len(secret) - len(said))):
        said += more
    return hmac.compare_digest(said, secret)
