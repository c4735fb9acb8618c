"""Models that split categories, in other formats."""

import json

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest

from frankboost import SoftMarginClassifier, SoftMarginClassifierCV, load, save, verify
from frankboost.display import TreeDisplay
from frankboost.export import to_graphviz, to_numbers, to_onnx, to_shap, to_text

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
            r"the number of categories per column, \[0, 3, 3\]; got \[0, 4, 3\]",
        ),
        (
            lambda d: d["categories"][0]["values"].__setitem__(0, []),
            r"categories\[0\].values\[0\]: Expected `.*str`; got \[\]",
        ),
        (lambda d: d["categories"][0]["values"].__setitem__(0, "red"), "must be distinct"),
        (lambda d: d["categories"][0].update(values=list(range(256))), "Expected `array` of length <= 255"),
        (lambda d: d["categories"][0].update(values=[]), r"the number of categories per column, \[0, 0, 3\]"),
        (
            lambda d: d["categories"].pop(),
            r"the number of categories per column, \[0, 4, 0\]; got \[0, 4, 3\]",
        ),
        (lambda d: split(d).update(categories=[9]), r"categories must be increasing and below 4; got \[9\]"),
        (lambda d: split(d).update(categories=[1, 0]), "must be increasing"),
        (
            lambda d: split(d).update(feature=0),
            "must have a threshold and no categories, because feature 0 holds numbers",
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


def strange_rows(count=1000, seed=3):
    """Rows with categories that were not fitted, and with gaps."""
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame(
        {
            "size": rng.normal(size=count),
            "colour": rng.choice([*COLOURS, "purple", ""], count),
            "grade": rng.choice([1.0, 2.0, 3.0, 2.5, 9.0], count),
        }
    )
    return rows.mask(rng.random(rows.shape) < 0.1)


def as_inputs(rows, kind=np.float64):
    text = {"colour": rows[["colour"]].fillna("none").to_numpy(object)}
    return {name: rows[[name]].to_numpy(kind) for name in rows if name not in text} | text


def onnx_says(model, inputs, **settings):
    proto = to_onnx(model, **settings)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    assert [each.name for each in session.get_inputs()] == list(inputs)
    return session.run(["label", "votes", "probabilities"], inputs)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_onnx_takes_the_columns_as_they_are(depth, classes):
    labels = y if classes == 2 else np.where(X["grade"] == 2, "other", y)
    model = SoftMarginClassifier(0.2, 0.05, max_depth=depth, calibration=2).fit(X, labels)
    rows = strange_rows()
    label, votes, probabilities = onnx_says(model, dict(sorted(as_inputs(rows).items(), key=by_column)))
    np.testing.assert_allclose(votes, model.decision_function(rows), rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(probabilities, model.predict_proba(rows), rtol=0.0, atol=1e-12)
    np.testing.assert_array_equal(label, model.predict(rows))


def by_column(pair):
    return list(X).index(pair[0])


def test_onnx_of_columns_whose_names_are_used_within():
    table = X.rename(columns={"size": "total", "grade": "frankboost"})
    model = SoftMarginClassifier(0.3, 0.05).fit(table, y)
    rows = strange_rows().set_axis(list(table), axis=1)
    rows["total"] = rows["total"].astype(np.float32)
    inputs = {name: as_inputs(rows, np.float32)[name] for name in rows}
    votes = onnx_says(model, inputs, dtype="float32")[1]
    np.testing.assert_allclose(votes, model.decision_function(rows), rtol=0.0, atol=1e-12)
    with pytest.raises(ValueError, match="must not have a column 'votes', as an output has that name"):
        to_onnx(SoftMarginClassifier(0.3, 0.05).fit(X.rename(columns={"size": "votes"}), y))


def test_onnx_of_columns_without_names(tmp_path):
    model, table = columns_by_number(tmp_path)
    inputs = {
        "x0": table[:, [0]].astype(float),
        "x1": np.where(pd.isna(table[:, [1]]), "", table[:, [1]]),
        "x2": table[:, [2]].astype(float),
    }
    np.testing.assert_array_equal(onnx_says(model, inputs)[0], model.predict(table))


def test_a_column_of_text_without_any(tmp_path):
    table = X.assign(note=pd.Series([None] * 200, dtype="string"))
    model = SoftMarginClassifier(0.3, 0.05).fit(table, y)
    assert model.categories_["note"].tolist() == []
    save(model, tmp_path / "model.json")
    for rows in (table, table.assign(note="new")):
        np.testing.assert_array_equal(load(tmp_path / "model.json").predict(rows), model.predict(rows))
    inputs = as_inputs(table.drop(columns="note").astype({"colour": object}))
    inputs = {name: inputs[name] for name in X} | {"note": np.full((200, 1), "")}
    np.testing.assert_array_equal(onnx_says(model, inputs)[0], model.predict(table))


def test_onnx_of_mixed_categories_is_refused():
    mixed = X.assign(colour=X["colour"].astype(object).replace("red", 7))
    model = SoftMarginClassifier(0.3, 0.05).fit(mixed, y)
    with pytest.raises(ValueError, match=r"all text or all numbers .* those of column 'colour' are neither"):
        to_onnx(model)


def test_shap_values_are_shapley_values(model):
    shap = pytest.importorskip("shap")
    rows, background = to_numbers(model, strange_rows(20)), to_numbers(model, X[:50])
    explainer = shap.TreeExplainer(to_shap(model), background, feature_perturbation="interventional")
    votes = model.model_.votes

    def worth(features, row):
        """The mean vote if these features are the row's, and the others a background row's."""
        mixed = background.copy()
        mixed[:, features] = row[features]
        return votes(mixed).mean()

    share = {0: 1 / 3, 1: 1 / 6, 2: 1 / 3}  # |S|! (n - |S| - 1)! / n!
    for row, found in zip(rows, explainer.shap_values(rows), strict=True):
        for f in range(3):
            others = [g for g in range(3) if g != f]
            sets = [[], *([g] for g in others), others]
            expected = sum(share[len(s)] * (worth([*s, f], row) - worth(s, row)) for s in sets)
            assert found[f] == pytest.approx(expected, abs=1e-6)


def test_numbers_of_a_table(model):
    numbers = to_numbers(model, pd.DataFrame({"size": [0.5], "colour": ["purple"], "grade": [3]}))
    np.testing.assert_array_equal(numbers, [[0.5, np.nan, 2.0]])
    with pytest.raises(TypeError, match="model must be a fitted classifier of frankboost"):
        to_numbers(None, X)
