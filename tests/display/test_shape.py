"""Steps of numbers, bars of categories, missing values apart."""

import numpy as np
import pytest

from frankboost import SoftMarginClassifier
from frankboost.display import ShapeDisplay, SmallMultiples
from frankboost.display.scales import MOST_CATEGORIES


def texts(labels):
    return [text.get_text() for text in labels]


def test_steps_are_the_values(outings):
    clf, X, _ = outings
    term = clf.shapes(X).term("hour")
    display = ShapeDisplay.from_estimator(clf, X, "hour", color="red")
    steps, missing = display.lines_
    np.testing.assert_array_equal(steps.get_ydata(), [*term.values[:-1], term.values[-2]])
    np.testing.assert_array_equal(steps.get_xdata()[1:-1], term.bins[0].edges)
    assert steps.get_drawstyle() == "steps-post"
    assert steps.get_color() == "red"
    np.testing.assert_array_equal(missing.get_ydata(), term.values[[-1, -1]])
    assert missing.get_xdata().min() > steps.get_xdata().max()
    assert texts(display.ax_.get_xticklabels())[-1] == "missing"
    assert display.ax_.get_xlabel() == "hour"
    assert display.ax_.get_ylabel() == "effect on the vote for out"


def test_density_is_rows_per_unit(outings):
    clf, X, _ = outings
    display = ShapeDisplay.from_estimator(clf, X, "hour")
    [bins] = display.term.bins
    drawn, missing = (patch.get_data() for patch in display.ax_.patches)
    rows = drawn.values * np.diff([bins.span[0], *bins.edges, bins.span[1]])
    np.testing.assert_allclose(rows / rows.sum(), bins.weights[:-1] / bins.weights[:-1].sum())
    assert max(drawn.values.max(), missing.values.max()) < 0.2
    low, high = display.ax_.get_ylim()
    assert (display.term.values.min() - low) / (high - low) > 0.15  # the steps are above it


def test_without_gaps_nothing_is_apart(outings):
    clf, X, _ = outings
    display = ShapeDisplay.from_estimator(clf, X, "day")
    assert len(display.lines_) == 1
    assert all(text.startswith("2024-") for text in texts(display.ax_.get_xticklabels()))


def test_bars_of_categories(outings):
    clf, X, _ = outings
    display = ShapeDisplay.from_estimator(clf, X, "city")
    np.testing.assert_array_equal([bar.get_width() for bar in display.bars_], display.term.values)
    shares = display.term.bins[0].weights
    named = [
        f"{name} ({share:.0%})"
        for name, share in zip(["$o$", "Bari", "Graz", "missing"], shares, strict=True)
    ]
    assert texts(display.ax_.get_yticklabels()) == named
    assert display.lines_ == []


def test_the_categories_of_the_most_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 40, (2000, 1)) ** 2 // 40
    clf = SoftMarginClassifier(0.5, max_depth=1, categorical_features=[0]).fit(X, X[:, 0] % 2)
    display = ShapeDisplay.from_estimator(clf, X, 0)
    assert len(display.bars_) == MOST_CATEGORIES
    drawn = [int(text.split()[0]) for text in texts(display.ax_.get_yticklabels())]
    kept, counts = np.unique(X, return_counts=True)
    assert counts[np.isin(kept, drawn)].min() >= counts[~np.isin(kept, drawn)].max()
    assert display.ax_.get_ylabel() == f"x0 ({MOST_CATEGORIES} of {len(kept)})"


def test_many_classes_share_their_scales(iris):
    clf, X, _ = iris
    drawn = ShapeDisplay.from_estimator(clf, X, "x2")
    assert isinstance(drawn, SmallMultiples)
    assert len({ax.get_ylim() for ax in drawn.axes_}) == 1
    assert len({ax.get_xlim() for ax in drawn.axes_}) == 1
    one = ShapeDisplay.from_estimator(clf, X, 2, label="virginica")
    assert one.ax_.get_ylabel() == "effect on the vote for virginica"


def test_only_classes_that_have_the_feature(iris):
    clf, X, _ = iris
    used = [
        label
        for label, each in zip(clf.classes_, clf.shapes(X), strict=True)
        if 0 in {f for term in each.terms for f in term.features}
    ]
    assert [ShapeDisplay.from_estimator(clf, X, 0).side] == used


def test_a_threshold_beyond_all_rows(outings):
    clf, X, _ = outings
    display = ShapeDisplay.from_estimator(clf, X[X["hour"] < 3], "hour")
    assert (np.diff(display.lines_[0].get_xdata()) > 0.0).all()
    nothing = ShapeDisplay.from_estimator(clf, X[X["hour"].isna()], "hour")
    assert (np.diff(nothing.lines_[0].get_xdata()) > 0.0).all()


def test_numbers_next_to_zero(recwarn):
    X = np.array([[0.0, 5e-324], [5e-324, 1e-310], [1e-310, 0.0], [3e-310, 1e-315]] * 10)
    clf = SoftMarginClassifier(0.3).fit(X, X[:, 0] > 2e-310)
    ShapeDisplay.from_estimator(clf, X, 0)
    assert [str(each.message) for each in recwarn] == []


def test_errors(outings):
    clf, X, _ = outings
    with pytest.raises(ValueError, match=r"features must be those of a term: .* none of \('age',\)"):
        ShapeDisplay.from_estimator(clf, X, "age")
    with pytest.raises(TypeError, match="estimator must be a classifier of frankboost"):
        ShapeDisplay.from_estimator(None, X, "age")
    with pytest.raises(ValueError, match="label must be None"):
        ShapeDisplay.from_estimator(clf, X, "hour", label="in")
