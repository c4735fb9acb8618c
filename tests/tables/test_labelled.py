"""A label in every row."""

import numpy as np
import pandas as pd
import pytest

from frankboost import SoftMarginClassifier
from frankboost.tables.labelled import classes_of


@pytest.mark.parametrize(
    "labels",
    [
        ["a", None],
        [0.0, np.nan],
        pd.array(["a", pd.NA], dtype="string"),
        pd.array([0, pd.NA], dtype="Int64"),
        pd.Categorical(["a", None]),
        pd.Series(["a", np.nan], dtype=object),
    ],
)
def test_rows_without_a_label_are_to_be_left_out(labels):
    with pytest.raises(
        ValueError, match="y must have a label in every row; leave out the rows without a label"
    ):
        SoftMarginClassifier().fit(np.zeros((2, 1)), labels)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, np.uint64, np.float64, "<U4", bool])
@pytest.mark.parametrize("kind", ["few", "ends", "far apart"])
def test_classes_are_those_of_unique(dtype, kind):
    labels = np.array([1, 0, 1, 1, 0] if kind == "few" else [5, 3, 9, 3])
    if np.dtype(dtype).kind in "iu" and kind != "few":
        ends = [np.iinfo(dtype).min, np.iinfo(dtype).max]
        labels = np.array([ends[1], ends[0] if kind == "far apart" else ends[1] - 1] * 2, dtype=dtype)
    labels = labels.astype(dtype)
    classes, code = classes_of(labels)
    expected, numbers = np.unique(labels, return_inverse=True)
    assert classes.dtype == expected.dtype
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(code, numbers)
