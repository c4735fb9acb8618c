"""A label in every row."""

import numpy as np
import pandas as pd
import pytest

from frankboost import SoftMarginClassifier


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
    with pytest.raises(ValueError, match="y must have a label in every row; leave out the rows where it is"):
        SoftMarginClassifier().fit(np.zeros((2, 1)), labels)
