"""Sparse rows, and rows of other types, give what dense rows in double precision give."""

import numpy as np
import pytest
from scipy import sparse

from frankboost import BestTree
from frankboost.learners.rows import ROWS_AT_ONCE, SparseRows, blocks_of
from frankboost.learners.tree import vote
from records import assert_same


def table(m=60, n=7):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((m, n)) < 0.2, np.round(rng.normal(size=(m, n)), 1), 0.0)
    X[3, 2] = np.nan
    return X


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.coo_array])
def test_columns_rows_and_array(kind):
    X = table()
    rows = SparseRows(kind(X))
    assert rows.shape == X.shape
    assert len(rows) == len(X)
    np.testing.assert_array_equal(np.asarray(rows), X)
    np.testing.assert_array_equal(rows.missing(), np.isnan(X).any(axis=0))
    for f in range(X.shape[1]):
        np.testing.assert_array_equal(rows[:, f], X[:, f])
    for some in (slice(None, None, 3), X[:, 0] != 0.0, np.array([4, 1])):
        np.testing.assert_array_equal(np.asarray(rows[some]), X[some])


def test_trees_and_votes_are_those_of_dense_rows():
    X = table(2 * ROWS_AT_ONCE + 5)
    y = np.where(np.nan_to_num(X[:, 0] + X[:, 2]) > 0.0, 1.0, -1.0)
    u = y / len(y)
    [dense] = BestTree().prepare(X, y, np.ones(len(y)))(u).hypotheses
    rows = SparseRows(sparse.csr_array(X))
    [tree] = BestTree().prepare(rows, y, np.ones(len(y)))(u).hypotheses
    assert_same(tree.nodes, dense.nodes)
    np.testing.assert_array_equal(vote([tree], np.ones(1), rows), dense(X))


FORMS = {
    "float32": lambda X: X.astype(np.float32),
    "columns": np.asfortranarray,
    "integers": lambda X: X.astype(np.int16),
    "double": lambda X: X,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("rows", [0, 1, 7, 20])
def test_blocks_of_rows_of_other_types(form, rows, monkeypatch):
    monkeypatch.setattr("frankboost.learners.rows.CONVERTED_AT_ONCE", 7)
    X = np.arange(3.0 * rows).reshape(rows, 3)
    blocks = list(blocks_of(form(X)))
    assert all(each.dtype == np.float64 and each.flags.c_contiguous for each in blocks)
    np.testing.assert_array_equal(np.concatenate(blocks), X)
