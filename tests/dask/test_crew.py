"""Members on the workers are asked all at once, and made again where they are lost."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from frankboost.dask import crew as crew_module
from frankboost.dask import line
from frankboost.dask.crew import Call, Crew


class Counter:
    """Some numbers, and what was added to them."""

    def __init__(self, numbers):
        self.numbers = np.concatenate(numbers)

    def add(self, more):
        self.numbers = self.numbers + more

    def total(self, pause=0.0):
        time.sleep(pause)
        return float(self.numbers.sum())

    def process(self):
        return os.getpid()

    def fail(self):
        raise ValueError("numbers must be even; got 3")


class Told(Crew):
    """A crew that tells all members the same, and notes what changes them."""

    def __init__(self, client, rows):
        self.told = []
        mine = [[each] for each in rows]
        super().__init__(client, [Counter] * len(rows), mine, lambda k: self.told, [None] * len(rows))

    def all(self, method, *args):
        answers = self.ask([Call(method, args)] * len(self))
        if method == "add":
            self.told.append(Call(method, args))
        return answers


@pytest.fixture
def crew(client):
    hired = Told(client, client.map(np.arange, [3, 4, 5], pure=False))
    yield hired
    hired.close()


def test_all_are_asked(crew, client):
    assert crew.all("total") == [3.0, 6.0, 10.0]
    crew.all("add", 1.0)
    assert crew.all("total") == [6.0, 10.0, 15.0]
    calls = [Call("total"), Call("total", (0.01,)), Call("total", named={"pause": 0.01})]
    assert crew.ask(calls) == [6.0, 10.0, 15.0]
    assert client.gather(crew.keep(list(enumerate(calls)))) == [6.0, 10.0, 15.0]


def test_those_that_no_socket_reaches_are_asked_by_way_of_dask(client, monkeypatch):
    def refuse(*_):
        raise ConnectionRefusedError

    monkeypatch.setattr(line, "DirectLine", refuse)
    hired = Told(client, client.map(np.arange, [3, 4], pure=False))
    hired.all("add", 1.0)
    assert hired.all("total") == [6.0, 10.0]
    with pytest.raises(ValueError, match="numbers must be even; got 3"):
        hired.all("fail")
    hired.close()


def test_errors_come_here(crew):
    with pytest.raises(ValueError, match="numbers must be even; got 3"):
        crew.all("fail")
    assert crew.all("total") == [3.0, 6.0, 10.0]


def test_a_member_that_is_lost_in_a_call_is_made_again(crew, client):
    crew.all("add", 1.0)
    victim = crew.all("process")[0]
    threading.Timer(0.15, os.kill, (victim, signal.SIGKILL)).start()
    assert crew.all("total", 0.3) == [6.0, 10.0, 15.0]
    assert crew.rebuilt >= 1
    crew.all("add", 1.0)
    assert crew.all("total") == [9.0, 14.0, 20.0]
    client.wait_for_workers(2)


@pytest.mark.usefixtures("nothing_left")
def test_nothing_is_left_behind(client):
    hired = Told(client, client.map(np.arange, [3, 4], pure=False))
    hired.all("total")
    hired.close()


def test_no_scheduler_is_an_error(client, monkeypatch):
    monkeypatch.setattr(client, "scheduler_info", lambda **_: {"type": "Scheduler"})
    rows = client.map(time.sleep, [0.6], pure=False)
    with pytest.raises(RuntimeError, match=r"the scheduler of <Client.* is gone"):
        Told(client, rows)


def test_no_workers_at_all_is_an_error(client, monkeypatch):
    monkeypatch.setattr(crew_module, "PATIENCE", 0.2)
    monkeypatch.setattr(client, "scheduler_info", lambda **_: {"workers": {}})
    rows = client.map(time.sleep, [0.6], pure=False)
    with pytest.raises(RuntimeError, match=r"the cluster has had no workers for 0\.2 seconds"):
        Told(client, rows)
