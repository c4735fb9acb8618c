"""Importances, largest first."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from frankboost import LPBoostClassifier
from frankboost.display import ImportanceDisplay


def test_bars_are_the_importances(cancer):
    clf, X, _ = cancer
    display = ImportanceDisplay.from_estimator(clf, most=4, color="red")
    order = np.argsort(-clf.feature_importances_)[:4]
    np.testing.assert_allclose([bar.get_width() for bar in display.bars_], clf.feature_importances_[order])
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == list(X.columns[order])
    assert display.ax_.yaxis_inverted()
    assert {bar.get_facecolor() for bar in display.bars_} == {(1.0, 0.0, 0.0, 1.0)}


def test_many_classes_have_one_plot(iris):
    display = ImportanceDisplay.from_estimator(iris[0], feature_names=["a", "b", "c", "$d$"])
    assert len(display.bars_) == 4
    assert display.figure_.axes == [display.ax_]


def test_errors(cancer):
    clf, X, y = cancer
    with pytest.raises(ValueError, match="most must be an integer >= 1; got 0"):
        ImportanceDisplay.from_estimator(clf, most=0)
    with pytest.raises(ValueError, match="feature_names must hold 30 names"):
        ImportanceDisplay.from_estimator(clf, feature_names=["a"])
    other = LPBoostClassifier(0.3, estimator=DecisionTreeClassifier(max_depth=1), max_iter=2).fit(X, y)
    with pytest.raises(AttributeError, match="has no feature_importances_: only trees of BestTree"):
        ImportanceDisplay.from_estimator(other)
