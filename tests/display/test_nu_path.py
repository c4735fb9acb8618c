"""The path of nu."""

import numpy as np
import pytest

from frankboost import SoftMarginClassifier, SoftMarginClassifierCV
from frankboost.choosing.trials import Choice
from frankboost.display import NuPathDisplay


def test_lines_are_the_path(cancer):
    display = NuPathDisplay.from_estimator(cancer[0])
    x, loss = display.line_.get_data()
    np.testing.assert_allclose(x, [2.0, 1.0, 0.5])
    np.testing.assert_allclose(loss, [0.5, 0.3, 0.4])
    bound, soft_margin = display.margin_ax_.lines[:2]
    np.testing.assert_allclose(bound.get_ydata(), [0.2, 0.1, 0.05])
    np.testing.assert_allclose(soft_margin.get_ydata(), [0.1, 0.05, 0.025])
    np.testing.assert_allclose(display.size_ax_.lines[0].get_ydata(), 7.0)
    np.testing.assert_allclose(display.error_ax_.lines[0].get_ydata(), [0.5 / 3, 0.1, 0.4 / 3])
    assert display.figure_.get_suptitle() == "nu = 0.1 chosen; e = 0.1"


def test_on_given_axes_there_is_the_loss_alone(cancer, ax):
    display = NuPathDisplay.from_estimator(cancer[0], ax=ax, lw=3.0)
    assert display.margin_ax_ is display.error_ax_ is display.size_ax_ is None
    assert ax.figure.axes == [ax]
    assert display.line_.get_linewidth() == 3.0


def test_where_one_tree_errs_nowhere_nu_is_its_own_scale(cancer):
    choice = cancer[0].nu_path_
    display = NuPathDisplay(choice=Choice(0.1, loss=0.3, single_error=0.0, path=choice.path)).plot()
    np.testing.assert_allclose(display.line_.get_xdata(), [0.2, 0.1, 0.05])


def test_what_the_classifiers_keep(cancer):
    _, X, y = cancer
    X = X.iloc[:, :4]
    auto = SoftMarginClassifier(max_depth=1).fit(X, y)
    searched = SoftMarginClassifierCV([0.4, 0.2], max_depth=1, cv=2).fit(X, y)
    for clf in (auto, searched):
        display = NuPathDisplay.from_estimator(clf)
        assert display.choice.nu == clf.nu_
        assert len(display.line_.get_xdata()) == len(clf.nu_path_.path)
    auto.__dict__.pop("nu_path_")  # as in a loaded model
    with pytest.raises(ValueError, match="not be loaded from a file"):
        NuPathDisplay.from_estimator(auto)
    with pytest.raises(ValueError, match="estimator must have chosen nu on rows held out"):
        NuPathDisplay.from_estimator(SoftMarginClassifier(0.4, max_depth=1).fit(X, y))
