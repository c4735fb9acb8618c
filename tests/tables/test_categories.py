"""Categorical columns: encoded as what they are, fitted to the optimum, verified, predicted when unknown."""

import copy
import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import reference
from frankboost import (
    BestTree,
    CERLPBoostClassifier,
    CertificateError,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    SoftMarginClassifierCV,
    verify,
)
from frankboost.tables import categories as table_categories
from frankboost.tables.categories import category_array, category_column, columns_in_cells
from records import with_nodes

COLOURS = np.array(["red", "green", "blue", "grey", "black"])
CITIES = np.array([f"city {k:02d}" for k in range(15)])


def table(rows=150, seed=0, missing=0.1):
    """A frame of a number, few and many categories, and labels that need all three."""
    rng = np.random.default_rng(seed)
    size, colour, city = rng.normal(size=rows), rng.integers(0, 5, rows), rng.integers(0, 15, rows)
    y = np.where(size + (colour % 2) + (city % 3 == 0) + 0.4 * rng.normal(size=rows) > 1, "yes", "no")
    frame = pd.DataFrame({"size": size, "colour": COLOURS[colour], "city": CITIES[city]})
    for name in frame:
        frame[name] = frame[name].where(rng.random(rows) >= missing)
    return frame, y


def typed(frame):
    return frame.astype({"colour": "category", "city": "category"})


