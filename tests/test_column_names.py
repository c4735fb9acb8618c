"""Names are read from every kind of table."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from frankboost.column_names import column_names


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_of_frames(kind):
    assert column_names(kind({"b": [1.0], "a": [2.0]})) == ["b", "a"]


def test_a_column_with_the_name_of_an_attribute():
    assert column_names(pd.DataFrame({"column_names": [1.0], "columns": [2.0]})) == [
        "column_names",
        "columns",
    ]


def test_names_of_any_type():
    assert column_names(pd.DataFrame(np.zeros((1, 3)))) == [0, 1, 2]


@pytest.mark.parametrize("table", [np.zeros((2, 2)), csr_array((2, 2)), [[0.0], [1.0]]])
def test_arrays_have_none(table):
    assert column_names(table) == []
