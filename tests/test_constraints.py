"""What trees may not do, as users say it and as trees are held to it."""

import numpy as np
import pandas as pd
import pytest

from constrained import Enumerated, random_problem
from frankboost import BestTree, CertificateError, SoftMarginClassifier, load, save, verify
from frankboost.constraints import Constraints
from frankboost.learners.constraining import sets_of, signs_of
from frankboost.learners.nodes import NO_SETS
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree import Tree
from records import records

NAMES = ["age", "debt", "land"]


def frame(rows=400):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"age": rng.normal(size=rows), "debt": rng.normal(size=rows), "land": rng.choice(list("ab"), rows)}
    )
    X.loc[rng.random(rows) < 0.1, "age"] = np.nan
    return X, (X["age"].fillna(0) - X["debt"] + (X["land"] == "a") + rng.normal(size=rows) > 0).astype(int)


def values(problem, grid, cells):
    """A value for each cell of a grid."""
    X = np.full(grid.shape, np.nan)
    for f, count in enumerate(cells):
        cuts = problem.thresholds[f]
        shown = np.arange(count) if problem.categories[f] else np.append(cuts, cuts[-1] + 1.0)
        X[:, f] = np.append(shown[:count], np.nan)[grid[:, f]]
    return X


def test_a_tree_breaks_an_order_if_it_does_so_somewhere():
    """By its leaves, and by its votes on the product of all values."""
    found = set()
    for seed in range(200):
        problem = random_problem(np.random.default_rng(seed), sets=False)
        points = Enumerated(problem)
        X, ones = values(problem, points.grid, points._cells), np.ones(len(problem.X))
        free = BestTree(2, None, 5, categorical=problem.categorical, thresholds=problem.thresholds)
        for tree in free.prepare(problem.X, ones, ones)(problem.u).hypotheses:
            broken = Constraints(problem.signs).broken_by(tree)
            assert (broken is None) == points.keeps(tree(X)), seed
            found.add(broken is None)
    assert found == {True, False}


@pytest.mark.parametrize(
    ("given", "signs"),
    [
        (None, ()),
        ([1, 0, -1], (1, 0, -1)),
        (np.array([0, 0, 1], dtype=np.int8), (0, 0, 1)),
        ({"debt": -1}, (0, -1, 0)),
        ({}, (0, 0, 0)),
    ],
)
def test_signs(given, signs):
    assert signs_of(given, 3, NAMES) == signs


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 0], r"monotonic_cst must have -1, 0 or 1 for each of the 3 columns of X; got \[1, 0\]"),
        ([1, 0, 2], "must have -1, 0 or 1 for each of the 3 columns"),
        ([1, 0, True], "must have -1, 0 or 1 for each of the 3 columns"),
        ({"age": 0.5}, "must have -1, 0 or 1 for each of the 3 columns"),
        (1, "must have -1, 0 or 1 for each of the 3 columns"),
        ("up", "must have -1, 0 or 1 for each of the 3 columns"),
        ({"height": 1}, "monotonic_cst must name columns of X by name; got 'height'"),
        ({0: 1}, "monotonic_cst must name columns of X by name; got 0"),
    ],
)
def test_signs_that_are_none(given, message):
    with pytest.raises(ValueError, match=message):
        signs_of(given, 3, NAMES)


def test_names_of_columns_that_have_none():
    with pytest.raises(ValueError, match="by name, but they have no names: give an array; got 'age'"):
        signs_of({"age": 1}, 3, None)


@pytest.mark.parametrize(
    ("given", "sets"),
    [
        (None, None),
        ("pairwise", "pairwise"),
        ("no_interactions", "no_interactions"),
        ([{0, 1}], ((0, 1), (2,))),
        ([("debt", 0), ["land"]], ((0, 1), (2,))),
        ([[1], [1, 1]], ((1,), (0, 2))),
    ],
)
def test_sets(given, sets):
    assert sets_of(given, 3, NAMES) == sets


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("three", 'interaction_cst must be "pairwise", "no_interactions", None or a list of sets of columns'),
        ([0, 1], "or a list of sets of columns; got"),
        ([], "or a list of sets of columns; got"),
        (["age"], "or a list of sets of columns; got"),
        ([[3]], r"interaction_cst must name columns of X by number in \[0, 2\] or by name; got 3"),
        ([["height"]], "by name; got 'height'"),
    ],
)
def test_sets_that_are_none(given, message):
    with pytest.raises(ValueError, match=message):
        sets_of(given, 3, NAMES)


def test_words():
    kept = Constraints((1, 0, -1, 1), ((0, 1), (2, 3)))
    assert str(kept) == "rising in x0, x3, falling in x2, paths within {x0, x1} or {x2, x3}"
    assert str(Constraints((), "no_interactions")) == "paths that split one feature"
    assert str(Constraints((), "pairwise")) == "paths that split two features"
    assert str(Constraints((), tuple((f,) for f in range(9)))) == "paths within one of 9 sets of features"


