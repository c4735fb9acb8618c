"""A room over parts of the rows plays the game of a room that has them all, bit for bit."""

import gc
import weakref
from itertools import islice

import numpy as np
import pytest

from frankboost import MLPBoostClassifier
from frankboost.boosting import rounds
from frankboost.learners import tree_oracle
from frankboost.learners.base import Start
from frankboost.learners.best_tree import BestTree
from frankboost.learners.tree import Tree
from frankboost.rooms import steps, tree_search
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local_parts import TreePart
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.questions import PartsHere
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables
from frankboost.rules.level import Level
from games import LocalRoom
from rooms.stumps import cut

TOL = 0.02


def sample(rows, kind, seed=0):
    """Noisy rows with ties, and, by their kind, missing values, categories and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 5)).round({"few bins": 0, "many bins": 4}.get(kind, 1))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * X[:, 2] + 0.5 * rng.normal(size=rows) > 0, 1.0, -1.0)
    weight = rng.uniform(0.5, 2.0, rows) if kind == "weights" else np.ones(rows)
    if kind == "tenths":
        weight = np.full(rows, 0.1)
    if kind == "far apart":
        weight = 10.0 ** rng.uniform(-20.0, 0.0, rows)
    if kind == "one stump":
        y = np.where(X[:, 3] > 0.5, 1.0, -1.0)
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    if kind == "categories":
        X[:, 1] = rng.integers(0, 5, rows)
        X[:, 2] = rng.integers(0, 12, rows)
        X[rng.random(rows) < 0.1, 2] = np.nan
    return X, y, weight


def both(rows, kind, ends, *, nu=0.2, columns=3, depth=2, bins=63, part=TreePart, **constraints):
    """The room that has all rows in one part, and one over parts that begin there."""
    X, y, weight = sample(rows, kind)
    categorical = (1, 2) if kind == "categories" else ()
    learner = BestTree(depth, bins, columns, categorical=categorical, **constraints)
    whole = LocalRoom(Examples(X, BinaryMargins(y), weight), learner.prepare(X, y, weight), nu=nu, tol=TOL)
    kind_of, features = learner.binned(X, weight)
    here = PartsHere(cut(features, y, weight, ends, part))
    search = TreeTables(kind_of, features, here, columns=columns)
    return whole, Room(here, search, nu=nu, tol=TOL)


def trees_of(hypotheses):
    """Those of each class, where many classes are one game."""
    return [tree for each in hypotheses for tree in getattr(each, "members", (each,))]


def assert_same_game(one, other, rules, most=12):
    """Every round's numbers, and what is left of them."""
    games = rounds(one, rules), rounds(other, rules)
    for a, b in islice(zip(*games, strict=False), most):
        np.testing.assert_array_equal(a.weights, b.weights)
        np.testing.assert_array_equal(a.best_weights, b.best_weights)
        assert (a.soft_margin, a.smoothed, a.bound) == (b.soft_margin, b.smoothed, b.bound)
        if a.gap <= TOL:
            break
    left = one.outcome(a.best_weights), other.outcome(b.best_weights)
    for name in ("weights", "distribution", "capped", "bin_weights"):
        np.testing.assert_array_equal(*(getattr(each, name) for each in left))
    assert left[0].soft_margin == left[1].soft_margin
    assert left[0].bound == left[1].bound
    for mine, yours in zip(*(trees_of(each.hypotheses) for each in left), strict=True):
        for name in mine.nodes.dtype.names:
            np.testing.assert_array_equal(mine.nodes[name], yours.nodes[name])
        np.testing.assert_array_equal(mine.sets, yours.sets)


