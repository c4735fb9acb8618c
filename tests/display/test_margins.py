"""The distribution of the margins."""

import numpy as np
import pytest

from frankboost.display import MarginDisplay


def test_the_line_is_the_cumulative_distribution(cancer):
    clf, X, y = cancer
    display = MarginDisplay.from_estimator(clf, X, y)
    margins = clf.margins(X, y)
    x, share = display.line_.get_data()
    np.testing.assert_array_equal(x, np.sort(margins))
    for k in (0, 100, len(x) - 1):
        assert share[k] == pytest.approx(np.mean(margins <= x[k]))
    assert display.ax_.get_ylabel() == "share of the rows"


def test_what_is_marked_averages_to_the_soft_margin(cancer):
    """57 rows, of which the last counts 0.9: nu m = 56.9."""
    display = MarginDisplay.from_estimator(*cancer)
    smallest = display.smallest_line_.get_xdata()
    assert len(smallest) == 57
    mean = (smallest[:-1].sum() + 0.9 * smallest[-1]) / 56.9
    assert mean == pytest.approx(cancer[0].certificate_.soft_margin, abs=1e-9)
    assert set(display.soft_margin_line_.get_xdata()) == {cancer[0].certificate_.soft_margin}


def test_legend(cancer):
    display = MarginDisplay.from_estimator(*cancer)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    soft_margin = cancer[0].certificate_.soft_margin
    assert texts == ["all margins", "the smallest, nu = 0.1 of all", f"soft margin {soft_margin:.3f}"]


def test_margins_of_one_of_many_classes_are_those_of_its_fit(iris):
    clf, X, y = iris
    display = MarginDisplay.from_estimator(clf, X, y, label="versicolor")
    signs = np.where(y == "versicolor", 1.0, -1.0)
    np.testing.assert_array_equal(display.margins, np.sort(signs * clf.decision_function(X)[:, 1]))
    assert display.margins[:15].mean() == pytest.approx(clf.certificate_[1].soft_margin, abs=1e-9)


def test_other_settings_are_for_the_line(cancer, ax):
    display = MarginDisplay.from_estimator(*cancer, ax=ax, color="red")
    assert display.line_.get_color() == "red"


def test_labels_that_were_not_fitted_are_refused(iris):
    clf, X, y = iris
    with pytest.raises(ValueError, match="y must hold the classes"):
        MarginDisplay.from_estimator(clf, X, np.full(len(y), "rose"), label="versicolor")


def test_no_row_is_marked_for_a_rounding_error():
    assert 0.07 * 100 > 7.0
    display = MarginDisplay(margins=np.linspace(-1.0, 1.0, 100), soft_margin=0.0, nu=0.07).plot()
    assert len(display.smallest_line_.get_xdata()) == 7
