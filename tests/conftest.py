"""The same examples every time; `HYPOTHESIS_PROFILE=explore` looks for new ones. Plots open no windows."""

import os

from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"  # for tests and docstrings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", max_examples=3000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
