"""The terms of a vote: they sum to it, they are unique, and they say what they are."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.inspection import partial_dependence
from sklearn.tree import DecisionTreeClassifier

from frankboost import LPBoostClassifier, SoftMarginClassifier
from frankboost.export import to_shap
from frankboost.learners.nodes import NO_SETS, blank_nodes, packed
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree import Tree
from frankboost.model import Contest, VoteAlone
from frankboost.shapes import Features, shapes_of

rng = np.random.default_rng(0)
CATEGORIES = {1: ["a", "b", "c", "d"], 3: list(range(70))}
FEATURES = Features(["p", "q", "r", "s", "t"], CATEGORIES, [2])


def random_tree():
    """A tree of depth 0, 1 or 2 with leaves in [-1, 1]; some repeat a feature."""
    inner = [0, 1, 2][: rng.integers(4)]
    nodes = blank_nodes(1 + 2 * len(inner))
    nodes["value"] = rng.uniform(-1.0, 1.0, len(nodes))
    sets = []
    for k in inner:
        f = rng.integers(5)
        nodes[k]["feature"], nodes[k]["missing_left"] = f, rng.integers(2)
        nodes[k]["left"], nodes[k]["right"] = 2 * k + 1, 2 * k + 2
        if f in CATEGORIES:
            nodes[k]["set_index"] = len(sets)
            sets.append(packed(np.flatnonzero(rng.random(len(CATEGORIES[f])) < 0.5).tolist()))
        else:
            nodes[k]["threshold"] = rng.choice([PRESENT, *rng.integers(0, 6, 9)])
    return Tree(nodes, np.array(sets) if sets else NO_SETS)


def random_rows(count):
    """Numbers that meet thresholds, categories, and gaps."""
    X = rng.integers(0, 7, (count, 5)).astype(float)
    X[:, 1], X[:, 3] = rng.integers(0, 4, count), rng.integers(0, 70, count)
    X[rng.random(X.shape) < 0.2] = np.nan
    return X


def random_shapes(trees=12, rows=9):
    weights = rng.dirichlet(np.ones(trees))
    vote = VoteAlone([random_tree() for _ in range(trees)], weights)
    X, row_weights = random_rows(rows), rng.integers(1, 4, rows).astype(float)
    shapes = shapes_of(
        Contest("yes", "no", vote), FEATURES, X, row_weights, np.asarray, classes=np.array(["no", "yes"])
    )

    def votes(Z):
        return sum(weight * tree(Z) for tree, weight in zip(vote.hypotheses, weights, strict=True))

    return shapes, votes, X, row_weights


def test_terms_sum_to_the_vote_of_any_row():
    for _ in range(40):
        shapes, votes, _, _ = random_shapes()
        Z = random_rows(200)
        np.testing.assert_allclose(shapes.intercept + shapes.effects(Z).sum(axis=1), votes(Z), atol=1e-12)


def test_terms_are_those_of_the_analysis_of_variance():
    """By enumeration: all ways to combine the values that the features have in the rows."""
    for _ in range(5):
        shapes, votes, X, row_weights = random_shapes(rows=4)
        share = row_weights / row_weights.sum()
        ways = np.array(list(itertools.product(range(4), repeat=5)))
        table = votes(np.column_stack([X[ways[:, f], f] for f in range(5)])).reshape((4,) * 5)
        np.testing.assert_allclose(shapes.intercept, mean(table, share, ()), atol=1e-12)
        for term, effect in zip(shapes.terms, shapes.effects(X).T, strict=True):
            expected = mean(table, share, term.features) - shapes.intercept
            if len(term.features) == 2:
                first, second = (mean(table, share, (f,)) - shapes.intercept for f in term.features)
                expected = np.diagonal(expected - first[:, None] - second)
            np.testing.assert_allclose(effect, expected, atol=1e-12)


def mean(table, share, kept):
    """The mean vote given the rows from which the features kept have their values."""
    for f in reversed(range(5)):
        if f not in kept:
            table = np.tensordot(table, share, axes=(f, 0))
    return table


def test_terms_have_mean_zero_and_know_their_rows():
    shapes, _, X, row_weights = random_shapes(rows=50)
    share = row_weights / row_weights.sum()
    assert {len(term.features) for term in shapes.terms} == {1, 2}
    for term, effect in zip(shapes.terms, shapes.effects(X).T, strict=True):
        for axis, bins in enumerate(term.bins):
            means = np.tensordot(term.values, bins.weights, axes=(axis, 0))
            np.testing.assert_allclose(means, 0.0, atol=1e-12)
            others = tuple(set(range(len(term.bins))) - {axis})
            np.testing.assert_allclose(term.weights.sum(axis=others), bins.weights, atol=1e-12)
        assert term.importance == pytest.approx(share @ np.abs(effect))
    importances = [term.importance for term in shapes.terms]
    assert importances == sorted(importances, reverse=True)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine])
def test_fits(load, depth):
    X, y = load(return_X_y=True)
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.integers(0, 3, len(y))
    clf = SoftMarginClassifier(0.1, max_depth=depth).fit(X, y, sample_weight=weight)
    found = clf.shapes(X, sample_weight=weight)
    found = found if isinstance(found, list) else [found]
    votes = clf.decision_function(X).reshape(len(X), -1)
    assert [each.label for each in found] == clf.classes_.tolist()[-votes.shape[1] :]
    assert max(len(term.features) for each in found for term in each.terms) == depth
    for each, vote in zip(found, votes.T, strict=True):
        np.testing.assert_allclose(each.intercept + each.effects(X).sum(axis=1), vote, atol=1e-12)


def test_a_shape_is_the_partial_dependence():
    X, y = load_breast_cancer(return_X_y=True)
    clf = SoftMarginClassifier(0.1).fit(X, y)
    asked = {"method": "brute", "response_method": "decision_function", "grid_resolution": 20}
    shapes = clf.shapes(X)
    for f in (21, 27):
        found = partial_dependence(clf, X, [f], **asked)
        term = shapes.term(f)
        values = term.values[np.searchsorted(term.bins[0].edges, found["grid_values"][0])]
        assert np.ptp(values) > 0.1
        np.testing.assert_allclose(np.diff(values), np.diff(found["average"][0]), atol=1e-12)


def test_a_shap_value_is_a_shape_and_half_of_its_pairs():
    shap = pytest.importorskip("shap")
    X, y = load_wine(return_X_y=True)
    clf = SoftMarginClassifier(0.2).fit(X, y == 1)
    background = shap.maskers.Independent(X, max_samples=len(X))
    values = shap.TreeExplainer(to_shap(clf), background).shap_values(X)
    shapes = clf.shapes(X)
    halves = np.zeros(X.shape)
    for term, effect in zip(shapes.terms, shapes.effects(X).T, strict=True):
        for f in term.features:
            halves[:, f] += effect / len(term.features)
    # shap rounds some sums to single precision.
    np.testing.assert_allclose(np.diff(values, axis=0), np.diff(halves, axis=0), atol=1e-7)


def frame(count=300):
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 99, count), "D")
    found = pd.DataFrame(
        {"city": rng.choice(["Bari", "Graz", "Oslo"], count), "day": days, "age": rng.integers(18, 80, count)}
    ).astype({"age": float})
    found.loc[rng.random(count) < 0.2, "city"] = None
    found.loc[rng.random(count) < 0.2, "age"] = np.nan
    y = (found["city"] == "Oslo") ^ (found["age"] > 50) ^ (found["day"] > "2024-03-01")
    return found, np.where(y ^ (rng.random(count) < 0.1), "yes", "no")


def test_frames_with_categories_dates_and_gaps():
    X, y = frame()
    clf = SoftMarginClassifier(0.3).fit(X, y)
    shapes = clf.shapes(X)
    other = X.assign(city="Rome")  # which was not fitted: missing
    for rows in (X, other):
        total = shapes.intercept + shapes.effects(rows).sum(axis=1)
        np.testing.assert_allclose(total, clf.decision_function(rows), atol=1e-12)
    city, day = shapes.term("city").bins[0], shapes.term("day").bins[0]
    assert city.labels() == ["Bari", "Graz", "Oslo", "missing"]
    np.testing.assert_allclose(city.weights[:3], [(X["city"] == name).mean() for name in city.categories])
    assert city.label_of(1.0) == "Graz"
    assert city.label_of(np.nan) == "missing"
    assert {label[:5] for label in day.labels(4)} == {"<= 20", "> 202", "2024-", "missi"}
    assert day.weights[-1] == 0.0
    pair = shapes.term("age", "city")
    assert pair is shapes.term(0, 2) is shapes.term("city", 2)
    assert pair.values.shape == (4, len(shapes.term("age").values))


def test_a_weight_of_two_is_the_row_twice():
    X, y = frame(100)
    clf = SoftMarginClassifier(0.3).fit(X, y)
    weight = rng.integers(0, 3, 100)
    weighted = clf.shapes(X, sample_weight=weight)
    twice = clf.shapes(X.loc[X.index.repeat(weight)])
    for other in (twice, clf.shapes(X, sample_weight=weight * 5e307)):
        assert [term.name for term in other.terms] == [term.name for term in weighted.terms]
        np.testing.assert_allclose(other.effects(X), weighted.effects(X), atol=1e-12)


def test_worth_sums_to_the_covariance_of_vote_and_label():
    X, y = frame()
    clf = SoftMarginClassifier(0.3).fit(X, y)
    shapes = clf.shapes(X)
    worth, sign = shapes.worth(X, y), np.where(y == "yes", 1.0, -1.0)
    expected = np.cov(sign, clf.decision_function(X), bias=True)[0, 1]
    assert worth.sum() == pytest.approx(expected, abs=1e-12)
    assert worth[0] == pytest.approx(np.cov(sign, shapes.effects(X)[:, 0], bias=True)[0, 1], abs=1e-12)
    with pytest.raises(ValueError, match="y must have one label for each of the 300 rows of X; got 1"):
        shapes.worth(X, ["yes"])
    with pytest.raises(ValueError, match=r"y must hold the classes \['no', 'yes'\]; got False"):
        shapes.worth(X, y == "yes")


def test_codes_of_mere_noise_are_worth_nothing_on_rows_held_out():
    X, _ = frame(3000)
    y = (X["age"] > 50) ^ (rng.random(3000) < 0.2)
    X["code"] = [f"c{k}" for k in rng.integers(0, 60, 3000)]
    clf = SoftMarginClassifier(0.3, tol=0.05).fit(X[:1500], y[:1500])
    shapes = clf.shapes(X[:1500])
    noise = np.array(["code" in term.name for term in shapes.terms])
    absolute = np.array([term.importance for term in shapes.terms])
    worth = shapes.worth(X[1500:], y[1500:])
    assert absolute[noise].sum() > 0.2 * absolute.sum()
    assert abs(worth[noise].sum()) < 0.05 * worth.sum()


def test_as_a_frame_and_as_text():
    X, y = frame()
    shapes = SoftMarginClassifier(0.3).fit(X, y).shapes(X)
    table = shapes.to_frame()
    assert list(table.columns) == ["term", "bin", "bin_2", "value", "weight"]
    of_city = table[table["term"] == "city"]
    np.testing.assert_array_equal(of_city["value"], shapes.term("city").values)
    assert of_city["bin"].tolist() == ["Bari", "Graz", "Oslo", "missing"]
    pair = table[table["term"] == "city & age"].pivot(index="bin", columns="bin_2", values="value")
    ages = shapes.term("age").bins[0].labels()
    np.testing.assert_array_equal(pair.loc[of_city["bin"], ages], shapes.term("city", "age").values)
    np.testing.assert_allclose(table.groupby("term")["weight"].sum(), 1.0)
    assert repr(shapes) == "<Shapes of the vote for yes: 3 features, 3 pairs>"
    assert str(shapes).splitlines()[2].endswith(shapes.terms[0].name)
    assert len(str(shapes).splitlines()) == 8
    assert "intercept" in shapes._repr_html_()
    assert repr(shapes.terms[0]).startswith(f"<Term {shapes.terms[0].name}: mean absolute effect 0.")


def test_a_constant_vote_has_no_terms():
    leaf = blank_nodes(1)
    leaf["value"] = 0.5
    vote = VoteAlone([Tree(leaf, NO_SETS)], np.ones(1))
    shapes = shapes_of(
        Contest(1, 0, vote), FEATURES, random_rows(3), np.ones(3), np.asarray, classes=np.arange(2)
    )
    assert (shapes.intercept, shapes.terms) == (0.5, ())
    assert shapes.effects(np.zeros((4, 5))).shape == (4, 0)


def test_errors():
    X, y = load_iris(return_X_y=True)
    deep = SoftMarginClassifier(0.1, max_depth=3).fit(X, y == 1)
    with pytest.raises(ValueError, match=r"max_depth must be 1 or 2 for shapes, .*; got a tree of depth 3"):
        deep.shapes(X)
    other = LPBoostClassifier(0.3, estimator=DecisionTreeClassifier(max_depth=1), max_iter=2).fit(X, y == 1)
    with pytest.raises(TypeError, match="an ensemble of trees of BestTree"):
        other.shapes(X)
    clf = SoftMarginClassifier(0.1).fit(X, y == 1)
    with pytest.raises(ValueError, match="X has 3 features, but SoftMarginClassifier is expecting 4"):
        clf.shapes(X[:, :3])
    with pytest.raises(ValueError, match="sample_weight must have one weight for each of the 150 rows"):
        clf.shapes(X, sample_weight=[1.0])
    with pytest.raises(
        ValueError, match=r"features must be those of a term: .*\('x2', 'x3'\).* of \('x0', 'z'\)"
    ):
        clf.shapes(X).term("x0", "z")
    with pytest.raises(
        ValueError, match=r"the vote for True has terms such as \('x\d',\).* of \(\['x0'\],\)"
    ):
        clf.shapes(X).term(["x0"])
    with pytest.raises(ValueError, match=r"the vote for True has no such terms, and none of \('x2', 'x3'\)"):
        SoftMarginClassifier(0.1, max_depth=1).fit(X, y == 1).shapes(X).term("x2", "x3")
    with pytest.raises(AttributeError, match="not fitted"):
        SoftMarginClassifier().shapes(X)
