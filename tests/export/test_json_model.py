"""Files that are damaged or hostile are refused with a ValueError that names the file and the field."""

import copy
import json
import math
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from export.models import three_classes, two_classes
from frankboost.export import load, save, to_graphviz, to_text


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "model.json"
    save(two_classes()[0], path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """Three classes with calibration, only some rows, trees, thresholds and rounds of which are left."""
    path = tmp_path_factory.mktemp("document") / "model.json"
    save(three_classes()[0], path)
    document = json.loads(path.read_bytes())
    document["capped"] = [0, 2]
    for fit in document["fits"]:
        fit["distribution"] = [0.5, 0.25, 0.25]
        fit["trees"] = fit["trees"][:2]
        fit["weights"] = [0.75, 0.25] if len(fit["trees"]) == 2 else [1.0]
        fit["hypothesis_class"]["thresholds"] = [[1.0, 2.0]] * 4
        fit["trace"] = {name: column[:1] for name, column in fit["trace"].items()}
    return document


def paths(value, path=()):
    """The places of a document."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from paths(each, (*path, key))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def replaced(document, path, value):
    if not path:
        return value
    document = copy.deepcopy(document)
    at(document, path[:-1])[path[-1]] = value
    return document


def refuse(folder, document, match=None):
    path = folder / "bad model.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=match) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 800
    return str(caught.value)


def test_the_document_is_valid(document, tmp_path):
    (tmp_path / "model.json").write_text(json.dumps(document))
    assert load(tmp_path / "model.json").predict_proba([[np.nan] * 4]).shape == (1, 3)


def test_the_name_of_the_target_is_text(document, tmp_path):
    for name in (1, ["y"]):
        refuse(tmp_path, {**document, "target_name": name}, match="target_name: Expected `str | null`; got ")


def test_dates_are_columns_of_numbers(document, tmp_path):
    named = {**document, "feature_names_in": list("abcd")}
    for changed in ({**named, "dates": ["e"]}, {**document, "feature_names_in": None, "dates": ["a"]}):
        refuse(tmp_path, changed, match="dates must be names of columns without categories")


def test_every_field_is_needed(document, tmp_path):
    optional = 0
    for path in paths(document):
        if path and isinstance(path[-1], str):
            broken = copy.deepcopy(document)
            del at(broken, path[:-1])[path[-1]]
            if path[0] == "parameters" and len(path) > 1:  # they have a default
                (tmp_path / "model.json").write_text(json.dumps(broken))
                load(tmp_path / "model.json")
                optional += 1
            else:
                message = refuse(tmp_path, broken)
                assert "missing required field" in message or path[-1] in message
    assert optional > 5


def test_no_field_may_have_another_type(document, tmp_path):
    for path in paths(document):
        value = at(document, path)
        for other in (None, True, "x", [[]], {"x": 1}, 10**20, -7, 1e300, 0.123):
            names = ("parameters", "feature_names_in", "calibration", "library", "target_name", "weight_name")
            nullable = path[:1] in [(name,) for name in (*names, "dates")]
            plain = isinstance(other, float) and isinstance(value, float)
            if nullable or type(other) is type(value) or plain or (other == -7 and isinstance(value, float)):
                continue
            if other == 10**20 and isinstance(value, float):
                continue
            if path[-1:] in (("value",), ("in_use",)) and other == 0.123:  # what a leaf may vote
                continue
            refuse(tmp_path, replaced(document, path, other))


FIT, TREE = ("fits", 1), ("fits", 1, "trees", 0)


@pytest.mark.parametrize(
    ("path", "value", "match"),
    [
        (("format",), "pickle", "not a model of frankboost"),
        (("version",), 1, "version must be 2.*got 1"),
        (("version",), True, "version must be 2"),
        (("feature_names_in",), ["a", "b", "a", "c"], "feature_names_in must be distinct"),
        (("classifier",), "os.system", "classifier must be one of SoftMarginClassifier, "),
        (("classifier",), "SoftMarginBooster", "classifier must be one of"),
        (("parameters", "estimator"), "x", "parameters.estimator is no setting"),
        (("parameters", "callbacks"), [], "parameters.callbacks is no setting"),
        (("parameters", "fw_rule"), "away", "parameters.fw_rule is no setting of SoftMarginClassifier"),
        (("parameters", "nu"), 1.5, r"parameters.nu must be a number in \(0, 1\] or .auto.; got 1.5"),
        (("parameters", "n_jobs"), 10**9, "parameters.n_jobs"),
        (("parameters", "n_jobs"), 0, "parameters.n_jobs"),
        (("parameters", "class_weight"), [[9, 1.0]], "parameters.class_weight must be for classes of the"),
        (("parameters", "class_weight"), [[1, 1.0], [1, 1.0]], "of the model, each at most once"),
        (("parameters", "class_weight"), [[1, -1.0]], r"class_weight\[0\]\[1\]"),
        (("classes", "kind"), "datetime64", "classes.kind must be one of"),
        (("classes", "values"), [0, 1, 1], "classes.values must be distinct and sorted"),
        (("classes", "values"), [2, 1, 0], "classes.values must be distinct and sorted"),
        (("classes", "values"), [0], "classes.values: Expected `array` of length >= 2; got"),
        (("classes", "values"), [0, 1, 2**63], "classes.values must be of kind int64"),
        (("classes", "values"), [0, 1], "fits must have 1 entries; got 3"),
        (("n_features_in",), 2**31, "n_features_in: Expected `int` <= 2147483647; got 2147483648"),
        (("n_features_in",), 3, "feature_importances must have 3 entries; got 4"),
        (("feature_names_in",), ["a"], "feature_names_in must have 4 entries"),
        (("feature_names_in",), ["a", "b", "a", "d"], "feature_names_in must be distinct; got"),
        (("feature_importances",), [1.0], "feature_importances must have 4 entries"),
        (("capped",), [3], r"capped must be increasing and below 3; got \[3\]"),
        (("capped",), [1, 1], "capped must be increasing"),
        (("calibration", "b"), [1.0], "calibration.b must have 3 entries"),
        ((*FIT, "certificate", "soft_margin"), 7.0, r"fits\[1\].certificate.soft_margin"),
        ((*FIT, "certificate", "status"), "perfect", "certificate.status: Invalid enum value 'perfect'"),
        ((*FIT, "weights"), [0.5, 0.6], r"fits\[1\].weights must have sum 1; got 1.1"),
        ((*FIT, "weights"), [1.1, -0.1], r"fits\[1\].weights\[0\]: Expected `float` <= 1.000001; got 1.1"),
        ((*FIT, "weights"), [1.0, -0.1], r"fits\[1\].weights\[1\]: Expected `float` >= 0.0; got -0.1"),
        ((*FIT, "weights"), [1.0], r"fits\[1\].weights must have 2 entries"),
        ((*FIT, "weights"), [1e308, 1e308], r"fits\[1\].weights\[0\]: Expected `float` <= 1"),
        ((*FIT, "trees"), [], r"fits\[1\].trees: Expected `array` of length >= 1"),
        ((*FIT, "distribution"), [], "distribution: Expected `array` of length >= 1"),
        ((*FIT, "distribution"), [1.0], r"fits\[1\].distribution must have 3 entries; got 1"),
        ((*FIT, "hypothesis_class", "max_depth"), 0, "max_depth: Expected `int` >= 1; got 0"),
        ((*FIT, "hypothesis_class", "max_depth"), 1, r"must be a leaf, at depth 1"),
        (
            (*FIT, "hypothesis_class", "thresholds", 0),
            [2.0, 1.0],
            r"thresholds\[0\] must be increasing; got ",
        ),
        (
            (*FIT, "hypothesis_class", "thresholds", 0),
            [1.0, 1.0],
            r"thresholds\[0\] must be increasing; got ",
        ),
        (TREE, [], r"trees\[0\]: Expected `array` of length >= 1"),
        ((*TREE, 0, "feature"), 4, r"trees\[0\]\[0\].feature must be below 4; got 4"),
        ((*TREE, 0, "feature"), -1, "feature: Expected `int` >= 0; got -1"),
        ((*TREE, 0, "left"), 0, "left must be the number of a later node that has no other parent; got 0"),
        ((*TREE, 0, "left"), -1, "left: Expected `int` >= 0; got -1"),
        ((*TREE, 0, "left"), 7, "left must be the number of a later node that has no other parent; got 7"),
        ((*TREE, 0, "right"), 1, "right must be the number of a later node that has no other parent; got 1"),
        (
            (*TREE, 6),
            {"value": 1.5},
            r"trees\[0\]\[6\].value: Expected `float` <= 1.0; got 1.5",
        ),
        ((*TREE, 6), {"value": True}, "value: Expected `float`; got True"),
        ((*TREE, 6), {"value": 1, "code": "x"}, r"trees\[0\]\[6\]: Object contains unknown field `code`"),
        ((*FIT, "trace", "rule"), ["x"], r"trace.rule\[0\]: Invalid enum value 'x'"),
        ((*FIT, "trace", "round"), [2], r"trace.round must be 1, 2, 3, ...; got \[2\]"),
        ((*FIT, "trace", "gap"), ["Infinity"], r"trace.gap\[0\]"),
        ((*FIT, "trace", "gap"), [math.inf], r"trace.gap\[0\]: Expected `float` <= "),
        ((*FIT, "trace", "gap"), [math.nan], r"trace.gap\[0\]: Expected `float` >= "),
        ((*FIT, "weights"), [math.nan, 1.0], r"fits\[1\].weights\[0\]: Expected `float` >= 0.0; got nan"),
        ((*FIT, "distribution"), [math.inf] * 3, r"fits\[1\].distribution\[0\]: Expected `float` <= 1"),
        (
            (*FIT, "hypothesis_class", "thresholds", 0),
            [0.0, math.inf],
            r"thresholds\[0\]\[1\]: Expected `float` <=",
        ),
        ((*TREE, 0, "threshold"), math.nan, r"trees\[0\]\[0\].threshold: Expected `float` >="),
        (("feature_importances",), [math.nan] * 4, r"feature_importances\[0\]: Expected `float` >="),
        (
            ("calibration", "b"),
            [1.0, -5.0, 1.0],
            r"calibration.b\[1\]: Expected `float` >= 0.0; got -5",
        ),
        (("calibration", "a"), [-50.0] * 3, r"calibration.a\[0\]: Expected `float` >= 0.0; got -50"),
        (
            ("calibration", "b"),
            [1.0, 1.0, 1e308],
            r"calibration.b\[2\]: Expected `float` <= 1000000000.0; got",
        ),
        (("calibration", "intercept"), [-1e308] * 3, r"calibration.intercept\[0\]: Expected `float` >= -10+"),
        (("calibration", "b"), [-math.inf] * 3, r"calibration.b\[0\]: Expected `float` >="),
        (("parameters", "tol"), 10**400, "an integer has 401 digits"),
        (("parameters", "max_depth"), "x", "json: parameters.max_depth must be an integer >= 1; got 'x'"),
        ((*FIT, "certificate", "nu"), 10**24, "certificate.nu: Expected `float` <= 1.0; got 1000"),
        (("parameters", "nu"), math.nan, "parameters.nu: Expected `float` >= "),
        (
            ("parameters", "class_weight"),
            [[1, math.inf]],
            r"parameters.class_weight\[0\]\[1\]: Expected `float`",
        ),
        (
            ("classes",),
            {"kind": "float64", "values": [0.0, 1.0, math.inf]},
            r"classes.values\[2\]: Expected `float`",
        ),
        ((*FIT, "certificate", "bound"), "nan", "certificate.bound: Expected `float`; got 'nan'"),
    ],
)
def test_errors_name_the_field(document, tmp_path, path, value, match):
    refuse(tmp_path, replaced(document, path, value), match)


def test_trees_without_end_or_with_shared_branches(document, tmp_path):
    split = {"feature": 0, "threshold": 0.0, "missing_left": True}
    deep = replaced(document, (*FIT, "hypothesis_class", "max_depth"), 10**6)
    shared = [{**split, "left": k + 1, "right": k + 1} for k in range(40)] + [{"value": 1}]
    refuse(tmp_path, replaced(deep, TREE, shared), "has no other parent")
    chain = [
        node for k in range(500) for node in ({**split, "left": 2 * k + 1, "right": 2 * k + 2}, {"value": 1})
    ]
    chain.append({"value": -1})
    (tmp_path / "deep.json").write_text(json.dumps(replaced(deep, TREE, chain)))
    assert load(tmp_path / "deep.json").estimators_[1][0].depth() == 500
    shallow = replaced(document, (*FIT, "hypothesis_class", "max_depth"), 499)
    refuse(tmp_path, replaced(shallow, TREE, chain), "must be a leaf, at depth 499")
    stray = [{"value": 1}, {"value": 1}]
    refuse(tmp_path, replaced(deep, TREE, stray), r"\[1\] must be the child of a node before it")


def test_labels_that_would_take_much_memory(document, tmp_path):
    labels = ["a" * 10**5, *(f"b{k:04}" for k in range(10**4))]
    broken = replaced(document, ("classes",), {"kind": "str", "values": labels})
    refuse(tmp_path, broken, "classes.values must be shorter; got ")


def test_predictions_are_not_as_long_as_the_longest_label(document, tmp_path):
    labels = ["a", "b", "c" * 10**6]
    changed = replaced(document, ("classes",), {"kind": "str", "values": labels})
    (tmp_path / "model.json").write_text(json.dumps(changed))
    model = load(tmp_path / "model.json")
    predicted = model.predict(np.zeros((1000, model.n_features_in_)))
    assert predicted.nbytes <= 8 * 1000
    assert model.classes_.tolist() == labels


def test_files_cut_short(saved, tmp_path):
    for cut in [0, 1, *(len(saved) * k // 10 for k in range(1, 10)), len(saved) - 1]:
        (tmp_path / "model.json").write_bytes(saved[:cut])
        with pytest.raises(ValueError, match=r"model\.json: "):
            load(tmp_path / "model.json")


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "not a model of frankboost, or cut short: Expecting value"),
        (b"\xff\xfe\x00", "utf-8"),
        ("{}".encode("utf-16"), "utf-8"),
        (b"\xef\xbb\xbf{}", "BOM"),
        (b"\x80\x04\x95.", "utf-8"),
        (b"null", "not a model of frankboost"),
        (b"[]", "not a model of frankboost"),
        (b'"frankboost"', "not a model of frankboost"),
        (b'{"format": "frankboost"}', "version must be 2"),
        (b'{"format": "frankboost", "version": 2}', "the document: Object missing required field `library`"),
        (b'{"format": NaN}', "not a model of frankboost"),
        (b'{"format": -Infinity}', "not a model of frankboost"),
        (b'{"format": 1, "format": 2}', "has the member 'format' twice"),
        (b'{"format": ' + b"9" * 5000 + b"}", "an integer has 5000 digits"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
    ids=range(17),
)
def test_what_is_no_document(data, match, tmp_path):
    (tmp_path / "model.json").write_bytes(data)
    with pytest.raises(ValueError, match=r"model\.json: ") as caught:
        load(tmp_path / "model.json")
    assert re.search(match, str(caught.value))


def test_a_member_whose_name_looks_like_a_place(document, tmp_path):
    refuse(tmp_path, {**document, " - at `$.x[1]": 1}, "Object contains unknown field")


def test_duplicates_deep_inside(saved, tmp_path):
    (tmp_path / "model.json").write_bytes(saved.replace(b'"exact":', b'"nu": 0.5, "exact":'))
    with pytest.raises(ValueError, match="has the member 'nu' twice"):
        load(tmp_path / "model.json")


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "model.json")


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 1.0, -1.0, 5e-324, 1e308, 0.5, "nan", "inf", "balanced", "level", "float16"]),
    st.text(max_size=5),
    st.lists(st.integers(-2, 8), max_size=4),
    st.lists(st.floats(0, 1), max_size=4),
    st.just({}),
    st.just({"value": 1}),
)


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@settings(
    max_examples=max(400, settings().max_examples),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_changed_file_is_refused_or_predicts(document, tmp_path, data):
    changed = document
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(paths(changed))[1:]))
        value = data.draw(st.one_of(ANYTHING, st.sampled_from([at(changed, p) for p in paths(changed)])))
        changed = replaced(changed, path, value)
    file = tmp_path / "model.json"
    file.write_text(json.dumps(changed))
    try:
        model = load(file)
    except ValueError:
        return
    rows = np.vstack([np.full(4, np.nan), np.random.default_rng(0).normal(size=(5, 4)) * 5])
    votes = model.decision_function(rows)
    assert (np.abs(votes) <= 1.0).all()
    assert np.isfinite(model.predict_proba(rows)).all()
    assert set(model.predict(rows).tolist()) <= set(model.classes_.tolist())
    assert to_text(model)
    assert to_graphviz(model, label=model.classes_[0])
    save(model, file)
    np.testing.assert_array_equal(load(file).decision_function(rows), votes)
