"""Many classes in one game on a device: the game of the host, bit for bit; it is skipped without a device."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine

from devices import cupy_or_skip
from export.models import rows_with_missing
from frankboost import ERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier, verify
from frankboost.rooms.margins import JointMargins
from frankboost.rules.frank_wolfe import ShortStep
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.level import Level
from rooms.test_joint_parts import both
from rooms.test_parts import TOL, assert_same_game

cupy = cupy_or_skip()

from frankboost.cuda.part import DeviceMargins, JointCudaPart  # noqa: E402

X, y = load_wine(return_X_y=True)
JOINT = {"multi_class": "joint"}


def rooms(rows, kind, ends=(), **how):
    return both(rows, kind, list(ends), part=JointCudaPart, **how)


@pytest.mark.parametrize("classes", [3, 4, 11])
@pytest.mark.parametrize("eta", [0.5, 30.0, 1e5])
def test_margins_and_masses_are_those_of_the_host(classes, eta):
    rng = np.random.default_rng(classes)
    m = 5001
    code = rng.integers(0, classes, m)
    here, there = JointMargins(code, classes), DeviceMargins(cupy.asarray(code), classes)
    votes = rng.normal(size=classes * m).round(rng.choice([1, 9]))
    on_device = cupy.asarray(votes)
    np.testing.assert_array_equal(here.least(votes, 1), cupy.asnumpy(there.least(on_device, 1)))
    np.testing.assert_array_equal(here.pairs(votes), cupy.asnumpy(there.pairs(on_device)))
    soft = there.soft(on_device, eta, 1)
    for mine, yours in zip(here.soft(votes, eta, 1), soft, strict=True):
        np.testing.assert_array_equal(mine, cupy.asnumpy(yours))
    d = rng.integers(0, 2**39, m) / 2.0**52
    d[rng.random(m) < 0.2] = 0.0
    for shares in (cupy.asnumpy(soft[1]), np.zeros(classes * m)):
        halves = here.signed(d, shares, 1)
        found = there.signed(cupy.asarray(d), cupy.asarray(shares), 1)
        np.testing.assert_array_equal(halves, cupy.asnumpy(found))
        np.testing.assert_array_equal(here.masses(halves), cupy.asnumpy(there.masses(found)))


@pytest.mark.parametrize("kind", ["plain", "missing", "categories", "weights"])
@pytest.mark.parametrize("ends", [[], [300], [1, 200, 570]])
def test_a_device_plays_the_game_of_the_host(kind, ends):
    assert_same_game(*rooms(600, kind, ends), [Level(TOL)])


@pytest.mark.parametrize("kind", ["plain", "missing", "categories", "weights"])
def test_with_rows_so_many_that_tables_are_filled(kind):
    assert_same_game(*rooms(6000, kind), [Level(TOL)], most=6)


def test_many_rows_are_sampled_alike():
    assert_same_game(*rooms(40000, "few bins", [15000, 15001]), [Level(TOL)], most=3)


@pytest.mark.parametrize("nu", [1e-6, 0.02, 0.5, 1.0])
def test_whatever_nu_is(nu):
    assert_same_game(*rooms(600, "missing", nu=nu), [Level(TOL)])


@pytest.mark.parametrize("rules", [[FullyCorrective()], [ShortStep()]])
def test_other_rules(rules):
    assert_same_game(*rooms(600, "plain"), rules)


def test_stumps_and_many_classes():
    assert_same_game(*rooms(600, "few bins", depth=1, classes=12, columns=12), [Level(TOL)])


def test_another_nu():
    one, other = rooms(600, "plain")
    for room in (one, other):
        room.ask()
        room.ask(room.at(np.full(len(room), 3.0)))
        room.restrict(0.3, 0.05)
    assert_same_game(one, other, [Level(0.05)])


@pytest.mark.parametrize(
    ("clf", "rows"),
    [
        (SoftMarginClassifier(0.2, **JOINT), X),
        (SoftMarginClassifier(tol=0.05, **JOINT), X),
        (SoftMarginClassifier(0.3, 0.05, **JOINT), rows_with_missing(X)),
        (ERLPBoostClassifier(0.3, 0.1, **JOINT), X),
    ],
    ids=["0.2", "auto", "missing", "erlp"],
)
@pytest.mark.parametrize("place", [np.asarray, cupy.asarray], ids=["host", "device"])
def test_the_model_is_that_of_the_host(clf, rows, place):
    here = clone(clf).fit(rows, y)
    there = clone(clf).set_params(device="cuda").fit(place(rows), y)
    assert (there.certificate_, there.nu_) == (here.certificate_, here.nu_)
    np.testing.assert_array_equal(there.distribution_, here.distribution_)
    np.testing.assert_array_equal(there.decision_function(rows), here.decision_function(rows))
    assert verify(there, rows, y) == here.certificate_


def test_ten_classes():
    digits, labels = load_digits(return_X_y=True)
    clf = SoftMarginClassifier(0.2, 0.05, **JOINT)
    here = clf.fit(digits, labels).certificate_
    assert clf.set_params(device="cuda").fit(digits, labels).certificate_ == here


def test_rules_with_whole_columns_are_refused():
    with pytest.raises(TypeError, match="a cluster and a device do not have"):
        LPBoostClassifier(0.2, device="cuda", **JOINT).fit(X, y)
