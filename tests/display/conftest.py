"""Fits to draw, and no figure left open."""

import matplotlib.pyplot as plt
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from frankboost import SoftMarginClassifier
from frankboost.datasets import twonorm


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def cancer():
    """A fit to two classes, with its data."""
    data = load_breast_cancer(as_frame=True)
    y = data.target_names[data.target]
    return SoftMarginClassifier(0.1).fit(data.data, y), data.data, y


@pytest.fixture(scope="session")
def iris():
    """A fit to three classes, with its data."""
    data = load_iris()
    y = data.target_names[data.target]
    return SoftMarginClassifier(0.1).fit(data.data, y), data.data, y


@pytest.fixture(scope="session")
def drafted():
    """A fit whose first rounds are a draft."""
    data = twonorm(2000, 0)
    return SoftMarginClassifier(0.2, 0.05, max_bins=None).fit(data.X[:, :4], data.y)


@pytest.fixture
def ax():
    return plt.subplots()[1]
