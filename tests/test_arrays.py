"""Arrays of the host and of a device."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from frankboost.arrays import column_names, equals, memory_for


class Full:
    """A stand-in for CuPy on a device without memory."""

    class cuda:  # noqa: N801
        class runtime:  # noqa: N801
            @staticmethod
            def memGetInfo():  # noqa: N802
                return 10**9, 8 * 10**9


def test_out_of_memory_on_a_device_the_error_says_how_much_there_is(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", Full)
    told = r"1,000 rows need more memory than the device has: 1\.0 of 8\.0 GB are left \(std::bad_alloc\)"
    with pytest.raises(MemoryError, match=told), memory_for(1000):
        raise MemoryError("std::bad_alloc")


def test_out_of_memory_on_the_host_is_told_as_it_is():
    with pytest.raises(MemoryError, match=r"^Unable to allocate"), memory_for(1000):
        raise MemoryError("Unable to allocate 7 TiB")


@pytest.mark.parametrize("kind", [object, None])
def test_labels_that_are_one_label(kind):
    labels = np.array(["a", "b", "a"], dtype=kind)
    assert equals(labels, "a").tolist() == [True, False, True]
    labels = np.array([1, 2, 1], dtype=kind)
    assert equals(labels, 1).tolist() == [True, False, True]


def test_nuls_at_the_end_of_labels_count():
    labels = np.array(["a", "a\0"], dtype=object)
    assert equals(labels, "a").tolist() == [True, False]
    assert equals(labels, "a\0").tolist() == [False, True]


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