def as_polars(frame):
    plain = {name: [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame}
    return pl.DataFrame(
        {**plain, "colour": pl.Series(plain["colour"], dtype=pl.Enum(COLOURS.tolist()))}
    ).with_columns(pl.col("city").cast(pl.Categorical))


def as_objects(frame):
    return frame.astype(object).to_numpy()


# The same table in every form gives the same model.


@pytest.mark.parametrize(
    ("form", "features"),
    [
        (lambda frame: frame, ["colour", "city"]),
        (lambda frame: frame, ("city", 1)),
        (lambda frame: frame, [False, True, True]),
        (lambda frame: frame, np.array([1, 2])),
        (as_polars, None),
        (lambda frame: frame, None),
        (lambda frame: frame.astype({"colour": object, "city": "string"}), None),
        (lambda frame: frame.astype({"city": pd.ArrowDtype(pa.large_string())}), None),
        (lambda frame: as_polars(frame).cast({"city": pl.String}), None),
        (lambda frame: as_polars(frame).cast({"city": pl.String}), ["colour", "city"]),
        (as_objects, [1, 2]),
        (lambda frame: as_objects(frame).tolist(), [1, 2]),
        (lambda frame: as_objects(frame).tolist(), [False, True, True]),
    ],
)
def test_forms_of_a_table_give_the_same_model(form, features):
    frame, y = table()
    plain = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    clf = SoftMarginClassifier(0.3, 0.05, categorical_features=features).fit(form(frame), y)
    assert clf.certificate_.soft_margin == pytest.approx(plain.certificate_.soft_margin, abs=0.05)
    assert sorted(map(len, clf.categories_.values())) == [5, 15]
    assert clf.hypothesis_class_.categories == (0, 5, 15)
    assert verify(clf, form(frame), y).bound == pytest.approx(clf.certificate_.bound, abs=1e-9)
    # Rows are encoded by value, whatever holds them.
    for other in (typed(frame), as_polars(frame)):
        if hasattr(clf, "feature_names_in_"):
            np.testing.assert_array_equal(clf.decision_function(other), clf.decision_function(form(frame)))


def test_the_same_order_of_categories_gives_the_same_bits():
    frame, y = table()
    by_name = SoftMarginClassifier(0.3, 0.05, categorical_features=["colour", "city"]).fit(frame, y)
    by_type = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    by_number = SoftMarginClassifier(0.3, 0.05, categorical_features=[1, 2]).fit(as_objects(frame), y)
    for clf in (by_type, by_number):
        assert clf.certificate_ == by_name.certificate_
        np.testing.assert_array_equal(clf.distribution_, by_name.distribution_)
    assert list(by_name.categories_) == ["colour", "city"]
    assert list(by_number.categories_) == [1, 2]
    assert by_type.categories_["colour"].tolist() == sorted(COLOURS.tolist())
    assert list(by_type.feature_names_in_) == ["size", "colour", "city"]


def test_declared_order_is_kept_and_what_does_not_occur_is_left_out():
    kind = pd.CategoricalDtype(["z", "never", "a"])
    frame = pd.DataFrame({"x": pd.Series(["a", "z", None, "a", "z", "a"], dtype=kind)})
    clf = SoftMarginClassifier(0.5).fit(frame, [1, 0, 0, 1, 0, 1])
    assert clf.categories_["x"].tolist() == ["z", "a"]
    np.testing.assert_array_equal(clf.predict(frame), [1, 0, 0, 1, 0, 1])


def test_objects_are_categories_if_text_is_among_them():
    frame = pd.DataFrame({"n": [1, 2.5, None, 4], "x": ["1", "2", None, "1"], "mixed": [1, "a", 1, None]})
    clf = SoftMarginClassifier(0.5).fit(frame.astype(object), [0, 1, 0, 1])
    assert {key: known.tolist() for key, known in clf.categories_.items()} == {
        "x": ["1", "2"],
        "mixed": [1, "a"],
    }


def test_numbers_are_categories_if_told_so():
    rng = np.random.default_rng(0)
    X = rng.choice([10.0, -3.5, 7.0, np.nan, 1e6], (200, 1))
    y = np.isin(X[:, 0], [10.0, 1e6]) ^ (rng.random(200) < 0.1)
    clf = SoftMarginClassifier(0.5, max_depth=1, categorical_features=[0]).fit(X, y)
    assert clf.categories_[0].tolist() == [-3.5, 7.0, 10.0, 1e6]
    assert clf.score(X, y) > 0.85
    verify(clf, X, y)
    np.testing.assert_array_equal(clf.predict(X.astype(object)), clf.predict(X))


@pytest.mark.parametrize("dtype", [float, np.float32, object])
def test_numbers_are_numbered_and_what_is_none_is_not(dtype):
    column = category_column(np.array([[3, np.nan, -1, 3]], dtype=dtype).T, 0)
    assert [column.values[k] for k in column.code[[0, 2, 3]]] == [3.0, -1.0, 3.0]
    assert column.code[1] == -1
    assert sorted(column.values) == [-1.0, 3.0]


def test_without_categories_nothing_is_encoded():
    frame, y = table()
    clf = SoftMarginClassifier(0.3).fit(frame[["size"]], y)
    assert clf.categories_ == {}
    assert all(len(tree.sets) == 0 for tree in clf.estimators_)
    assert "categor" not in clf.certificate_.hypothesis_class
    empty = SoftMarginClassifier(0.3, categorical_features=[]).fit(frame[["size"]], y)
    assert empty.certificate_ == clf.certificate_


# The optimum, and what proves it.


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("C", [1, 4, 10])
def test_the_optimum_is_that_of_the_enumerated_class(C, missing, depth):
    rng = np.random.default_rng(C)
    m, nu = 11, 0.3
    X = np.column_stack([rng.integers(0, C, m), rng.integers(0, 3, m)]).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    y = rng.choice([-1, 1], m)
    clf = LPBoostClassifier(nu, 1e-6, max_depth=depth, categorical_features=[0]).fit(X, y)
    codes = X.copy()
    known = clf.categories_[0].tolist()
    codes[:, 0] = [np.nan if np.isnan(x) else known.index(x) for x in X[:, 0]]
    H = reference.tree_values(codes, depth, categorical=(0,))
    optimum = reference.game_value((H * y).T, np.full(m, 1 / (nu * m)))
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.soft_margin - 1e-9 <= optimum <= clf.certificate_.bound + 1e-9
    verify(clf, X, y)


@pytest.mark.parametrize(
    "clf",
    [
        SoftMarginClassifier(0.3, 0.05),
        SoftBoostClassifier(0.3, 0.1),
        LPBoostClassifier(0.3, 0.05),
        ERLPBoostClassifier(0.3, 0.1),
        CERLPBoostClassifier(0.3, max_iter=30),
        MLPBoostClassifier(0.3, 0.05),
        SoftMarginClassifierCV([0.4, 0.3], 0.05, cv=2),
        SoftMarginClassifier(0.3, 0.05, max_bins=None, columns_per_round=3),
        SoftMarginClassifier(0.3, 0.05, max_depth=1),
        SoftMarginClassifier(0.3, 0.05, max_depth=3),
        SoftMarginClassifier(0.3, 0.05, estimator=BestTree(max_bins=5)),
    ],
    ids=lambda clf: f"{type(clf).__name__}-{clf.max_depth}",
)
def test_every_classifier_verifies(clf):
    frame, y = table()
    clf = clone(clf).fit(typed(frame), y)
    assert "subsets of categories" in clf.certificate_.hypothesis_class
    verify(clf, typed(frame), y)
    assert clf.score(typed(frame), y) > 0.75


def test_the_class_is_declared():
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    assert clf.certificate_.hypothesis_class == (
        "depth-2 trees over 3 features, all thresholds and subsets of categories "
        "(above another split one against the rest if there are more than 8)"
    )


def test_threads_give_the_same_model():
    frame, y = table(400)
    one, two = (SoftMarginClassifier(0.3, n_jobs=jobs).fit(typed(frame), y) for jobs in (1, 2))
    assert one.certificate_ == two.certificate_
    np.testing.assert_array_equal(one.distribution_, two.distribution_)


def test_a_weight_of_two_is_the_row_twice_and_of_none_no_row():
    frame, y = table()
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    frame.loc[weight == 0, "city"] = "nowhere"  # rows without weight teach no categories
    weighted = SoftMarginClassifier(0.3, 1e-4, categorical_features=[1, 2]).fit(frame, y, weight)
    rows = np.repeat(np.arange(len(y)), weight)
    repeated = SoftMarginClassifier(0.3, 1e-4, categorical_features=[1, 2]).fit(frame.iloc[rows], y[rows])
    assert weighted.categories_["city"].tolist() == repeated.categories_["city"].tolist()
    assert weighted.certificate_.soft_margin <= repeated.certificate_.bound + 1e-9
    assert repeated.certificate_.soft_margin <= weighted.certificate_.bound + 1e-9
    verify(weighted, frame, y, weight)
    verify(repeated, frame.iloc[rows], y[rows])


def test_merged_rows_give_the_same_optimum(monkeypatch):
    frame, y = table(600, missing=0.05)
    few = typed(frame)[["colour", "city"]]
    merged = SoftMarginClassifier(0.3, 1e-4).fit(few, y)
    monkeypatch.setattr("frankboost.fitting.problems.MOST_DISTINCT", -1.0)
    plain = SoftMarginClassifier(0.3, 1e-4).fit(few, y)
    for clf in (merged, plain):
        verify(clf, few, y)
    assert merged.certificate_.soft_margin <= plain.certificate_.bound + 1e-9
    assert plain.certificate_.soft_margin <= merged.certificate_.bound + 1e-9


def test_all_thresholds_beside_categories():
    frame, y = table(1500)
    clf = SoftMarginClassifier(0.3, 0.05, max_bins=None).fit(typed(frame), y)
    assert clf.certificate_.status == "optimal"
    verify(clf, typed(frame), y)


def test_many_classes():
    frame, _ = table(200)
    y = np.where(frame["size"].fillna(0) > 0.5, "large", np.where(frame["colour"] == "red", "red", "other"))
    clf = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    assert len(verify(clf, typed(frame), y)) == 3
    assert clf.score(typed(frame), y) > 0.95


# Forgery.


def forged(clf, change):
    clf = copy.deepcopy(clf)
    for j, tree in enumerate(clf.estimators_):
        [nodes] = np.nonzero((tree.feature >= 0) & np.isnan(tree.threshold))
        if len(nodes):
            clf.estimators_[j] = change(tree, int(nodes[0]))
            return clf
    raise AssertionError("no tree splits categories")


def with_word(tree, k, change):
    sets = tree.sets.copy()
    sets[tree.set_index[k], 0] = change(sets[tree.set_index[k], 0])
    return dataclasses.replace(tree, sets=sets)


def with_sets(tree, sets):
    return dataclasses.replace(tree, sets=sets)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tree, k: with_word(tree, k, lambda word: word ^ np.uint64(3)), "soft_margin: claimed"),
        (
            lambda tree, k: with_word(tree, k, lambda word: np.uint64(1 << 40)),
            "categories of feature .*, found another",
        ),
        (lambda tree, k: with_sets(tree, tree.sets[:0]), "claimed a split, found nan and set 0"),
        (lambda tree, k: with_sets(tree, tree.sets[:, :-1]), "claimed sets of categories, found"),
        (lambda tree, k: with_sets(tree, tree.sets.astype(np.int64)), "claimed sets of categories, found"),
        (lambda tree, k: with_nodes(tree, threshold=1.5), "claimed a split, found 1.5 and set 0"),
        (lambda tree, k: with_nodes(tree, set_index=-2), "claimed a split, found nan and set -2"),
        (lambda tree, k: with_nodes(tree, set_index=-1, threshold=1.5), "claimed a declared threshold"),
    ],
)
def test_forged_sets_are_noticed(change, message):
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05, max_depth=1).fit(typed(frame), y)
    with pytest.raises(CertificateError, match=message):
        verify(forged(clf, change), typed(frame), y)