@pytest.mark.parametrize("kind", ["few bins", "missing", "categories", "weights"])
def test_the_vote_of_trees_whose_leaves_have_any_value(kind):
    whole, parts = both(200, kind, [70, 130])
    for room in (whole, parts):
        room.ask()
    trees = []
    for k, tree in enumerate(whole.hypotheses):
        nodes = tree.nodes.copy()
        nodes["value"][tree.feature < 0] *= np.linspace(0.1 * k, 1.0, np.count_nonzero(tree.feature < 0))
        trees.append(Tree(nodes, tree.sets))
    weights = np.array([0.5, 0.25, 0.25])
    X, y, weight = sample(200, kind)
    margins = y * sum(w * tree(X) for w, tree in zip(weights, trees, strict=True))
    caps = weight / weight.sum() / 0.2
    exact = max(t - caps @ np.maximum(t - margins, 0.0) for t in margins)
    found = whole.proved_soft_margin_of(trees, weights)
    assert parts.proved_soft_margin_of(trees, weights) == found
    assert exact - 1e-14 <= found <= exact


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories", "weights"])
@pytest.mark.parametrize("rows", [600, 3000])  # of so few the rows are asked for, and no tables
def test_more_columns_than_features(kind, rows):
    assert_same_game(*both(rows, kind, [1, 500], columns=12), [Level(TOL)])


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories", "weights", "one stump"])
@pytest.mark.parametrize("ends", [[], [1000], [1, 700, 2500], [500, 1000, 1500, 2000, 2500, 2999]])
def test_parts_play_the_game_of_the_whole(kind, ends):
    assert_same_game(*both(3000, kind, ends), [Level(TOL)])


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories", "weights"])
@pytest.mark.parametrize("columns", [3, 12])
@pytest.mark.parametrize("rows", [600, 3000])
def test_constraints_in_parts(kind, columns, rows):
    constraints = {"monotonic_cst": [1, 0, 0, -1, 1], "interaction_cst": [(0, 1, 2), (1, 3), (0, 3, 4)]}
    one, other = both(rows, kind, [1, 400], columns=columns, **constraints)
    assert_same_game(one, other, [Level(TOL)])


SIGNS = [1, 0, 0, -1, 1]


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories", "weights", "tenths"])
@pytest.mark.parametrize("columns", [3, 12])
@pytest.mark.parametrize("rows", [600, 3000])  # of so few the rows are asked for, and no tables
@pytest.mark.parametrize("signs", [None, SIGNS])
def test_heavy_leaves_in_parts(kind, columns, rows, signs):
    settings = {"columns": columns, "monotonic_cst": signs, "min_samples_leaf": 40 if kind != "tenths" else 4}
    assert_same_game(*both(rows, kind, [1, 400], **settings), [Level(TOL)], most=6)


@pytest.mark.parametrize("ends", [[], [1000], [1, 700, 2500], [500, 1000, 1500, 2000, 2500, 2999]])
@pytest.mark.parametrize("kind", ["tenths", "categories"])
def test_heavy_leaves_in_any_number_of_parts(ends, kind):
    settings = {"min_samples_leaf": 30, "interaction_cst": [(0, 1, 2), (1, 3), (0, 3, 4)]}
    assert_same_game(*both(3000, kind, ends, **settings), [Level(TOL)], most=4)


@pytest.mark.parametrize("signs", [None, SIGNS])
def test_heavy_stumps_in_parts(signs):
    settings = {"depth": 1, "min_samples_leaf": 200, "monotonic_cst": signs}
    assert_same_game(*both(3000, "missing", [1200], **settings), [Level(TOL)])


