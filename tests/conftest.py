"""The same examples every time; `HYPOTHESIS_PROFILE=explore` looks for new ones. Plots open no windows.

Interrupts work, also where the tests were started in the background with SIGINT ignored.
"""

import os
import signal

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("rooms.laws")

os.environ["MPLBACKEND"] = "Agg"  # for tests and docstrings

signal.signal(signal.SIGINT, signal.default_int_handler)  # a process that is started inherits it

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", max_examples=3000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
