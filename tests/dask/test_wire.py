"""What goes into a socket comes out of it."""

import socket
import threading

import numpy as np
import pytest

from frankboost.dask import line
from frankboost.dask.wire import LARGE, Gone, host_and_family, knows, receive, send


@pytest.fixture
def ends():
    here, there = socket.socketpair()
    with here, there:
        yield here, there


@pytest.mark.parametrize("size", [0, 10, LARGE // 8, 10 * LARGE])
def test_objects_and_their_arrays(ends, size):
    sent = {"a": np.arange(size), "b": [np.ones((2, size)).T, "text"], "c": None}
    sender = threading.Thread(target=send, args=(ends[0], sent))
    sender.start()
    found = receive(ends[1])
    sender.join()
    np.testing.assert_array_equal(found["a"], sent["a"])
    np.testing.assert_array_equal(found["b"][0], sent["b"][0])
    assert (found["b"][1], found["c"]) == ("text", None)


def test_an_end_that_is_gone(ends):
    here, there = ends
    here.sendall(b"\0\0")
    here.close()
    with pytest.raises(Gone):
        receive(there)


def test_an_end_that_is_silent(ends):
    ends[1].settimeout(0.001)
    looks = iter([True, True, False])
    with pytest.raises(Gone):
        receive(ends[1], lambda: next(looks))
    assert next(looks, None) is None


@pytest.mark.parametrize(("said", "is_known"), [(b"secret", True), (b"secreT", False), (b"sec", False)])
def test_a_secret(ends, said, is_known):
    ends[0].sendall(said)
    ends[0].shutdown(socket.SHUT_WR)
    assert knows(ends[1], b"secret") == is_known


@pytest.mark.parametrize(
    ("address", "host"),
    [("tcp://10.0.0.1:4000", "10.0.0.1"), ("tcp://[::1]:4000", "::1"), ("tls://10.0.0.1:1", None)],
)
def test_where_a_worker_is(address, host):
    assert (host_and_family(address) or [None])[0] == host


def test_an_answer_that_cannot_travel_is_said_to_be_one(ends):
    line._reply(ends[0], threading.Lock())
    failed = receive(ends[1])
    with pytest.raises(TypeError, match="an answer cannot travel: cannot pickle"):
        raise failed.error