@pytest.mark.parametrize("rows", [600, 3000])
def test_trees_with_light_leaves_are_not_recalled(rows):
    first, _ = both(rows, "missing", [], columns=12)
    first.ask()
    start = Start(first.hypotheses, np.ones(len(first)))
    one, other = both(rows, "missing", [250], min_samples_leaf=rows // 12)
    known = one.recall(start)
    np.testing.assert_array_equal(known, other.recall(start))
    assert 0 < len(one) < len(first)
    assert_same_game(one, other, [Level(TOL)], most=4)


def test_a_search_that_is_cut_short_knows_no_bound(monkeypatch):
    plain = TreeTables._trees

    def asks(self, number, stop):
        stop()  # as a native search does after a while
        return plain(self, number, stop)

    monkeypatch.setattr(TreeTables, "_trees", asks)
    for stop, bound in ((lambda: False, 0.57), (lambda: True, 1.0)):
        _, room = both(600, "plain", [250])
        room.search.begin(stop, 0.0)
        room.ask()
        assert room.bound == pytest.approx(bound)


def test_leaves_heavier_than_half_of_all_weight():
    with pytest.raises(ValueError, match=r"min_samples_leaf must be .* at most 300, half the weight"):
        both(600, "plain", [250], min_samples_leaf=301)


@pytest.mark.parametrize("nu", [1e-30, 1e-6, 0.02, 0.5, 1.0])
def test_whatever_nu_is(nu):
    assert_same_game(*both(3000, "missing", [1200], nu=nu), [Level(TOL)])


@pytest.mark.parametrize("nu", [1e-30, 1e-17, 1e-6, 0.02])
def test_weights_far_apart(nu, monkeypatch):
    """A room over parts refuses them because of leaves without weight; here both rooms leave these alone."""
    monkeypatch.setattr(tree_oracle, "NEGLIGIBLE", 0.0)
    monkeypatch.setattr(tree_search, "NEGLIGIBLE", 0.0)
    assert_same_game(*both(1500, "far apart", [400, 401, 900], nu=nu), [Level(TOL)])
    one, other = both(1500, "far apart", [400, 401, 900], nu=nu)
    for room in (one, other):
        room.ask()
        room.restrict(3.0 * nu, 0.05)
    assert_same_game(one, other, [Level(0.05)])


def test_many_rows_are_sampled_alike():
    """For the start of a projection, and for its curvature."""
    assert_same_game(*both(40000, "few bins", [15000, 15001]), [Level(TOL)], most=5)


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories"])
@pytest.mark.parametrize("ends", [[], [1, 700, 2500]])
def test_many_columns_are_searched_alike(kind, ends, monkeypatch):
    for module in (tree_oracle, tree_search):
        monkeypatch.setattr(module, "is_wide", lambda bins, rows: True)
    whole, parts = both(3000, kind, ends)
    assert_same_game(whole, parts, [Level(TOL)])


def test_stumps():
    assert_same_game(*both(3000, "categories", [1200], depth=1), [Level(TOL)])


@pytest.mark.parametrize(("fw_rule", "secondary"), [("pairwise", "level"), (None, "erlp")])
def test_every_rule_that_needs_no_whole_columns(fw_rule, secondary):
    rules = MLPBoostClassifier(tol=TOL, fw_rule=fw_rule, secondary=secondary).rules()
    assert_same_game(*both(1500, "plain", [400, 900]), rules)


def test_another_nu():
    one, other = both(3000, "plain", [1200])
    for room in (one, other):
        room.ask()
        room.ask(room.at(np.full(len(room), 3.0)))
        room.restrict(0.1, 0.05)
    assert_same_game(one, other, [Level(0.05)])


def test_what_is_known_beforehand():
    first, _ = both(3000, "plain", [])
    first.ask()
    first.ask(first.at(np.full(len(first), 3.0)))
    start = Start(
        first.hypotheses, np.arange(1.0, len(first) + 1), first.outcome(np.ones(len(first))).distribution
    )
    one, other = both(3000, "plain", [1200], nu=0.1)
    np.testing.assert_array_equal(one.recall(start), other.recall(start))
    assert_same_game(one, other, [Level(TOL)])


def test_where_known_weights_lead():
    first, _ = both(3000, "plain", [])
    *_, last = islice(rounds(first, [Level(TOL)]), 6)
    one, other = both(3000, "plain", [1200])
    for room in (one, other):
        room.recall(Start(first.hypotheses, last.best_weights))
    assert_same_game(one, other, [Level(TOL)])


def test_the_rows_go_with_their_room():
    _, room = both(1500, "plain", [700])
    for _ in islice(rounds(room, [Level(TOL)]), 3):
        pass
    parts = weakref.ref(room.parts)
    gc.disable()
    try:
        del room
        assert parts() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("few", [0, 40])
def test_it_does_not_matter_where_a_few_rows_are_looked_at(few, monkeypatch):
    monkeypatch.setattr(steps, "MOST_TOLD", few)
    assert_same_game(*both(9000, "many bins", [4000]), [Level(TOL)], most=6)
