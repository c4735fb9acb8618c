"""Arrays lie in files where a worker's memory is short, and nothing else changes."""

import gc
import pickle
from dataclasses import dataclass

import dask.array as da
import numpy as np
import pytest

from frankboost import SoftMarginClassifier
from frankboost.dask import DaskSoftMarginClassifier, shelf
from frankboost.dask.shelf import Shelf, Shelved


@pytest.fixture
def short(monkeypatch, tmp_path):
    """A shelf of a process that has no memory left."""
    own = Shelf()
    monkeypatch.setattr(shelf, "_shelf", own)
    monkeypatch.setattr(shelf, "is_full", lambda more=0: True)
    monkeypatch.setattr(shelf, "_folder", lambda: str(tmp_path))
    return own


@dataclass(frozen=True, eq=False)
class Pair(Shelved):
    """A large array, and a small one."""

    large: np.ndarray
    small: np.ndarray


def test_arrays_keep_their_values_in_files(short):
    pair = Pair(np.arange(30_000.0).reshape(3, -1), np.arange(3))
    assert short.has(pair.large)
    assert not short.has(pair.small)
    short.let_go()
    np.testing.assert_array_equal(pair.large, np.arange(30_000.0).reshape(3, -1))
    pair.large[1] += 1.0
    short.let_go()
    assert pair.large[1, 0] == 10_001.0
    assert shelf.kept(pair.large) is pair.large


def test_they_travel(short):
    pair = Pair(np.arange(30_000.0), np.arange(3))
    other = pickle.loads(pickle.dumps(pair))
    assert short.has(other.large)
    assert not np.shares_memory(other.large, pair.large)
    np.testing.assert_array_equal(other.large, pair.large)


def test_places_are_used_again_and_files_are_given_back(short, monkeypatch):
    monkeypatch.setattr(shelf, "FILE", 2**20)
    some = [shelf.kept(np.full(2**15, k)) for k in range(12)]  # a quarter of a file each
    assert len(short) == 3 * 2**20
    view = some[0][5:]
    del some[0]
    gc.collect()
    more = shelf.kept(np.full(2**15, 12))
    assert len(short) == 4 * 2**20  # the view still needs its place
    assert (view == 0).all()
    del view, some[0]
    gc.collect()
    half = shelf.kept(np.full(2**16, 13))
    assert len(short) == 4 * 2**20
    assert [int(each[0]) for each in some] == list(range(2, 12))
    del some, half
    gc.collect()
    again = shelf.kept(np.full(2**15, 14))
    assert len(short) == 2**20
    assert (again == 14).all()
    assert (more == 12).all()


def test_a_full_disk_is_an_error_that_names_the_folder(short, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shelf.os, "posix_fallocate", full)
    with pytest.raises(OSError, match=rf"No space left on device for \d+ bytes of rows: '{tmp_path}'"):
        shelf.kept(np.zeros(10_000))


def limit_memory(size, dask_worker):
    """On a worker."""
    dask_worker.memory_manager.memory_limit = size


def files_of(dask_worker):
    """On a worker: how many bytes of arrays lie in files."""
    return len(shelf._shelf)


def test_the_model_is_the_same_where_no_rows_fit_into_memory(client):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8_000, 4)).round(2)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X)) > 0.0).astype(int)
    held = []

    def look(event):
        held.append(client.run(files_of))

    settings = {"nu": 0.3, "tol": 0.2}
    client.run(limit_memory, 1)
    try:
        there = DaskSoftMarginClassifier(**settings, callbacks=[look])
        there.fit(*(da.from_array(each, chunks=(2_500, *each.shape[1:])) for each in (X, y)))
        local = there.to_local()
    finally:
        client.run(limit_memory, None)
    here = SoftMarginClassifier(**settings).fit(X, y)
    assert all(sum(each.values()) > 0 for each in held)
    assert local.certificate_ == here.certificate_
    np.testing.assert_array_equal(local.distribution_, here.distribution_)
    np.testing.assert_array_equal(local.estimator_weights_, here.estimator_weights_)
