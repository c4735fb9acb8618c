"""Files of one's own become data sets of two classes."""

import numpy as np
import pytest

from studies.commands.own_sets import read_dataset


def test_a_dataset_has_two_classes(write):
    dataset, categorical = read_dataset(write("x,c,y\n1,a,10\n2,?,9\n?,b,9.0\n", "two.csv"), "y")
    assert dataset.name == "two"
    assert dataset.y.tolist() == [1, -1, -1]
    np.testing.assert_array_equal(dataset.X, [[1, 0], [2, np.nan], [np.nan, 1]])
    assert categorical == (1,)
    with pytest.raises(ValueError, match=r"the target 'c' must have two values; got 3: 'a', 'b', 'd'"):
        read_dataset(write("x,c\n1,a\n2,b\n3,d\n"), "c")


def test_a_hidden_file_has_a_name(write):
    assert read_dataset(write("x,y\n1,0\n2,1\n3,1\n", ".two.csv"), "y")[0].name == "two"
