"""A small cluster: two worker processes on this machine, real sockets.

It is no part of this process and ends by a signal, so that nothing of it can hang, nor disturb other tests.
"""

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from distributed import Client


@pytest.fixture(scope="session")
def client():
    command = [sys.executable, str(Path(__file__).with_name("local_cluster.py"))]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # classes of tests travel by their names
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True
    ) as process:
        try:
            client = Client(process.stdout.readline().strip())
            yield client
            client.close(timeout=10)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def nothing_left(client):
    """After the test the workers hold no more than they held before."""
    before = held(client)
    yield
    for _ in range(100):
        gc.collect()
        if held(client) <= before:
            break
        time.sleep(0.05)
    assert held(client) <= before


def held(client):
    """What the workers hold, by its keys."""
    return {key for keys in client.has_what().values() for key in keys}
