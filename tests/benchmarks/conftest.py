import os
from pathlib import Path

import pytest

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    """The benchmarks' modules can be imported, by processes that are started too."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    paths = [BENCHMARKS, *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
