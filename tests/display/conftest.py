"""Fits to draw, and no figure left open."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from frankboost import SoftMarginClassifier
from frankboost.choosing.trials import Choice, NuResult


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def cancer():
    """A fit to two classes, with its data."""
    data = load_breast_cancer(as_frame=True)
    y = data.target_names[data.target]
    return with_path(SoftMarginClassifier(0.1).fit(data.data, y), 1), data.data, y


@pytest.fixture(scope="session")
def iris():
    """A fit to three classes, with its data."""
    data = load_iris()
    y = data.target_names[data.target]
    return with_path(SoftMarginClassifier(0.1).fit(data.data, y), 3), data.data, y


@pytest.fixture(scope="session")
def outings():
    """A fit to categories, numbers and dates, some missing, with its data."""
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 99, 400), "D")
    X = pd.DataFrame(
        {"city": rng.choice(["Bari", "Graz", "$o$"], 400), "hour": rng.uniform(0, 24, 400), "day": days}
    )
    y = (X["city"] == "Graz") ^ (X["hour"] > 17) ^ (X["day"] > "2024-03-01")
    X.loc[rng.random(400) < 0.2, ["city", "hour"]] = None
    return SoftMarginClassifier(0.3).fit(X, np.where(y, "in", "out")), X, y


def with_path(clf, count):
    """The fit as if it had chosen its nu, for each of so many problems."""
    rows = [(0.2, 0.5), (0.1, 0.3), (0.05, 0.4)]
    path = tuple(NuResult(nu, loss, loss / 3, (loss,), nu / 2, nu, 7.0, 0.1, 5.0) for nu, loss in rows)
    choices = [Choice(0.1, loss=0.3, single_error=0.1, path=path) for _ in range(count)]
    clf.nu_path_ = choices[0] if count == 1 else choices
    return clf


@pytest.fixture
def ax():
    return plt.subplots()[1]