def test_a_fit_keeps_to_it_and_verify_says_so(tmp_path):
    X, y = frame()
    clf = SoftMarginClassifier(
        nu=0.5, tol=0.05, monotonic_cst={"age": 1, "debt": -1}, interaction_cst=[["age", "land"]]
    ).fit(X, y)
    assert "rising in x0, falling in x1, paths within {x0, x2} or {x1}" in str(clf.certificate_)
    assert clf.certificate_.exact
    save(clf, tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.hypothesis_class_.constraints == clf.hypothesis_class_.constraints
    assert (loaded.monotonic_cst, loaded.interaction_cst) == ({"age": 1, "debt": -1}, [["age", "land"]])
    found = verify(loaded, X, y)
    assert found == clf.certificate_
    said = "rising in 'age', falling in 'debt', paths within {'age', 'land'} or {'debt'}"
    assert f"no vote of such trees, {said}, has a mean margin above" in str(found)
    assert f"Every tree of the vote keeps to these constraints on every possible row: {said}." in str(found)


def test_a_constraint_that_binds_lowers_the_optimum():
    X, y = frame()
    free = SoftMarginClassifier(nu=0.5, tol=0.01).fit(X, y).certificate_
    against = SoftMarginClassifier(nu=0.5, tol=0.01, monotonic_cst=[-1, 1, 0]).fit(X, y).certificate_
    assert against.bound < free.soft_margin


def stump(value, feature=0, threshold=0.0):
    nodes = {"feature": [feature, -1, -1], "left": [1, -1, -1], "right": [2, -1, -1]}
    return Tree(records(**nodes, threshold=[threshold, np.nan, np.nan], value=[0.0, value, -value]), NO_SETS)


def test_verify_rejects_a_tree_that_breaks_an_order():
    X, y = frame()
    clf = SoftMarginClassifier(nu=0.5, tol=0.05, monotonic_cst=[1, 0, 0]).fit(X, y)
    cut = float(clf.hypothesis_class_.thresholds[0][3])
    clf.estimators_[0] = stump(1.0, threshold=cut)
    with pytest.raises(
        CertificateError, match="claimed to be rising in x0, found that it falls along feature 0"
    ):
        verify(clf, X, y)


def test_missing_values_have_no_place_in_the_order():
    kept = Constraints((1,))
    assert kept.broken_by(stump(1.0, threshold=PRESENT)) is None
    assert kept.broken_by(stump(-1.0, threshold=PRESENT)) is None
    assert kept.broken_by(stump(1.0)) == "falls along feature 0"
    assert Constraints((-1,)).broken_by(stump(-1.0)) == "rises along feature 0"


def test_no_pair_of_rows_violates_an_order():
    X, y = frame(1000)
    rng = np.random.default_rng(1)
    for depth in (1, 2, 3, 4):
        clf = SoftMarginClassifier(
            nu=0.4, tol=0.05, max_depth=depth, monotonic_cst={"age": 1, "debt": -1}
        ).fit(X, y)
        assert clf.certificate_.exact == (depth < 3)
        low = X.iloc[rng.integers(0, len(X), 20_000)].reset_index(drop=True)
        low["age"] = rng.normal(size=len(low))
        high = low.assign(
            age=low["age"] + rng.exponential(size=len(low)), debt=low["debt"] - rng.exponential()
        )
        assert (clf.decision_function(high) >= clf.decision_function(low)).all()
        assert (clf.decision_function(high) > clf.decision_function(low)).any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"monotonic_cst": {"land": 1}},
            "monotonic_cst must be 0 for column 2, which holds categories; got 1",
        ),
        ({"monotonic_cst": {"height": 1}}, "monotonic_cst must name columns of X by name; got 'height'"),
        ({"interaction_cst": [["height"]]}, "interaction_cst must name columns of X"),
        ({"monotonic_cst": [1], "estimator": BestTree()}, "monotonic_cst must be None with an estimator"),
        (
            {"interaction_cst": "pairwise", "estimator": BestTree()},
            "interaction_cst must be None with an estimator",
        ),
    ],
)
def test_what_cannot_be_kept_to(settings, message):
    X, y = frame(60)
    with pytest.raises(ValueError, match=message):
        SoftMarginClassifier(nu=0.5, **settings).fit(X, y)


def test_an_order_is_for_two_classes():
    X, y = frame(60)
    with pytest.raises(ValueError, match="monotonic_cst must be None with more than two classes"):
        SoftMarginClassifier(nu=0.5, monotonic_cst=[1, 0, 0]).fit(X, y + np.arange(60) % 2)
    clf = SoftMarginClassifier(nu=0.5, tol=0.2, interaction_cst="no_interactions").fit(
        X, y + np.arange(60) % 2
    )
    assert len(verify(clf, X, y + np.arange(60) % 2)) == 3
