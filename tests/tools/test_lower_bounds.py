"""The oldest versions that are allowed, as constraints."""

import runpy
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "lower_bounds.py"


@pytest.fixture
def tool():
    return runpy.run_path(str(TOOL))


def test_a_bound_is_an_exact_version(tool):
    assert tool["exact"]("numpy>=1.26") == "numpy==1.26"
    assert tool["exact"]("dask[dataframe]>=2024.11.2,<2030; python_version > '3'") == "dask==2024.11.2"
    with pytest.raises(ValueError, match="a requirement must begin as name>=version; got 'numpy'"):
        tool["exact"]("numpy")


def test_builds_dependencies_and_extras_of_users_have_bounds(tool):
    settings = {
        "build-system": {"requires": ["nanobind>=3"]},
        "project": {
            "dependencies": ["numpy>=1"],
            "optional-dependencies": {
                "plot": ["matplotlib>=3"],
                "test": ["pytest"],
                "cuda": ["cupy-cuda12x>=13"],
            },
        },
    }
    assert list(tool["requirements"](settings)) == ["nanobind>=3", "numpy>=1", "matplotlib>=3"]


def test_another_python_is_an_error(tool, monkeypatch):
    monkeypatch.setattr(sys, "version_info", type("Version", (), {"major": 3, "minor": 99}))
    with pytest.raises(SystemExit, match=r"those of Python 3.11; got Python 3.99: set PYTHON=python3.11"):
        tool["main"]()