def test_a_root_outside_the_class_is_noticed():
    frame, y = table()
    cities = typed(frame)[["city"]]
    clf = SoftMarginClassifier(0.3, 0.05).fit(cities, y)
    tree = clf.estimators_[0]
    clf.estimators_[0] = with_word(tree, 0, lambda word: np.uint64(7))
    with pytest.raises(CertificateError, match="claimed one of 15 categories, found 3 against the rest"):
        verify(clf, cities, y)


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        ((0, 5), "categories: claimed for 3 features, found 2"),
        ((0, 4, 15), "categories of feature 1: claimed 4, found 4"),
        ((0, 5, 300), "categories of feature 2: claimed 0 to 255 of them, found 300"),
        ((0, 9, 15), "bound: claimed|claimed one of 9"),
        ((0, 0, 15), "claimed a split of numbers, found one of categories"),
    ],
)
def test_another_class_is_noticed(categories, message):
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    clf.hypothesis_class_ = dataclasses.replace(clf.hypothesis_class_, categories=categories)
    with pytest.raises(CertificateError, match=message):
        verify(clf, typed(frame), y)


def test_swapped_categories_are_noticed():
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    clf.categories_["city"] = clf.categories_["city"][::-1]
    with pytest.raises(CertificateError, match="claimed"):
        verify(clf, typed(frame), y)


