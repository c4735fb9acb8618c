"""Claims that are weaker or stronger than what is found, and weights of every size."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from frankboost import CertificateError, Columns, LPBoostClassifier, SoftMarginClassifier, verify
from verification.samples import xor_data


def test_shares_that_are_no_whole_units_prove_nothing():
    X, y = xor_data()
    model = SoftMarginClassifier(nu=0.3).fit(X, y)
    model.distribution_ = model.distribution_ * (1.0 + 1e-13)
    with pytest.raises(CertificateError, match="distribution: claimed multiples of"):
        verify(model, X, y)


def test_a_weaker_claim_holds_and_what_was_found_is_returned():
    X, y = xor_data()
    model = SoftMarginClassifier(nu=0.3).fit(X, y)
    honest = model.certificate_
    model.certificate_ = dataclasses.replace(honest, bound=0.9, soft_margin=-0.9, status="max_iter")
    found = verify(model, X, y)
    assert (found.soft_margin, found.bound) == (honest.soft_margin, honest.bound)


def test_optimal_means_the_claimed_gap():
    X, y = xor_data()
    model = SoftMarginClassifier(nu=0.3).fit(X, y)
    claim = model.certificate_
    gap = Fraction(claim.bound) - Fraction(claim.soft_margin)
    enough = float(gap) if Fraction(float(gap)) >= gap else math.nextafter(float(gap), 1.0)
    for tol, holds in ((enough, True), (math.nextafter(enough, 0.0), False)):
        model.certificate_ = dataclasses.replace(claim, tol=tol)
        if holds and Fraction(tol) >= gap:
            verify(model, X, y)
        else:
            with pytest.raises(CertificateError, match='status: claimed "optimal"'):
                verify(model, X, y)


@pytest.mark.parametrize("nu", [0.3, 1.0, 0.05])
@pytest.mark.parametrize("kind", ["wide", "balanced", "decimal", "repeated", "huge", "tiny"])
def test_weights_of_every_kind_are_proved(kind, nu):
    X, y = xor_data()
    rng = np.random.default_rng(1)
    weight = {
        "wide": 10.0 ** rng.integers(-12, 13, len(y)),
        "decimal": rng.random(len(y)) + 0.1,
        "huge": 1e307 * (rng.random(len(y)) + 0.1),
        "tiny": 1e-300 * (rng.random(len(y)) + 0.1),
    }.get(kind)
    if kind == "repeated":
        X, y = np.tile(np.round(X), (3, 1)), np.tile(y, 3)
        weight = rng.random(len(y)) + 0.1
    model = SoftMarginClassifier(nu=nu, class_weight="balanced" if kind in ("balanced", "huge") else None)
    model.fit(X, y, weight)
    claim, found = model.certificate_, verify(model, X, y, weight)
    assert claim.soft_margin <= found.soft_margin
    assert found.bound <= claim.bound


def test_columns_of_any_entries_are_proved():
    rng = np.random.default_rng(0)
    H = rng.uniform(-1.0, 1.0, (200, 30))
    y = np.where(H[:, :3].sum(axis=1) + rng.normal(size=200) > 0.0, 1, -1)
    for tol in (1e-2, 1e-6):
        model = LPBoostClassifier(nu=0.3, tol=tol, estimator=Columns(H)).fit(H, y)
        found = verify(model, H, y)
        assert model.certificate_.soft_margin <= found.soft_margin <= found.bound <= model.certificate_.bound


def test_a_heuristic_bound_is_never_below_the_soft_margin():
    for seed in range(6):
        X, y = xor_data(seed=seed)
        for estimator in (DecisionTreeClassifier(max_depth=2), None):
            model = SoftMarginClassifier(nu=0.3, tol=1e-3, max_depth=3, estimator=estimator, max_iter=60)
            model.fit(X, y)
            assert not verify(model, X, y).exact
            assert model.certificate_.gap >= 0.0


@pytest.mark.parametrize("tol", [0.0, 1e-8])
@pytest.mark.parametrize("max_depth", [1, 3])
def test_a_status_is_about_the_gap_that_was_asked_for(tol, max_depth):
    X, y = xor_data(rows=40)
    weight = 10.0 ** np.random.default_rng(3).uniform(-8.0, 8.0, 40)
    for given in (None, weight):
        model = SoftMarginClassifier(nu=0.3, tol=tol, max_depth=max_depth, max_iter=60).fit(X, y, given)
        verify(model, X, y, given)


@pytest.mark.parametrize("class_weight", [None, "balanced", {"a\0": 2.0}])
@pytest.mark.parametrize("classes", [2, 3])
def test_labels_that_differ_by_nuls_at_their_end(classes, class_weight):
    X, _ = xor_data()
    y = np.array(["a\0", "a", "a\0\0"], dtype=object)[np.arange(len(X)) % classes]
    model = SoftMarginClassifier(0.3, 0.1, class_weight=class_weight).fit(X, y)
    assert verify(model, X, y) == model.certificate_
