"""The data that models in tests/data/saved were fitted to, by version 0.1.0 as of its commit 3510e31."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris


def two_classes():
    X, y = load_breast_cancer(return_X_y=True)
    return X[::8, :4], np.array(["benign", "malignant"])[y[::8]]


def three_classes():
    X, y = load_iris(return_X_y=True)
    return X[::2], y[::2]


def categories():
    rng = np.random.default_rng(0)
    kinds = pd.Categorical(np.array(["ant", "bee", "cow"])[rng.integers(0, 3, 40)])
    frame = pd.DataFrame({"kind": kinds, "size": rng.normal(size=40).round(1)})
    return frame, ((frame["kind"] == "bee") ^ (frame["size"] > 0.3) ^ (rng.random(40) < 0.15)).to_numpy()
