"""scikit-learn's sets as two classes."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from frankboost.datasets import NAMES, breast_cancer, digits


@pytest.mark.parametrize(
    ("make", "name", "shape", "positive"),
    [(breast_cancer, "wisconsin", (569, 30), 357), (digits, "digits", (1797, 64), 896)],
)
def test_bundled_sets(make, name, shape, positive):
    data = make()
    assert data.name == name
    assert data.name not in NAMES
    assert (data.X.dtype, data.y.dtype) == (np.float64, np.int64)
    assert data.X.shape == shape
    assert set(data.y) == {-1, 1}
    assert (data.y == 1).sum() == positive


def test_digits_are_five_and_above_or_below():
    assert digits().y[load_digits().target == 5].tolist() == [1] * 182
    assert digits().y[load_digits().target == 4].tolist() == [-1] * 181
