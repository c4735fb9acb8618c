import json
import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    """Processes that are started find the studies; the threads that a study sets are forgotten after it."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder of sets: one with categories, one with an official split, one with official realisations."""
    home = tmp_path_factory.mktemp("sets")
    rng = np.random.default_rng(0)
    (home / "large").mkdir()
    X = np.column_stack([rng.normal(size=300), rng.integers(1, 4, size=300)])
    y = np.where(X[:, 0] + (X[:, 1] == 2) + rng.normal(size=300) > 0.5, 1, -1).astype(np.int8)
    cats = json.dumps({"colour": ["red", "green", "blue"]})
    np.savez(home / "large" / "mixed.npz", X=X, y=y, kind="nc", cats=cats)
    np.savez(home / "large" / "ordered.npz", X=X, y=y, kind="nn", n_train=200)
    (home / "raetsch").mkdir()
    train = [rng.permutation(320)[:100] for _ in range(3)]
    full_ix = np.r_[np.arange(300), np.arange(20)]
    np.savez(home / "raetsch" / "repeated.npz", X=X, y=y, full_ix=full_ix, train=train)
    return home
