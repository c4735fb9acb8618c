"""The heat map of a pair."""

import numpy as np
import pytest

from frankboost.display import PairDisplay


def test_cells_are_the_values(outings):
    clf, X, _ = outings
    term = clf.shapes(X).term("city", "hour")
    display = PairDisplay.from_estimator(clf, X, ("hour", "city"))
    cells, above, beside, corner = (mesh.get_array() for mesh in display.meshes_)
    np.testing.assert_array_equal(cells, term.values[:-1, :-1].T)
    np.testing.assert_array_equal(above, term.values[:-1, -1:].T)
    np.testing.assert_array_equal(beside, term.values[-1:, :-1].T)
    np.testing.assert_array_equal(corner, term.values[-1:, -1:])
    largest = np.abs(term.values).max()
    assert {mesh.get_clim() for mesh in display.meshes_} == {(-largest, largest)}
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["$o$", "Bari", "Graz", "missing"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("city", "hour")
    y = display.meshes_[0].get_coordinates()[:, 0, 1]
    np.testing.assert_array_equal(y[1:-1], term.bins[1].edges)


def test_densities_are_beside_it(outings):
    clf, X, _ = outings
    display = PairDisplay.from_estimator(clf, X, ("city", "day"))
    above, beside = display.ax_.child_axes
    city, day = (each.weights for each in display.term.bins)
    np.testing.assert_allclose(above.patches[0].get_data().values, city[:-1] / max(city[:-1].max(), city[-1]))
    assert len(beside.patches) == 1
    assert len(beside.patches[0].get_data().values) == len(day) - 1


def test_many_classes_have_one_scale(iris):
    clf, X, _ = iris
    drawn = PairDisplay.from_estimator(clf, X, ("x2", "x3"), cmap="gray")
    assert len({display.meshes_[0].get_clim() for display in drawn.displays}) == 1
    assert {display.meshes_[0].get_cmap().name for display in drawn.displays} == {"gray"}


@pytest.mark.parametrize("features", ["ab", ["hour"], ["city", "hour", "day"], 3])
def test_two_features_are_asked_for(outings, features):
    clf, X, _ = outings
    with pytest.raises(ValueError, match="features must be the names or numbers of two features; got"):
        PairDisplay.from_estimator(clf, X, features)


def test_a_pair_that_is_not_there(outings):
    clf, X, _ = outings
    with pytest.raises(ValueError, match=r"such as \('.*', '.*'\).* none of \('city', 'age'\)"):
        PairDisplay.from_estimator(clf, X, ("city", "age"))
