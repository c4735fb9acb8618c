"""Sets of a folder, their splits, and the forms in which contestants get them."""

import numpy as np
import pytest

from frankboost.datasets import Dataset
from studies import sets
from studies.accuracy.contestants import to_form


@pytest.fixture
def read(folder):
    return lambda name: sets.read(sets.find(folder)[name])


@pytest.mark.parametrize("name", ["mixed", "ordered", "repeated"])
@pytest.mark.parametrize(("train_rows", "test_rows"), [(1000, 1000), (50, 30)])
def test_a_split_has_no_row_twice_no_more_than_asked_and_keeps_the_labels_share(
    read, name, train_rows, test_rows
):
    data = read(name)
    train, test = sets.split_rows(data, 1, train_rows, test_rows)
    assert len({*train, *test}) == len(train) + len(test)
    assert len(train) <= train_rows
    assert len(test) <= test_rows
    if name == "mixed":
        for rows in (train, test):
            assert abs(data.y[rows].sum() - len(rows) * data.y.mean()) <= 2  # one row of the other label
    again = sets.split_rows(data, 1, train_rows, test_rows)
    assert all(map(np.array_equal, (train, test), again))
    assert name == "ordered" or set(train) != set(sets.split_rows(data, 2, train_rows, test_rows)[0])


def test_official_splits_are_kept(read, folder):
    train, test = sets.split_rows(read("ordered"), 0, 1000, 1000)
    assert set(train) == set(range(200))
    assert set(test) == set(range(200, 300))
    train, _ = sets.split_rows(read("ordered"), 3, 100, 1000)
    assert len(train) == 100
    assert max(train) < 200
    official = np.load(folder / "raetsch" / "repeated.npz")["train"]
    train, test = sets.split_rows(read("repeated"), 2, 1000, 1000)
    assert set(train) == set(official[2])
    assert len(test) == 220


def test_a_set_has_as_many_splits_as_differ(folder):
    assert sets.split_count(folder / "large" / "mixed.npz", 5, 1000) == 5
    assert sets.split_count(folder / "large" / "ordered.npz", 5, 1000) == 1
    assert sets.split_count(folder / "large" / "ordered.npz", 5, 100) == 5
    assert sets.split_count(folder / "raetsch" / "repeated.npz", 5, 1000) == 3


def test_more_classes_than_two_are_numbers_from_0(tmp_path):
    np.savez(tmp_path / "three.npz", X=np.zeros((4, 2)), y=np.array([0, 2, 1, 1]))
    assert sets.read(tmp_path / "three.npz").y.tolist() == [0, 2, 1, 1]


def test_repeated_rows_are_repeated(read):
    data = read("repeated")
    assert len(data.y) == 320
    assert np.array_equal(data.X[300:], data.X[:20])


def test_a_frame_knows_the_categories_of_the_whole_set(read):
    data = read("mixed")
    rows = np.flatnonzero(data.X[:, 1] == 2)
    frame = to_form(data, rows, "frame")
    assert list(frame["x1"].cat.categories) == [1, 2, 3]
    assert set(frame["x1"]) == {2}
    assert frame["x0"].dtype == np.float64
    assert np.array_equal(to_form(data, rows, "codes"), data.X[rows])


def test_what_is_wrong_with_a_folder_or_file_is_said(tmp_path, folder):
    with pytest.raises(ValueError, match=r"there are none"):
        sets.find(tmp_path)
    with pytest.raises(ValueError, match=r"among mixed, ordered, repeated; got mixt"):
        sets.find(folder, ["mixt"])
    bad = {"X": np.zeros((3, 2)), "y": np.array([-1, 1, 1])}
    wrong = [
        ({"y": bad["y"]}, "lacks X"),
        (bad | {"y": np.array([-1, 1, 2])}, "labels -1 and 1"),
        (bad | {"y": np.array([0, 1, 1])}, "labels -1 and 1"),
        (bad | {"y": np.array([0, 1, 3])}, r"0 to k - 1 of k > 2 classes; got \[0 1 3\]"),
        (bad | {"kind": "n"}, "kind"),
    ]
    for arrays, words in wrong:
        np.savez(tmp_path / "bad.npz", **arrays)
        with pytest.raises(ValueError, match=rf"bad\.npz.*{words}"):
            sets.read(tmp_path / "bad.npz")
    np.savez(tmp_path / "large.npz", **bad)
    (tmp_path / "more").mkdir()
    np.savez(tmp_path / "more" / "large.npz", **bad)
    with pytest.raises(ValueError, match="two files have the name 'large'"):
        sets.find(tmp_path)


X, y = np.array([[0.0, np.nan], [1.0, 2.0]]), np.array([-1, 1])


def test_what_is_kept_comes_back(tmp_path):
    for _ in range(2):  # the same rows again are no change
        sets.save_set(tmp_path / "sets", Dataset("mine", X, y), (1,))
    kept = sets.read(tmp_path / "sets" / "mine.npz")
    assert kept.categorical == (1,)
    np.testing.assert_array_equal(kept.X, X)
    np.testing.assert_array_equal(kept.y, y)


@pytest.mark.parametrize(("rows", "categorical"), [(X + 1.0, (1,)), (X, ())])
def test_other_rows_of_the_same_name_are_refused(tmp_path, rows, categorical):
    sets.save_set(tmp_path, Dataset("mine", X, y), (1,))
    with pytest.raises(ValueError, match=r"^mine is not what it was when the study began, see .*mine\.npz$"):
        sets.save_set(tmp_path, Dataset("mine", rows, y), categorical)