# Prediction.


def test_unknown_categories_are_missing_ones():
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    unknown, absent = frame.copy(), frame.copy()
    unknown["colour"], absent["colour"] = "purple", None
    unknown["city"], absent["city"] = "nowhere", None
    np.testing.assert_array_equal(clf.decision_function(unknown), clf.decision_function(absent))
    np.testing.assert_array_equal(clf.decision_function(typed(unknown)), clf.decision_function(absent))
    np.testing.assert_array_equal(clf.decision_function(as_polars(absent)), clf.decision_function(absent))


def test_numbers_are_no_text_and_text_is_no_numbers():
    frame, y = table(missing=0.0)
    frame["code"] = np.arange(150) % 7
    clf = SoftMarginClassifier(0.3, 0.05, categorical_features=["colour", "city", "code"]).fit(frame, y)
    with pytest.raises(
        ValueError, match="column 'city' of X must hold text, such as 'city 00', as in the fit; "
    ):
        clf.predict(frame.assign(city=3))
    with pytest.raises(
        ValueError, match="must hold numbers, such as 0, as in the fit; got text, such as '0'"
    ):
        clf.predict(frame.assign(code=frame["code"].astype(str)))
    clf.predict(frame.assign(code=frame["code"].astype(float), city=None))


def test_a_column_that_a_few_cells_turn_into_text_is_named(recwarn):
    frame, y = table(missing=0.0)
    frame["age"] = [str(age) for age in np.arange(150) % 60]
    with pytest.warns(UserWarning, match="column 'age' .* only numbers"):
        SoftMarginClassifier(0.3, 0.05).fit(frame, y)
    recwarn.clear()
    frame.loc[[7, 9], "age"] = "unknown"
    SoftMarginClassifier(0.3, 0.05, categorical_features=["age", "colour", "city"]).fit(frame, y)
    SoftMarginClassifier(0.3, 0.05).fit(frame.astype({"age": "category"}), y)
    assert not recwarn.list
    with pytest.warns(
        UserWarning, match="column 'age' .* except in 2 cells, such as 'unknown'; make"
    ) as told:
        SoftMarginClassifier(0.3, 0.05).fit(frame, y)
    assert [Path(each.filename).name for each in told] == [Path(__file__).name]


