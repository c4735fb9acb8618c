"""What a notebook shows of a classifier."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_digits, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from frankboost import SoftMarginClassifier


@pytest.fixture(scope="module")
def data():
    X, y = load_iris(return_X_y=True)
    return X, y


@pytest.fixture(scope="module")
def fitted(data):
    X, y = data
    return SoftMarginClassifier(0.1).fit(X, y == 2)


def html(clf):
    return clf._repr_mimebundle_()["text/html"]


def test_before_a_fit_there_is_nothing_to_add():
    assert "class='frankboost'" not in html(SoftMarginClassifier())


def test_the_certificate_and_the_rounds_are_below_the_diagram(fitted):
    shown = html(fitted)
    assert shown.index("sk-top-container") < shown.index("class='frankboost'")
    assert shown.endswith(fitted.certificate_._repr_html_() + fitted.trace_._repr_html_())
    assert fitted._repr_html_().endswith(fitted.trace_._repr_html_())


def test_with_many_classes_each_certificate_is_shown(data):
    clf = SoftMarginClassifier(0.1).fit(*data)
    shown = html(clf)
    for label, certificate in zip(clf.classes_, clf.certificate_, strict=True):
        assert f"{label} against the rest" in shown
        assert certificate._repr_html_() in shown


def test_with_very_many_classes_the_first_ones_are():
    X, y = load_digits(return_X_y=True)
    y = y + 10 * (np.arange(len(y)) % 2)
    clf = SoftMarginClassifier(0.5, max_depth=1, max_iter=1).fit(X[:200], y[:200])
    assert "and 10 more classes" in html(clf)


def test_as_text_scikit_learn_decides(fitted):
    with config_context(display="text"):
        assert "text/html" not in fitted._repr_mimebundle_()


def test_a_pipeline_is_shown_as_before(fitted, data):
    X, y = data
    pipe = make_pipeline(StandardScaler(), SoftMarginClassifier(0.1)).fit(X, y == 2)
    assert "sk-top-container" in html(pipe)


def test_representations_are_short(fitted, data):
    X, y = data
    for each in (
        fitted.certificate_,
        fitted.trace_,
        fitted.model_,
        fitted.model_.ensembles[0],
        fitted.estimators_[0],
        fitted.hypothesis_class_,
        fitted.hard_examples(X, y == 2),
        SoftMarginClassifier().fit(X, y == 2).nu_path_,
    ):
        assert len(repr(each)) < 200
        assert repr(each).startswith(f"<{type(each).__name__}")


def test_a_round_is_short_as_well(data):
    X, y = data
    told = []
    SoftMarginClassifier(0.1, callbacks=[lambda event: told.append(repr(event))]).fit(X, y == 2)
    assert told[0].startswith("<Round 1: ")
    assert max(map(len, told)) < 100
