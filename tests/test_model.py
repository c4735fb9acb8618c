"""Models as plain data: votes, and what follows from them."""

import dataclasses

import numpy as np
import pytest

from frankboost import Certificate
from frankboost.learners.base import Start
from frankboost.learners.best_tree import BestTree
from frankboost.model import Calibration, Ensemble, Model, Stages, positives, weighted_vote
from frankboost.model.model import LEAST

rng = np.random.default_rng(0)
X, y = rng.normal(size=(50, 2)), rng.choice([-1.0, 1.0], 50)


def test_trees_and_others_vote_alike():
    trees = BestTree(columns_per_round=2).prepare(X, y, np.ones(50))(0.02 * y).hypotheses
    w = np.array([0.7, 0.3])
    native = weighted_vote(trees, w, X)
    plain = weighted_vote([lambda rows, tree=tree: tree(rows) for tree in trees], w, X)
    np.testing.assert_allclose(native, plain, atol=1e-15)


def test_rounding_never_leaves_the_range():
    votes = weighted_vote([lambda rows: np.ones(len(rows))] * 3, np.array([0.5, 0.3, 0.2 + 1e-15]), X)
    assert votes.max() <= 1.0


def column(f, sign=1.0):
    return lambda rows: sign * np.sign(rows[:, f])


def ensemble(hypotheses, weights, **facts):
    unknown = dict.fromkeys(["certificate", "hypothesis_class", "distribution", "trace"])
    return Ensemble(hypotheses, np.array(weights), **{**unknown, **facts})


def model(classes, ensembles, **facts):
    return Model(np.array(list(classes)), {}, tuple(ensembles), np.zeros(4, dtype=bool), **facts)


ROWS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
TWO = model(["no", "yes"], [ensemble([column(0), column(1)], [0.75, 0.25])])
THREE = model(
    "abc", [ensemble([column(0)], [1.0]), ensemble([column(1)], [1.0]), ensemble([column(0, -1.0)], [1.0])]
)


def test_two_classes_have_one_ensemble_which_votes_for_the_second():
    votes = TWO.votes(ROWS)
    np.testing.assert_array_equal(votes, [1.0, 0.5, -0.5, -1.0])
    assert TWO.labels(votes).tolist() == ["yes", "yes", "no", "no"]
    np.testing.assert_array_equal(TWO.probabilities(votes)[:, 1], [1.0, 0.75, 0.25, 0.0])
    np.testing.assert_array_equal(
        TWO.margins(votes, np.array(["yes", "no", "no", "yes"])), [1.0, -0.5, 0.5, -1.0]
    )
    [contest] = TWO.contests
    assert (contest.label, contest.other, contest.sides) == ("yes", "no", ("no", "yes"))


def test_many_classes_have_one_ensemble_each_against_the_rest():
    votes = THREE.votes(ROWS)
    np.testing.assert_array_equal(votes, [[1, 1, -1], [1, -1, -1], [-1, 1, 1], [-1, -1, 1]])
    assert THREE.labels(votes).tolist() == ["a", "a", "b", "c"]  # the first in a tie
    np.testing.assert_array_equal(THREE.probabilities(votes)[2], [0.0, 0.5, 0.5])
    np.testing.assert_array_equal(THREE.margins(votes, np.array(list("abca"))), [1.0, -1.0, 1.0, -1.0])
    assert [(each.label, each.other, each.sides[0]) for each in THREE.contests][1] == ("b", None, "not b")


def test_a_class_for_which_nothing_votes_has_an_even_share():
    np.testing.assert_array_equal(THREE.probabilities(np.full((1, 3), -1.0)), np.full((1, 3), 1 / 3))


def test_probabilities_are_calibrated():
    beta = Calibration(*(np.array([each]) for each in (2.0, 1.0, 0.5, 0.01)))
    p = dataclasses.replace(TWO, calibration=beta).probabilities(np.array([0.5]))
    odds = (1.0 + 0.5 / (1.0 + 2.0 * LEAST)) ** 2 / (1.0 - 0.5 / (1.0 + 2.0 * LEAST)) * np.exp(0.5)
    np.testing.assert_allclose(p, [[0.01 + 0.98 / (1 + odds), 0.01 + 0.98 * odds / (1 + odds)]])


def test_no_rounding_takes_a_probability_to_the_other_side_of_its_vote():
    votes = np.array([-1e-17, -5e-324, 0.0, 5e-324, 1e-17])
    even = Calibration(*(np.array([each]) for each in (2.0, 1.0, 0.0, 0.01)))
    p = dataclasses.replace(TWO, calibration=even).probabilities(votes)
    assert (p.argmax(axis=1) == (votes > 0)).all()
    np.testing.assert_array_equal(p[:, 1] > 0.5, votes > 0)


def test_margins_refuse_what_is_no_label():
    with pytest.raises(ValueError, match="one label for each of the 4 rows of X; got 1"):
        TWO.margins(TWO.votes(ROWS), np.array(["yes"]))
    with pytest.raises(ValueError, match=r"y must hold the classes \['no', 'yes'\]; got 'perhaps'"):
        TWO.margins(TWO.votes(ROWS), np.array(["yes", "no", "perhaps", "no"]))


def test_stages_of_ensembles_that_end_at_different_rounds():
    known = Start([column(0), column(1)], np.array([1.0, 0.0]), np.full(4, 0.25))
    short, long = Stages(), Stages()
    short.add(1, np.array([1.0]))
    long.add(1, np.array([1.0]))
    long.add(2, np.array([0.5, 0.5]))
    one, two = (ensemble([], [], found=known, stages=stages) for stages in (short, long))
    staged = model("abc", [one, two, two])
    assert staged.staged_rounds() == [1, 2]
    first, second = staged.staged_votes(ROWS)
    np.testing.assert_array_equal(first[:, 0], first[:, 1])
    np.testing.assert_array_equal(second[:, 0], first[:, 0])
    np.testing.assert_array_equal(second[:, 1], [1.0, 0.0, 0.0, -1.0])


def test_a_model_without_stages_says_so():
    with pytest.raises(ValueError, match="a loaded model has no stages"):
        TWO.staged_rounds()
    with pytest.raises(ValueError, match="a loaded model has no stages"):
        next(TWO.staged_votes(ROWS))


def test_what_ensembles_have_in_common():
    facts = [[True, False], [False, False], [True, True]]
    claim = Certificate(0.1, 0.2, 0.1, 0.3, True, "optimal", "stumps")
    parts = [ensemble([], [], capped=np.array(c), bin_weights=np.ones(2), certificate=claim) for c in facts]
    made = Model.of(np.array([1, 2, 3]), {}, parts, importances=np.ones(1), rows=4, weighted=False)
    assert made.capped.tolist() == [True, True]
    assert str(made.ensembles[1].certificate.scope) == "class 2 against the rest, 4 rows of weight 1"
    assert made.importances.tolist() == [1.0]
    assert all(each.bin_weights is None for each in made.ensembles)  # the importances are all that is kept


def test_positives():
    assert positives(np.array(["a", "b"])).tolist() == ["b"]
    assert positives(np.array(["a", "b", "c"])).tolist() == ["a", "b", "c"]


def test_only_trees_are_trees():
    with pytest.raises(TypeError, match=r"trees of BestTree .*; got one with a function"):
        TWO.ensembles[0].trees()
