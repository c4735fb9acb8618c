"""From where on a single tree is the optimum."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from frankboost import SoftMarginClassifier, nu_max
from games import problem

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]


def worth(nu, tol, **settings):
    """What the optimum is above the best single tree, to within tol."""
    fits = [SoftMarginClassifier(nu, tol, **settings).fit(X, y)]
    fits.append(SoftMarginClassifier(1.0, max_iter=1, **settings).fit(X, y))
    error = np.mean(fits[1].predict(X) != y)
    return fits[0].certificate_.soft_margin - (1 - 2 * error / nu), fits[0].certificate_.bound - (
        1 - 2 * error / nu
    )


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("tol", [0.02, 0.1])
def test_below_it_an_ensemble_is_worth_having_and_above_it_is_not(depth, tol):
    top = nu_max(X, y, tol=tol, max_depth=depth)
    assert worth(0.97 * top, 1e-3, max_depth=depth)[1] > tol / 2
    assert worth(1.03 * top, 1e-3, max_depth=depth)[0] < tol


@pytest.mark.parametrize("seed", range(4))
def test_against_the_enumerated_class(seed):
    """nu times the optimum is convex, and that of the best single tree touches it from above nu_max on."""
    game = problem(14, 1, seed)
    top = nu_max(game.X, game.y, tol=0.02, max_depth=1)
    error = (1 - game.optimum(1.0)) / 2
    for nu in (1.05 * top, (top + 1) / 2):
        if 0 < nu < 1:
            assert game.optimum(nu) <= 1 - 2 * error / nu + 0.02 + 1e-9
    if top > 0:
        assert game.optimum(0.95 * top) > 1 - 2 * error / (0.95 * top) + 0.01 - 1e-9
        assert top >= 2 * error / 1.02 - 1e-12


def test_a_tree_that_errs_nowhere_and_many_classes():
    assert nu_max([[0.0], [1.0]], [0, 1]) == 0.0
    Z, labels = load_iris(return_X_y=True)
    found = nu_max(Z, labels)
    assert len(found) == 3
    assert found[0] == 0.0 < found[1]


@pytest.mark.parametrize("cut", [431.5, 432.5, 433.5])  # of which at most one is a quantile
def test_over_all_thresholds_the_single_tree_is_of_all_thresholds(cut):
    x = np.arange(1500.0)[:, None]
    assert nu_max(x, x[:, 0] > cut, max_bins=None) == 0.0


def test_settings_are_checked():
    with pytest.raises(ValueError, match="max_depth"):
        nu_max(X, y, max_depth=0)
