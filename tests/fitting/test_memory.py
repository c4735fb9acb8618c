"""A fit takes little memory beside the rows it is given."""

import tracemalloc

import numpy as np
import pytest

from frankboost import SoftMarginClassifier

ROWS = 30_000


def peak_per_row(features):
    """The most bytes per row that arrays of NumPy take in a fit of two rounds to rows in single precision."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, features), dtype=np.float32)
    y = (X[:, 0] + X[:, 1] + rng.standard_normal(ROWS) > 0.0).astype(np.int8)
    clf = SoftMarginClassifier(nu=0.3, max_depth=1, max_iter=2)
    clf.fit(X[:100], y[:100])  # so that all modules are loaded
    tracemalloc.start()
    try:
        clf.fit(X, y)
        return tracemalloc.get_traced_memory()[1] / ROWS
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_feature_takes_its_bins_and_no_copy_in_double_precision():
    few, many = peak_per_row(10), peak_per_row(60)
    assert (many - few) / 50 < 2.5  # a copy takes 8
    assert few < 150.0
