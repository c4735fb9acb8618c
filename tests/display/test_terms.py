"""The strongest terms, largest first."""

import numpy as np
import pytest

from frankboost.display import TermsDisplay


def test_bars_are_the_importances(outings):
    clf, X, _ = outings
    terms = clf.shapes(X).terms
    display = TermsDisplay.from_estimator(clf, X, most=4)
    assert [bar.get_width() for bar in display.bars_] == [term.importance for term in terms[:4]]
    names = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert names == [term.name for term in terms[:4]]
    colours = {
        len(term.features): bar.get_facecolor() for term, bar in zip(terms, display.bars_, strict=False)
    }
    assert colours[1] != colours[2]


def test_weights_count(outings):
    clf, X, y = outings
    display = TermsDisplay.from_estimator(clf, X, sample_weight=np.asarray(y, dtype=float))
    assert display.terms[0].importance == clf.shapes(X, y).terms[0].importance
    assert display.terms[0].importance != clf.shapes(X).terms[0].importance


def test_with_labels_it_is_what_the_terms_are_worth(outings):
    clf, X, y = outings
    labels = np.where(y, "in", "out")
    display = TermsDisplay.from_estimator(clf, X, labels, most=3)
    worth = clf.shapes(X).worth(X, labels)
    np.testing.assert_array_equal(display.sizes, np.sort(worth)[::-1][:3])
    assert display.ax_.get_xlabel() == "covariance of effect and label"


def test_many_classes(iris):
    clf, X, _ = iris
    assert TermsDisplay.from_estimator(clf, X).titles == ["setosa", "versicolor", "virginica"]


def test_errors(outings):
    clf, X, _ = outings
    with pytest.raises(ValueError, match="most must be an integer >= 1; got 0"):
        TermsDisplay.from_estimator(clf, X, most=0)
