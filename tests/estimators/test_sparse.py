"""Fits and predictions of scipy.sparse matrices are those of the same table, dense."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from frankboost import LPBoostClassifier, SoftMarginClassifier, SoftMarginClassifierCV, verify


def problem(classes=2, m=120, n=12):
    rng = np.random.default_rng(classes)
    X = np.where(rng.random((m, n)) < 0.25, 1.0 + rng.integers(0, 3, (m, n)), 0.0)
    y = (X[:, 0] + X[:, 1] - X[:, 2] + rng.normal(size=m) > 0.4).astype(int)
    return X, np.where(X[:, 3] > 0.0, 2, y) if classes == 3 else y


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.coo_array])
@pytest.mark.parametrize("classes", [2, 3])
def test_same_as_dense(kind, classes):
    X, y = problem(classes)
    dense = SoftMarginClassifier(nu=0.5, tol=0.05).fit(X, y)
    clf = SoftMarginClassifier(nu=0.5, tol=0.05).fit(kind(X), y)
    for method in ("decision_function", "predict", "predict_proba"):
        np.testing.assert_array_equal(getattr(clf, method)(kind(X)), getattr(dense, method)(X))
        np.testing.assert_array_equal(getattr(clf, method)(X), getattr(dense, method)(X))
    assert clf.certificate_ == dense.certificate_
    assert verify(clf, kind(X), y) == clf.certificate_


def test_missing_values_are_stored_and_zeros_are_not():
    X, y = problem()
    X[::7, 0] = np.nan
    dense = SoftMarginClassifier(nu=0.5, tol=0.05).fit(X, y)
    clf = SoftMarginClassifier(nu=0.5, tol=0.05).fit(sparse.csr_array(X), y)
    np.testing.assert_array_equal(clf.decision_function(X), dense.decision_function(X))


def test_weights_of_zero_leave_rows_out():
    X, y = problem()
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    dense = LPBoostClassifier(nu=0.5, tol=0.05).fit(X, y, weight)
    clf = LPBoostClassifier(nu=0.5, tol=0.05).fit(sparse.csr_array(X), y, weight)
    np.testing.assert_array_equal(clf.decision_function(X), dense.decision_function(X))


def test_nu_that_is_chosen():
    X, y = problem()
    settings = {"tol": 0.1, "max_depth": 1, "cv": 2}
    dense = SoftMarginClassifierCV([0.7, 0.4], **settings).fit(X, y)
    clf = SoftMarginClassifierCV([0.7, 0.4], **settings).fit(sparse.csr_array(X), y)
    assert clf.nu_ == dense.nu_
    np.testing.assert_array_equal(clf.predict_proba(sparse.csr_array(X)), dense.predict_proba(X))


def test_other_weak_learners_get_dense_rows():
    X, y = problem()
    clf = SoftMarginClassifier(nu=0.28, tol=0.1, estimator=LogisticRegression()).fit(sparse.csr_array(X), y)
    assert clf.predict(sparse.csr_array(X)).shape == y.shape


def test_categories_must_be_dense():
    X, y = problem()
    with pytest.raises(ValueError, match=r"X must be dense if columns are categorical; got .* \[1\]"):
        SoftMarginClassifier(categorical_features=[1]).fit(sparse.csr_array(X), y)


def test_infinity_and_other_columns_are_refused():
    X, y = problem()
    clf = SoftMarginClassifier(nu=0.5, tol=0.1).fit(sparse.csr_array(X), y)
    with pytest.raises(ValueError, match="12 features"):
        clf.predict(sparse.csr_array(X[:, :3]))
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        clf.fit(sparse.csr_array(X), y)


def damaged(kind, name, value):
    """A sparse matrix whose arrays were changed after it was made."""
    X = kind(problem()[0])
    getattr(X, name)[3] = value
    return X


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (kind, name, value)
        for kind in (sparse.csr_array, sparse.csc_matrix, sparse.bsr_array)
        for name, value in (("indices", 1000), ("indices", -5), ("indptr", 10**6), ("indptr", -3))
    ]
    + [(sparse.coo_array, name, value) for name in ("row", "col") for value in (1000, -5)],
)
def test_indices_outside_of_the_matrix(kind, name, value):
    """SciPy would read and write outside of its arrays."""
    X, y = problem()
    clf = SoftMarginClassifier(0.5, 0.05).fit(X, y)
    for use in (clf.fit, verify_with(clf)):
        with pytest.raises(ValueError, match="X must be a sparse matrix with indices within its shape: "):
            use(damaged(kind, name, value), y)
    with pytest.raises(ValueError, match="X must be a sparse matrix with indices within its shape: "):
        clf.predict(damaged(kind, name, value))


def verify_with(clf):
    return lambda X, y: verify(clf, X, y)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array])
def test_fewer_entries_than_none(kind):
    """SciPy's own check stops where there are none."""
    X, y = problem()
    damaged = kind(X)
    damaged.indptr = damaged.indptr.copy()
    damaged.indptr[-1] = -5
    with pytest.raises(ValueError, match="X must be a sparse matrix with indices within its shape: "):
        SoftMarginClassifier(0.5, 0.05).fit(damaged, y)


def test_lists_of_indices_outside_of_the_matrix():
    X, y = problem()
    lists = sparse.lil_array(X)
    lists.rows[0] = [1000] * len(lists.rows[0])
    with pytest.raises(ValueError, match="X must be a sparse matrix with indices within its shape: "):
        SoftMarginClassifier(0.5, 0.05).fit(lists, y)
