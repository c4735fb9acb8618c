"""Models that split categories, in other formats."""

import json

import numpy as np
import pandas as pd
import pytest

from frankboost import SoftMarginClassifier, SoftMarginClassifierCV, load, save, verify
from frankboost.display import TreeDisplay
from frankboost.export import to_graphviz, to_onnx, to_shap, to_text

rng = np.random.default_rng(0)
COLOURS = np.array(["red", "green", "blue", "grey"])
X = pd.DataFrame(
    {
        "size": rng.normal(size=200),
        "colour": pd.Categorical(rng.choice(COLOURS, 200)),
        "grade": pd.Categorical(rng.integers(1, 4, 200)),
    }
)
X.loc[::17, "colour"] = np.nan
y = np.where((X["colour"].isin(["red", "blue"])) ^ (X["size"] > 0.5) ^ (rng.random(200) < 0.1), "in", "out")


@pytest.fixture(scope="module")
def model():
    return SoftMarginClassifier(0.2).fit(X, y)


def test_json_keeps_the_categories(model, tmp_path):
    save(model, tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    unknown = X.astype({"colour": object}).assign(colour=lambda frame: frame["colour"].replace("red", "new"))
    unknown["colour"] = pd.Categorical(unknown["colour"])
    for rows in (X, unknown):
        np.testing.assert_array_equal(again.decision_function(rows), model.decision_function(rows))
    assert again.categories_.keys() == {"colour", "grade"}
    assert again.categories_["grade"].tolist() == [1, 2, 3]
    verify(again, X, y)


def test_json_of_a_chosen_nu(tmp_path):
    model = SoftMarginClassifierCV([0.3, 0.2], cv=2, calibration=2).fit(X, y)
    save(model, tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def columns_by_number(tmp_path):
    table = np.column_stack([X["size"], X["colour"].astype(object), X["grade"].astype(float)]).astype(object)
    model = SoftMarginClassifier(0.3, categorical_features=[1, 2]).fit(table, y)
    save(model, tmp_path / "model.json")
    return model, table


def test_json_of_columns_by_number(tmp_path):
    model, table = columns_by_number(tmp_path)
    again = load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(table), model.predict(table))
    assert again.get_params()["categorical_features"] == [1, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d: d["categories"][0].update(column=7),
            r"categories must be increasing and below 3; got \[7, 2\]",
        ),
        (
            lambda d: d["categories"][0]["values"].pop(),
            r"how many each column has, \[0, 3, 3\]; got \[0, 4, 3\]",
        ),
        (
            lambda d: d["categories"][0]["values"].__setitem__(0, []),
            r"categories\[0\].values\[0\]: Expected `.*str`; got \[\]",
        ),
        (lambda d: d["categories"][0]["values"].__setitem__(0, "red"), "must be distinct"),
        (lambda d: d["categories"][0].update(values=list(range(256))), "Expected `array` of length <= 255"),
        (lambda d: d["categories"][0].update(values=[]), "Expected `array` of length >= 1"),
        (lambda d: d["categories"].pop(), r"how many each column has, \[0, 4, 0\]; got \[0, 4, 3\]"),
        (lambda d: split(d).update(categories=[9]), r"categories must be increasing and below 4; got \[9\]"),
        (lambda d: split(d).update(categories=[1, 0]), "must be increasing"),
        (
            lambda d: split(d).update(feature=0),
            "must have a threshold and no categories, as those of feature 0 do",
        ),
        (lambda d: d["fits"][0]["hypothesis_class"].update(categories=[0, 999, 3]), "Expected `int` <= 255"),
    ],
)
def test_what_is_wrong_is_named(model, tmp_path, change, message):
    path = tmp_path / "model.json"
    save(model, path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=message):
        load(path)


def split(document):
    """A split of categories."""
    nodes = (node for tree in document["fits"][0]["trees"] for node in tree)
    return next(node for node in nodes if "categories" in node)


def test_categories_that_json_cannot_hold(tmp_path):
    days = pd.Series(pd.Categorical(pd.to_datetime(["2020-01-01", "2020-01-02"] * 100)))
    model = SoftMarginClassifier(0.3).fit(X.assign(day=days), y)
    with pytest.raises(TypeError, match="categories that are strings, numbers or bools"):
        save(model, tmp_path / "model.json")


def test_words(model):
    text = to_text(model)
    assert " in {" in text
    assert any(colour in text for colour in COLOURS)
    sets = [(tree.set_index >= 0).any() for tree in model.estimators_]
    number = sets.index(True)
    assert "colour in {" in to_graphviz(model, number) or "grade in {" in to_graphviz(model, number)
    display = TreeDisplay.from_estimator(model, number)
    assert any(" in {" in box.get_text() for box in display.boxes_)


@pytest.mark.parametrize(("export", "target"), [(to_onnx, "ONNX"), (to_shap, "shap")])
def test_formats_without_categories_refuse(model, export, target):
    with pytest.raises(ValueError, match=f"must not split categories to be exported to {target}"):
        export(model)
