"""Sets by way of scikit-datasets.

The download alone is replaced, since tests have no network: the package reads a small file in the format of
the published one. Where its SHA-256 is looked at, that is the package's own check.
"""

from urllib.error import URLError

import numpy as np
import pytest
from scipy.io import savemat
from skdatasets.repositories import base, raetsch

from frankboost.datasets import load, realisations

X = np.array([[3.0, 0.0], [0.0, 2.0], [0.0, 2.0], [0.0, 1.0]])  # the second and third differ by their label
T = np.array([[1.0], [1.0], [-1.0], [-1.0]])
TRAIN = np.array([[1, 1, 2], [2, 1, 3], [1, 1, 1]], dtype=np.uint16)  # counted from 1, repeated as they occur
TEST = np.array([[4, 3, 1], [1, 1, 4], [2, 3, 4]], dtype=np.uint16)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.delenv("FRANKBOOST_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def publish(tmp_path, monkeypatch):
    def publisher(train=TRAIN, test=TEST):
        path = tmp_path / "small.mat"
        savemat(path, {"flare_solar": {"x": X, "t": T, "train": train, "test": test}})
        monkeypatch.setattr(raetsch, "_fetch_remote", lambda data_home: path)

    return publisher


def test_the_unique_rows_are_sorted(publish):
    publish()
    data = load("flare-solar")
    assert data.name == "flare-solar"
    assert (data.X.dtype, data.y.dtype) == (np.float64, np.int64)
    assert data.X.tolist() == [[0, 1], [0, 2], [0, 2], [3, 0]]
    assert data.y.tolist() == [-1, -1, 1, 1]


def test_the_full_set_is_the_first_realisation_in_its_order(publish):
    publish()
    full = load("flare-solar", full=True)
    assert full.X.tolist() == X[[0, 0, 1, 3, 2, 0]].tolist()
    assert full.y.tolist() == [1, 1, 1, -1, -1, 1]


def test_every_realisation_has_its_rows(publish):
    publish()
    full = load("flare-solar", full=True)
    splits = realisations("flare-solar")
    assert [train.tolist() for train, _ in splits] == [[0, 1, 2], [2, 0, 4], [0, 1, 5]]
    for (train, test), trained, tested in zip(splits, TRAIN, TEST, strict=True):
        np.testing.assert_array_equal(full.X[train], X[trained - 1])
        np.testing.assert_array_equal(full.y[train], T[trained - 1, 0])
        assert sorted(map(tuple, full.X[test])) == sorted(map(tuple, X[tested - 1]))
        assert sorted(np.append(train, test)) == list(range(6))


def test_a_realisation_of_other_rows(publish):
    publish(test=np.array([[4, 3, 1], [1, 1, 4], [2, 2, 4]]))
    assert len(load("flare-solar").y) == 4
    with pytest.raises(ValueError, match="realisation 3 of 'flare-solar' has other rows than the first"):
        realisations("flare-solar")


def test_a_file_that_is_not_the_published_one(home):
    (home / "raetsch").mkdir()
    savemat(home / "raetsch" / "benchmarks.mat", {"heart": {"x": X, "t": T, "train": TRAIN, "test": TEST}})
    with pytest.raises(
        FileNotFoundError, match=r"benchmarks\.mat has an SHA256 checksum.*47c19e4b.*FRANKBOOST_DATA"
    ):
        load("heart")


def test_without_a_network(monkeypatch):
    def urlopen(url):
        raise URLError("no network")

    monkeypatch.setattr(base, "urlopen", urlopen)
    with pytest.raises(
        FileNotFoundError, match=r"scikit-datasets could not fetch it: .*no network.*FRANKBOOST_DATA"
    ):
        load("heart")
