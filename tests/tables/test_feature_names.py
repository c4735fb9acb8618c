"""The columns of a fit are noted and checked by their names, whatever scikit-learn reads itself."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frankboost import SoftMarginClassifier, verify

NAMES = [*"abcdefgh"]
X = np.random.default_rng(0).normal(size=(60, len(NAMES)))
Y = X[:, 0] + 0.3 * X[:, 1] > 0


class Named:
    """A frame of a library that scikit-learn does not know."""

    def __init__(self, columns):
        self.columns = list(columns)
        self.values = np.column_stack(list(columns.values()))
        self.shape = self.values.shape

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __len__(self):
        return len(self.values)


KINDS = [pd.DataFrame, pl.DataFrame, pa.table, Named]


def table(kind, names=NAMES):
    """The columns of the given names; those of the fit hold X."""
    return kind({name: X[:, NAMES.index(name) if name in NAMES else 0] for name in names})


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture
def fitted(kind):
    return SoftMarginClassifier(0.2).fit(table(kind), Y)


def test_names_are_noted(fitted):
    assert fitted.feature_names_in_.tolist() == NAMES
    assert fitted.feature_names_in_.dtype == object
    assert fitted.n_features_in_ == len(NAMES)


def test_another_order_is_an_error(fitted, kind):
    with pytest.raises(ValueError, match="Feature names must be in the same order as they were in fit"):
        fitted.predict(table(kind, NAMES[::-1]))
    with pytest.raises(ValueError, match=r"column 0 must be 'a'; got 'h'"):
        verify(fitted, table(kind, NAMES[::-1]), Y)


def test_unseen_and_missing_names_are_an_error(fitted, kind):
    with pytest.raises(ValueError, match="should match those that were passed during fit") as error:
        fitted.predict(table(kind, ["z", *NAMES[7:]]))
    assert "unseen at fit time:\n- z\n" in str(error.value)
    assert "yet now missing:\n- a\n- b\n- c\n- d\n- e\n- ...\n" in str(error.value)


@pytest.mark.parametrize("other", KINDS, ids=lambda kind: kind.__name__)
def test_kinds_may_change(fitted, other):
    np.testing.assert_array_equal(
        fitted.decision_function(table(other)), fitted.decision_function(table(pl.DataFrame))
    )


def test_an_array_after_names_and_names_after_an_array(fitted, kind):
    with pytest.warns(UserWarning, match="X does not have valid feature names, but SoftMargin"):
        fitted.predict(X)
    fitted.fit(X, Y)
    assert not hasattr(fitted, "feature_names_in_")
    with pytest.raises(ValueError, match="X has 2 features, but SoftMarginClassifier is expecting 8"):
        fitted.predict(X[:, :2])
    with pytest.warns(UserWarning, match="X has feature names, but SoftMargin"):
        fitted.predict(table(kind))


def test_names_that_are_not_text():
    assert not hasattr(SoftMarginClassifier(0.2).fit(pd.DataFrame(X), Y), "feature_names_in_")
    with pytest.raises(TypeError, match=r"your input has \['int', 'str'\] as feature name"):
        SoftMarginClassifier(0.2).fit(pd.DataFrame(X, columns=[*NAMES[:-1], 7]), Y)


def test_a_name_of_two_columns_of_pyarrow():
    twice = pa.Table.from_arrays([X[:, 0], X[:, 1]], names=["a", "a"])
    with pytest.raises(ValueError, match="'a' is the name of more than one"):
        SoftMarginClassifier(0.2).fit(twice, Y)


def test_text_of_polars_keeps_its_name():
    frame = table(pl.DataFrame).with_columns(pl.Series("size", np.where(X[:, 0] > 0, "big", "small")))
    clf = SoftMarginClassifier(0.2).fit(frame, Y)
    assert clf.feature_names_in_.tolist() == [*NAMES, "size"]
    assert list(clf.categories_) == ["size"]
    with pytest.raises(ValueError, match="in the same order"):
        clf.predict(frame.select("size", *NAMES))


def test_categories_of_pyarrow_are_refused():
    rows = {"a": X[:, 0], "size": np.where(X[:, 0] > 0, "big", "small")}
    message = "X must be an array or a data frame of pandas or polars to hold categories; got a Table"
    with pytest.raises(ValueError, match=message):
        SoftMarginClassifier(0.2, categorical_features=["size"]).fit(pa.table(rows), Y)
    clf = SoftMarginClassifier(0.2).fit(pd.DataFrame(rows), Y)
    with pytest.raises(ValueError, match=message):
        clf.predict(pa.table(rows))