def test_unknown_categories_go_where_more_weight_went():
    frame = pd.DataFrame({"x": pd.Categorical(list("aabbbc"))})
    clf = SoftMarginClassifier(1.0, max_depth=1).fit(frame, [1, 1, 0, 0, 0, 0])
    assert clf.predict(pd.DataFrame({"x": ["d", None, "a"]})).tolist() == [0, 0, 1]


def test_categories_of_the_learner_are_those_of_the_estimator():
    frame, y = table()
    codes = frame.assign(city=frame["city"].str[5:].astype(float) * 10.0)
    of_learner = SoftMarginClassifier(0.3, 0.05, estimator=BestTree(categorical=(2,)))
    of_learner.set_params(categorical_features=["colour"]).fit(codes, y)
    of_both = SoftMarginClassifier(0.3, 0.05, categorical_features=["colour", "city"]).fit(codes, y)
    assert of_learner.certificate_ == of_both.certificate_
    assert list(of_learner.categories_) == ["colour", "city"]
    verify(of_learner, codes, y)
    unknown, absent = codes.assign(city=7.0), codes.assign(city=np.nan)
    np.testing.assert_array_equal(of_learner.decision_function(unknown), of_learner.decision_function(absent))


def test_pickle_clone_and_warm_start():
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05, categorical_features=["colour", "city"], warm_start=True)
    clf.fit(frame, y)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.decision_function(frame), clf.decision_function(frame))
    assert clone(clf).get_params() == clf.get_params()
    rounds = clf.n_iter_
    verify(clf.fit(frame, y), frame, y)
    assert clf.n_iter_ < rounds
    # Trees of other categories are no start.
    other = frame.assign(city=frame["city"].str.upper().str.replace("CITY 00", "zero"))
    verify(clf.fit(other, y), other, y)


def test_a_warm_start_with_deeper_trees_keeps_to_the_sets_of_their_roots():
    """Stumps send any set of many categories to one side; roots of deeper trees do not."""
    frame, y = table()
    cities = typed(frame)[["size", "city"]]
    clf = SoftMarginClassifier(0.3, 0.05, max_depth=1, warm_start=True).fit(cities, y)
    assert any(len(tree.categories(0)) > 1 for tree in clf.estimators_)
    verify(clf.set_params(max_depth=2, max_iter=1).fit(cities, y), cities, y)


