"""Malformed files are refused with the file and the array; nothing is unpickled."""

import re

import numpy as np
import pytest

from frankboost.datasets.collection import read_npz

SET = {
    "X": [[0.0, 1.0], [0.0, 2.0], [3.0, 0.0]],
    "y": [1, -1, 1],
    "full_ix": [1, 0, 1, 2],
    "train": [[0, 1], [3, 2]],
}


class Trap:
    """Something that must not be brought to life."""

    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": None}, "with the arrays X, y, full_ix, train: .*X is not a file"),
        ({"full_ix": None}, "full_ix is not a file"),
        ({"train": None}, "train is not a file"),
        (
            {"X": [1.0, 2.0, 3.0]},
            r": X must be numbers with ndim = 2; got float64 of shape \(3,\)",
        ),
        ({"X": [["a"], ["b"], ["c"]]}, r": X must be numbers .*; got <U1 of shape \(3, 1\)"),
        ({"X": np.empty((0, 2)), "y": []}, r": X must be numbers .*; got float64 of shape \(0, 2\)"),
        ({"X": [[1.0], [np.nan], [1.0]]}, ": X must be finite"),
        ({"y": [1, -1]}, r": y must have a label for each of the 3 rows of X; got 2"),
        ({"y": [[1], [-1], [1]]}, r": y must be numbers with ndim = 1; got int64 of shape \(3, 1\)"),
        ({"y": [1, 0, 1]}, r": y must be -1 or \+1; got 0"),
        ({"y": [1, np.nan, 1]}, r": y must be -1 or \+1; got nan"),
        (
            {"full_ix": [0.0, 1.0]},
            r": full_ix must be integers with ndim = 1; got float64 of shape \(2,\)",
        ),
        ({"full_ix": [0, 3]}, ": full_ix must be row numbers from 0 to 2; got 3"),
        ({"full_ix": [0, -1]}, ": full_ix must be row numbers from 0 to 2; got -1"),
        ({"train": [0, 1]}, r": train must be integers with ndim = 2; got int64 of shape \(2,\)"),
        ({"train": [[0, 4]]}, ": train must be row numbers from 0 to 3; got 4"),
        ({"train": [[0, 1], [2, 2]]}, ": train must not name a row twice in the same realisation"),
        ({"y": np.array([Trap()] * 3)}, ": Object arrays cannot be loaded"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path, changes, message):
    path = tmp_path / "some.npz"
    np.savez(path, **{key: value for key, value in {**SET, **changes}.items() if value is not None})
    with pytest.raises(ValueError, match=re.escape(str(path)) + ".*" + message):
        read_npz(path)


def test_a_file_that_is_no_archive(tmp_path):
    path = tmp_path / "some.npz"
    path.write_bytes(b"X,y\n1,2\n")
    with pytest.raises(ValueError, match=r"some\.npz is not a NumPy archive \(\.npz\)"):
        read_npz(path)
    np.savez(path, **SET)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match=r"some\.npz is not a NumPy archive \(\.npz\)"):
        read_npz(path)
    with pytest.raises(ValueError, match=r"no\.npz cannot be read: No such file"):
        read_npz(tmp_path / "no.npz")


def test_a_damaged_file_is_refused_or_read_as_it_was(tmp_path):
    path = tmp_path / "some.npz"
    np.savez(path, **SET)
    whole = path.read_bytes()
    refused = 0
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            assert read_npz(path).X.tolist() == SET["X"]
        except ValueError as error:
            refused += "some.npz" in str(error)
    assert refused > len(whole) / 6
