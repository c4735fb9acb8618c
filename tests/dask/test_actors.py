"""Objects on the workers are asked all at once, and made again where they are lost."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from frankboost.dask import actors as actors_module
from frankboost.dask.actors import Actors


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


class Told(Actors):
    """Objects that are all told the same; what changes them is noted."""

    def __init__(self, client, rows):
        self.told = []
        mine = [[each] for each in rows]
        super().__init__(client, [Counter] * len(rows), mine, self.again, [None] * len(rows))

    def again(self, k):
        for more in self.told:
            self.ask(Counter.add, {k: (more,)})

    def all(self, method, *args):
        answers = self.ask(method, dict.fromkeys(range(len(self)), args))
        self.told += args if method is Counter.add else ()
        return answers


@pytest.fixture
def actors(client):
    made = Told(client, client.map(np.arange, [3, 4, 5], pure=False))
    yield made
    made.close()


def test_all_are_asked(actors, client):
    assert actors.all(Counter.total) == [3.0, 6.0, 10.0]
    actors.all(Counter.add, 1.0)
    assert actors.all(Counter.total) == [6.0, 10.0, 15.0]
    args = [(), (0.01,), (0.01,)]
    assert actors.ask(Counter.total, dict(enumerate(args))) == [6.0, 10.0, 15.0]
    assert actors.ask(Counter.total, {2: ()}) == [15.0]
    assert client.gather(actors.submit(Counter.total, list(enumerate(args)))) == [6.0, 10.0, 15.0]


def test_those_that_the_client_cannot_reach_are_asked_by_way_of_the_scheduler(client, monkeypatch):
    monkeypatch.setattr(actors_module, "CONNECT_SECONDS", 0.0)
    made = Told(client, client.map(np.arange, [3, 4], pure=False))
    made.all(Counter.add, 1.0)
    assert made.all(Counter.total) == [6.0, 10.0]
    with pytest.raises(ValueError, match="numbers must be even; got 3"):
        made.all(Counter.fail)
    made.close()


def test_errors_come_here(actors):
    with pytest.raises(ValueError, match="numbers must be even; got 3"):
        actors.all(Counter.fail)
    assert actors.all(Counter.total) == [3.0, 6.0, 10.0]


def test_one_that_is_lost_in_a_call_is_made_again(actors, client):
    actors.all(Counter.add, 1.0)
    victim = actors.all(Counter.process)[0]
    threading.Timer(0.15, os.kill, (victim, signal.SIGKILL)).start()
    assert actors.all(Counter.total, 0.3) == [6.0, 10.0, 15.0]
    assert actors.rebuilt >= 1
    actors.all(Counter.add, 1.0)
    assert actors.all(Counter.total) == [9.0, 14.0, 20.0]
    client.wait_for_workers(2)


@pytest.mark.usefixtures("nothing_left")
def test_nothing_is_left_behind(client):
    made = Told(client, client.map(np.arange, [3, 4], pure=False))
    made.all(Counter.total)
    made.close()


def test_no_scheduler_is_an_error(client, monkeypatch):
    monkeypatch.setattr(client, "scheduler_info", lambda **_: {"type": "Scheduler"})
    rows = client.map(time.sleep, [0.6], pure=False)
    with pytest.raises(RuntimeError, match=r"the scheduler of <Client.* cannot be reached"):
        Told(client, rows)


def test_no_workers_at_all_is_an_error(client, monkeypatch):
    monkeypatch.setattr(actors_module, "PATIENCE", 0.2)
    monkeypatch.setattr(client, "scheduler_info", lambda **_: {"workers": {}})
    rows = client.map(time.sleep, [0.6], pure=False)
    with pytest.raises(RuntimeError, match=r"the cluster has had no workers for 0\.2 seconds"):
        Told(client, rows)