def test_pipelines_and_searches():
    frame, y = table()
    frame = frame.fillna({"colour": "none", "city": "none", "size": 0.0})
    encoded = make_pipeline(
        ColumnTransformer(
            [("one", OneHotEncoder(), ["colour", "city"])], remainder="passthrough", sparse_threshold=0
        ),
        SoftMarginClassifier(0.3, 0.05),
    ).fit(frame, y)
    assert encoded[-1].categories_ == {}
    scores = cross_val_score(SoftMarginClassifier(0.3, 0.05), typed(frame), y, cv=3)
    assert scores.mean() > 0.6
    search = GridSearchCV(SoftMarginClassifier(tol=0.05), {"nu": [0.2, 0.5]}, cv=2).fit(typed(frame), y)
    verify(search.best_estimator_, typed(frame), y)


def test_calibration_importances_and_stages():
    frame, y = table()
    clf = SoftMarginClassifier(0.3, 0.05, calibration=2).fit(typed(frame), y)
    assert clf.predict_proba(typed(frame)).shape == (len(y), 2)
    assert clf.feature_importances_.sum() == pytest.approx(1.0)
    *_, last = clf.staged_decision_function(typed(frame))
    np.testing.assert_allclose(last, clf.decision_function(typed(frame)), atol=1e-12)
    assert len(clf.hard_examples(typed(frame), y)) > 0


def test_cross_validated_nu_sees_the_same_categories():
    frame, y = table()
    by_type = SoftMarginClassifierCV([0.5, 0.3], 0.05, cv=2).fit(typed(frame), y)
    by_name = SoftMarginClassifierCV([0.5, 0.3], 0.05, cv=2, categorical_features=["colour", "city"])
    by_name.fit(frame, y)
    np.testing.assert_array_equal(
        by_type.cv_results_["mean_test_score"], by_name.cv_results_["mean_test_score"]
    )
    assert set(by_name.categories_) == {"colour", "city"}


# What is refused.


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (["color"], "got 'color', but X has .* the names 'size', 'colour', 'city'"),
        ([3], "got 3, but X has columns with the numbers 0 to 2"),
        ([-1], "got -1, but X has columns with the numbers 0 to 2"),
        ([True, False], "a mask must have one entry for each of the 3 columns; got 2"),
        ([1.5], "got 1.5, but X has columns"),
        ([1, True], "got True, but X has columns"),
        ("colour", "must be None or a list of column names, .*; got 'colour'"),
        (1, "must be None or a list .*; got 1"),
    ],
)
def test_bad_columns_are_named(features, message):
    frame, y = table()
    with pytest.raises(ValueError, match="categorical_features .*" + message):
        SoftMarginClassifier(categorical_features=features).fit(frame, y)


def test_names_need_a_frame():
    with pytest.raises(ValueError, match=r"got 'a', but X has .* 0 to 0 and no names"):
        SoftMarginClassifier(categorical_features=["a"]).fit(np.zeros((2, 1)), [0, 1])


def test_too_many_categories_are_named():
    frame = pd.DataFrame({"id": [f"id {k}" for k in range(300)], "x": np.arange(300.0)})
    with pytest.raises(ValueError, match=r"column 'id' must have at most 255 categories .*; got 300"):
        SoftMarginClassifier(categorical_features=["id"]).fit(frame, np.arange(300) % 2)
    # As many as there may be, and missing values among them.
    frame = frame.assign(id=frame["id"].where(np.arange(300) < 255)).astype({"id": "category"})
    clf = SoftMarginClassifier(0.5, 0.05).fit(frame, np.arange(300) % 2)
    assert clf.hypothesis_class_.categories == (255, 0)
    assert clf.score(frame, np.arange(300) % 2) > 0.9
    verify(clf, frame, np.arange(300) % 2)


def test_other_weak_learners_take_no_categories():
    X, y = np.zeros((4, 1)), [0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"categorical_features must be None unless .*BestTree.*; got \[0\]"):
        SoftMarginClassifier(estimator=DecisionTreeClassifier(), categorical_features=[0]).fit(X, y)


