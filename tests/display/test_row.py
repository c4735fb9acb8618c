"""One row, explained."""

import numpy as np
import pytest

from frankboost.display import RowDisplay


def test_bars_go_from_the_intercept_to_the_vote(outings):
    clf, X, _ = outings
    display = RowDisplay.from_estimator(clf, X, 5, most=3)
    assert display.names[0] == "intercept"
    assert display.names[-1].endswith("other terms")
    assert len(display.bars_) == 5
    sizes = np.abs(display.effects[1:-1])
    assert (np.diff(sizes) <= 0.0).all()
    starts = [bar.get_x() for bar in display.bars_]
    np.testing.assert_allclose(starts, [0.0, *np.cumsum(display.effects)[:-1]], atol=1e-12)
    vote = clf.decision_function(X)[5]
    assert sum(display.effects) == pytest.approx(vote, abs=1e-12)
    assert display.probability == clf.predict_proba(X)[5, 1]
    assert display.ax_.get_title(loc="right") == f"vote {vote:+.3f}, probability {display.probability:.2f}"


def test_values_of_the_row_are_named(outings):
    clf, X, _ = outings
    gap = int(np.argmax(X["hour"].isna()))
    display = RowDisplay.from_estimator(clf, X, gap, most=100)
    assert "hour = missing" in display.names
    assert f"day = {X['day'][gap].date()}" in display.names
    assert len(display.names) == 1 + len(clf.shapes(X).terms)


def test_another_row(outings):
    clf, X, _ = outings
    other = X[:1].assign(city="Rome", hour=3.5)
    display = RowDisplay.from_estimator(clf, X, other, most=100)
    assert {"city = missing", "hour = 3.5"} < set(display.names)
    assert sum(display.effects) == pytest.approx(clf.decision_function(other)[0], abs=1e-12)


def test_many_classes(iris):
    clf, X, _ = iris
    drawn = RowDisplay.from_estimator(clf, X, 60)
    votes, chances = clf.decision_function(X[[60]])[0], clf.predict_proba(X[[60]])[0]
    np.testing.assert_allclose([sum(each.effects) for each in drawn.displays], votes, atol=1e-12)
    np.testing.assert_array_equal([each.probability for each in drawn.displays], chances)
    one = RowDisplay.from_estimator(clf, X, 60, label="virginica")
    assert one.ax_.get_xlabel() == "vote for virginica"


def test_errors(outings):
    clf, X, _ = outings
    with pytest.raises(ValueError, match=r"row must be an integer in \[0, 399\]; got 400"):
        RowDisplay.from_estimator(clf, X, 400)
    with pytest.raises(ValueError, match=r"row must be the position of a row in X, .* such as .*; got 2"):
        RowDisplay.from_estimator(clf, X, X[:2])
