"""Sets of one's own are kept beside the results of a study."""

import numpy as np
import pytest

from frankboost.datasets import Dataset
from studies.own_sets import keep_own, load_own

X, y = np.array([[0.0, np.nan], [1.0, 2.0]]), np.array([-1, 1])


def test_what_is_kept_comes_back(tmp_path):
    for _ in range(2):  # the same rows again are no change
        keep_own(tmp_path / "sets", Dataset("mine", X, y), (1,))
    dataset, categorical = load_own("mine", tmp_path / "sets")
    assert (dataset.name, categorical) == ("mine", (1,))
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, y)


@pytest.mark.parametrize(("rows", "categorical"), [(X + 1.0, (1,)), (X, ())])
def test_other_rows_of_the_same_name_are_refused(tmp_path, rows, categorical):
    keep_own(tmp_path, Dataset("mine", X, y), (1,))
    with pytest.raises(ValueError, match=r"^mine is not what it was when the study began, see .*mine\.npz$"):
        keep_own(tmp_path, Dataset("mine", rows, y), categorical)
