"""The same examples every time, whichever tests ran before; `HYPOTHESIS_PROFILE=explore` looks for new ones.

Plots open no windows.

Interrupts work, also where the tests were started in the background with SIGINT ignored.
"""

import gc
import os
import signal

import numpy as np
import pytest
from hypothesis import is_hypothesis_test, settings

from frankboost import progress

pytest.register_assert_rewrite("rooms.laws")

os.environ["MPLBACKEND"] = "Agg"  # for tests and docstrings

signal.signal(signal.SIGINT, signal.default_int_handler)  # a process that is started inherits it

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", max_examples=3000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(autouse=True)
def fresh_rng(request):
    """A module's random numbers begin anew for each of its tests."""
    if hasattr(request.module, "rng"):
        request.module.rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def unwatched(request):
    """No callback of the garbage collector, such as Hypothesis has: an interrupt that comes there is lost."""
    watching = [] if is_hypothesis_test(request.function) else gc.callbacks[:]
    for callback in watching:
        gc.callbacks.remove(callback)
    yield
    gc.callbacks.extend(watching)


@pytest.fixture
def now(monkeypatch):
    """A clock of the progress that is set by hand."""
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    return clock


@pytest.fixture
def write(tmp_path):
    """Writes a file of text or bytes, and says where it is."""

    def writer(content, name="some.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return writer
