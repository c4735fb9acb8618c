"""Many classes in one game over parts of the rows: the game of a room that has them all, bit for bit."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from frankboost.learners.base import Start
from frankboost.learners.best_tree import BestTree
from frankboost.rooms import steps
from frankboost.rooms.host_part import Examples
from frankboost.rooms.joint_search import JointSearch
from frankboost.rooms.local import local_room
from frankboost.rooms.local_parts import JointTreePart
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.questions import PartsHere
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables
from frankboost.rules.frank_wolfe import ShortStep
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.level import Level
from rooms.test_parts import TOL, assert_same_game, sample


def both(rows, kind, ends, *, nu=0.2, classes=4, columns=3, depth=2, part=JointTreePart, **constraints):
    """The room that has all rows in one part, and one over parts that begin there.

    The last class is in the last part alone.
    """
    X, _, weight = sample(rows, kind)
    code = np.random.default_rng(1).integers(0, 2, rows) + (X[:, 0] > 0.0)
    code = np.minimum(code, classes - 2)
    code[-rows // 20 :] = classes - 1
    categorical = (1, 2) if kind == "categories" else ()
    learner = BestTree(depth, 63, columns, categorical=categorical, **constraints)
    oracle = learner.prepare(X, code.astype(np.float64), weight)
    whole = local_room(Examples(X, JointMargins(code, classes), weight), oracle, nu=nu, tol=TOL)
    kind_of, features = learner.binned(X, weight)
    parts = PartsHere(
        [
            part(
                Examples(
                    replace(features, codes=np.ascontiguousarray(features.codes[:, a:b])),
                    JointMargins(code[a:b], classes),
                    weight[a:b],
                ),
                a,
            )
            for a, b in pairwise([0, *ends, rows])
        ]
    )
    search = JointSearch(TreeTables(kind_of, features, parts, columns=columns), parts, classes)
    return whole, Room(parts, search, nu=nu, tol=TOL)


@pytest.mark.parametrize("kind", ["plain", "missing", "categories", "weights"])
@pytest.mark.parametrize("ends", [[], [300], [1, 200, 570]])
def test_parts_play_the_game_of_the_whole(kind, ends):
    assert_same_game(*both(600, kind, ends), [Level(TOL)])


@pytest.mark.parametrize("kind", ["missing", "categories", "weights"])
@pytest.mark.parametrize(("rows", "depth"), [(600, 1), (600, 2), (3000, 2)])
def test_heavy_leaves_in_parts(kind, rows, depth):
    settings = {"depth": depth, "min_samples_leaf": rows // 30, "monotonic_cst": [1, 0, 0, -1, 0]}
    assert_same_game(*both(rows, kind, [1, 250], **settings), [Level(TOL)], most=4)


@pytest.mark.parametrize("nu", [1e-30, 1e-6, 0.02, 0.5, 1.0])
def test_whatever_nu_is(nu):
    assert_same_game(*both(600, "missing", [250], nu=nu), [Level(TOL)])


@pytest.mark.parametrize("rules", [[FullyCorrective()], [ShortStep()]])
def test_other_rules(rules):
    assert_same_game(*both(600, "plain", [250, 400]), rules)


def test_stumps_and_many_classes():
    assert_same_game(*both(600, "few bins", [250], depth=1, classes=12, columns=12), [Level(TOL)])


def test_many_rows_are_sampled_alike():
    assert_same_game(*both(40000, "few bins", [15000, 15001]), [Level(TOL)], most=3)


@pytest.mark.parametrize("few", [0, 40])
def test_it_does_not_matter_where_a_few_rows_are_looked_at(few, monkeypatch):
    monkeypatch.setattr(steps, "MOST_TOLD", few)
    assert_same_game(*both(3000, "weights", [1300]), [Level(TOL)], most=5)


def test_another_nu_and_what_is_known_beforehand():
    first, _ = both(600, "plain", [])
    first.ask()
    first.ask(first.at(np.full(len(first), 3.0)))
    weights = np.arange(1.0, len(first) + 1)
    start = Start(first.hypotheses, weights, first.outcome(np.ones(len(first))).distribution)
    one, other = both(600, "plain", [250], nu=0.1)
    np.testing.assert_array_equal(one.recall(start), other.recall(start))
    for room in (one, other):
        room.ask()
        room.restrict(0.3, 0.05)
    assert_same_game(one, other, [Level(0.05)])
