"""The room on a device plays the game of the local room, bit for bit; it is skipped without a device."""

import numpy as np
import pytest

from devices import cupy_or_skip
from frankboost import MLPBoostClassifier
from frankboost.grid import power_above
from frankboost.learners.binning import BinnedFeatures
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local_parts import TreePart
from frankboost.rooms.margins import BinaryMargins
from frankboost.rules.level import Level
from rooms.test_parts import SIGNS, TOL, assert_same_game, both, sample

cupy_or_skip()

from frankboost.cuda.part import CudaPart  # noqa: E402


def rooms(rows, kind, **how):
    return both(rows, kind, [], part=CudaPart, **how)


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories", "weights"])
@pytest.mark.parametrize("rows", [1500, 40000])
def test_a_device_plays_the_game_of_the_local_room(kind, rows):
    assert_same_game(*rooms(rows, kind), [Level(TOL)], most=8)


@pytest.mark.parametrize("kind", ["plain", "missing", "categories", "weights"])
@pytest.mark.parametrize(("rows", "ends"), [(1500, [1, 700]), (300_000, [100_001, 250_000])])
def test_so_do_several_parts(kind, rows, ends):
    assert_same_game(*both(rows, kind, ends, part=CudaPart), [Level(TOL)], most=6)


@pytest.mark.parametrize("kind", ["plain", "missing", "categories", "weights"])
@pytest.mark.parametrize("rows", [1500, 40000])
def test_more_columns_than_features(kind, rows):
    assert_same_game(*rooms(rows, kind, columns=12), [Level(TOL)], most=6)


@pytest.mark.parametrize("kind", ["plain", "missing", "categories", "weights", "tenths"])
@pytest.mark.parametrize(("rows", "ends"), [(1500, []), (1500, [1, 700]), (40000, []), (40000, [15001])])
@pytest.mark.parametrize("signs", [None, SIGNS])
def test_heavy_leaves(kind, rows, ends, signs):
    settings = {"min_samples_leaf": 4 if kind == "tenths" else 40, "monotonic_cst": signs}
    assert_same_game(*both(rows, kind, ends, part=CudaPart, **settings), [Level(TOL)], most=4)


@pytest.mark.parametrize("kind", ["missing", "categories"])
def test_heavy_stumps(kind):
    assert_same_game(*rooms(3000, kind, depth=1, min_samples_leaf=200), [Level(TOL)])


@pytest.mark.parametrize("kind", ["plain", "weights", "tenths"])
@pytest.mark.parametrize("label", [None, -1.0])  # of all rows
def test_the_weights_of_the_rows_are_those_of_the_host(kind, label):
    X, y, weight = sample(3001, kind)
    y = y if label is None else np.full(len(y), label)
    features = BinnedFeatures.from_rows(X, weight, 63)
    examples = Examples(features, BinaryMargins(y), weight)
    here, there = TreePart(examples), CudaPart(examples)
    for part in (here, there):
        part.weigh_rows(-1, power_above(part.weigh()[0]))
    pairs = features.search().survey().pairs
    np.testing.assert_array_equal(here.pair_tables(-1, 0, pairs), there.pair_tables(-1, 0, pairs))
    np.testing.assert_array_equal(here.feature_sums(-1), there.feature_sums(-1))
    for mine, yours in zip(here.rows(-1), there.rows(-1), strict=True):
        np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("nu", [0.02, 0.5, 1.0])
def test_whatever_nu_is(nu):
    assert_same_game(*rooms(3000, "missing", nu=nu), [Level(TOL)])


def test_many_bins():
    assert_same_game(*rooms(60000, "many bins", bins=255), [Level(TOL)], most=4)


def test_stumps():
    assert_same_game(*rooms(3000, "categories", depth=1), [Level(TOL)])


@pytest.mark.parametrize(("fw_rule", "secondary"), [("pairwise", "level"), (None, "erlp")])
def test_every_rule_that_needs_no_whole_columns(fw_rule, secondary):
    rules = MLPBoostClassifier(tol=TOL, fw_rule=fw_rule, secondary=secondary).rules()
    assert_same_game(*rooms(1500, "plain"), rules)


def test_another_nu():
    one, other = rooms(3000, "plain")
    for room in (one, other):
        room.ask()
        room.ask(room.at(np.full(len(room), 3.0)))
        room.restrict(0.1, 0.05)
    assert_same_game(one, other, [Level(0.05)])


@pytest.mark.parametrize("kind", ["plain", "few bins", "missing", "categories", "weights"])
@pytest.mark.parametrize("rows", [3001, 40002])
def test_the_children_of_every_root_are_those_of_the_host(kind, rows):
    X, y, weight = sample(rows, kind)
    features = BinnedFeatures.from_rows(X, weight, 63, (1, 2) if kind == "categories" else ())
    examples = Examples(features, BinaryMargins(y), weight)
    here, there = TreePart(examples), CudaPart(examples)
    for part in (here, there):
        part.cap(0.2, float(weight.sum()))
        part.prior(0)
    survey = features.search().survey()
    for begin, end in ((0, 1), (1, 4), (0, survey.pairs)):
        survey = features.search().survey()
        tables = here.pair_tables(0, begin, end)
        np.testing.assert_array_equal(tables, there.pair_tables(0, begin, end))
        survey.take_pairs(begin, end, tables, 1)
        for mine, yours in zip(survey.children(), there.pair_children(0, begin, end), strict=True):
            np.testing.assert_array_equal(mine, yours)