def test_a_table_is_a_table():
    with pytest.raises(ValueError, match="Expected 2D array"):
        SoftMarginClassifier(categorical_features=[0]).fit(["a", "b"], [0, 1])
    frame, y = table()
    with pytest.raises(ValueError, match="at least 2 rows"):
        SoftMarginClassifier().fit(typed(frame)[:1], y[:1])
    clf = SoftMarginClassifier(0.3, 0.05).fit(typed(frame), y)
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(typed(frame)[["city", "size", "colour"]])
    with pytest.raises(ValueError, match="column 'size' of X must hold numbers or dates; it is of type"):
        clf.predict(frame.assign(size="large"))
    clf = SoftMarginClassifier(0.3, 0.05, categorical_features=[1, 2]).fit(as_objects(frame), y)
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 3"):
        clf.predict(as_objects(frame)[:, :2])


@pytest.mark.parametrize("column", [["red", "green"], pd.array(["u", None], "string")])
def test_a_column_of_text_that_is_not_named_among_others_is_named(column):
    frame = pd.DataFrame({"n": [1, 2], "kind": [3, 4], "odd": column, "late": ["x", "y"]})
    clf = SoftMarginClassifier(categorical_features=["kind"])
    for table in (frame, pl.from_pandas(frame), frame[["odd", "kind"]]):
        with pytest.raises(
            ValueError, match=r"column 'odd' of X must hold numbers or dates; .* name it in categorical"
        ):
            clf.fit(table, [0, 1])


def test_other_errors_of_a_frame_are_told_as_they_are():
    with pytest.raises(ValueError, match="infinity"):
        SoftMarginClassifier().fit(pd.DataFrame({"n": [1.0, np.inf]}), [0, 1])


@pytest.mark.parametrize("cell", ["1" * 200_000 + "x", "1." + "1" * 200_000 + "x", " " * 200_000 + "x"])
def test_a_long_cell_that_begins_like_a_number(cell):
    """Ways to divide its digits are not tried one by one, which would take an hour."""
    X = pd.DataFrame({"a": [*map(str, range(12)), cell]})
    with pytest.warns(UserWarning, match="holds numbers except in 1 cell"):
        SoftMarginClassifier(0.3).fit(X, np.arange(13) % 2)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["b", "a", None, "b"]),
        pd.Series(["b", "a", None, "b"], dtype="string"),
        pd.Series(["b", "a", np.nan, "b"], dtype=object),
        pd.Series(["b", "a", None, "b"], dtype=pd.CategoricalDtype(["z", "b", "a"])),
        pd.Series([3, 1, None, 3], dtype="category"),
        pd.Series([3, 1, None, 3], dtype="Int64"),
        pd.Series([3, 1, 2, 3]),
        pd.Series([0.5, 1.5, np.nan, 0.5]),
        pd.Series([True, False, None, True], dtype="boolean"),
        pd.Series([True, False, True, True]),
        pd.Series(["x", 1, None, 2.5], dtype=object),
        pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02", None, "2024-01-01"])).astype("category"),
        pd.Series([None, None, None, None], dtype=object),
    ],
    ids=lambda column: f"{column.dtype} {column[0]}",
)
def test_cells_of_few_rows_have_the_places_of_their_columns(column, monkeypatch):
    X = pd.DataFrame({"n": np.arange(4.0), "c": column})
    categories = category_array([value for value in category_column(X, 1).values if value != "b"])
    by_cell = columns_in_cells(X, [1])[1]
    monkeypatch.setattr(table_categories, "FEW_ROWS", 0)
    by_column = columns_in_cells(X, [1])[1]
    if len(by_column.values):
        np.testing.assert_array_equal(by_cell.places("c", categories), by_column.places("c", categories))
    np.testing.assert_array_equal(by_cell.code == -1, by_column.code == -1)


def test_a_cell_that_cannot_be_hashed_is_told_with_its_column():
    X = pd.DataFrame({"n": [1.0], "c": [["a", "list"]]})
    with pytest.raises(TypeError, match="categorical column 1"):
        columns_in_cells(X, [1])
