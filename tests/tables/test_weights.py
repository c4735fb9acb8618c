"""Weights of any size: what counts is how they compare."""

import numpy as np
import pytest

from frankboost import ERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier, verify

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = X[:, 0] + RNG.normal(size=40) > 0


def fitted(sample_weight, **settings):
    return SoftMarginClassifier(0.3, 0.05, **settings).fit(X, Y, sample_weight)


@pytest.mark.parametrize("size", [1e307, 1.7e308, 1e-300, 2.0**-1060, 1e-310, 5e-324])
def test_the_size_of_the_weights_does_not_matter(size):
    ordinary = fitted(None)
    clf = fitted(np.full(40, size))
    np.testing.assert_allclose(clf.distribution_, ordinary.distribution_, rtol=1e-9, atol=1e-15)
    assert clf.certificate_.soft_margin == pytest.approx(ordinary.certificate_.soft_margin, abs=1e-12)
    assert clf.certificate_.bound == pytest.approx(ordinary.certificate_.bound, abs=1e-12)


def test_weights_that_differ_and_whose_sum_overflows():
    shares = RNG.integers(1, 9, 40)
    clf = fitted(shares * 2.0**1020)
    assert clf.certificate_ == fitted(shares).certificate_
    assert clf.certificate_.gap <= 0.05


@pytest.mark.parametrize("low", [-120, -249])
def test_weights_far_apart(low):
    weight = 10.0 ** np.linspace(low, 0, 40)
    clf = fitted(weight)
    assert clf.certificate_.status in ("optimal", "converged")
    assert clf.certificate_.bound - clf.certificate_.soft_margin <= 0.05
    assert clf.distribution_.sum() == 1.0


@pytest.mark.parametrize("classifier", [SoftMarginClassifier, ERLPBoostClassifier, LPBoostClassifier])
@pytest.mark.parametrize("of", ["one row", "one class"])
@pytest.mark.parametrize("decades", range(21))
def test_rows_however_light_do_not_keep_a_fit_from_its_end(classifier, of, decades):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 2))
    labels = (rows[:, 0] > 0).astype(int)
    labels[0] = 1 - labels[0]
    light, weight = 10.0**-decades, np.ones(40)
    if of == "one row":
        weight[0] = light
        clf = classifier(1e-10, 0.01, max_iter=100)
    else:
        clf = classifier(1e-30, 0.01, max_iter=100, class_weight={0: light, 1: 1.0})
    clf.fit(rows, labels, weight)
    assert clf.certificate_.exact
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.gap <= 0.01
    verify(clf, rows, labels, sample_weight=weight)


@pytest.mark.parametrize("ends", [(-300, 300), (-251, 0), (-320, 0)])
def test_weights_too_far_apart_are_named(ends):
    message = r"times class_weight: the largest must be at most 1e\+250 times the smallest; got .* times the"
    with pytest.raises(ValueError, match=message):
        fitted(10.0 ** np.linspace(*ends, 40))


@pytest.mark.parametrize("factors", [{False: 1e-320, True: 1e300}, {False: 1.0, True: 1e-260}])
def test_class_weights_too_far_apart_are_named(factors):
    with pytest.raises(ValueError, match=r"sample_weight, times class_weight: the largest must be"):
        fitted(None, class_weight=factors)


def test_weights_that_are_tiny_only_together():
    weight = np.where(Y, 1e-320, 1.0)
    clf = fitted(weight, class_weight={False: 1e-320, True: 1.0})
    assert clf.certificate_.bound - clf.certificate_.soft_margin <= 0.05
    verify(clf, X, Y, sample_weight=weight)


def test_weights_that_all_vanish_are_named():
    with pytest.raises(ValueError, match="sample_weight, times class_weight, must hold numbers > 0"):
        fitted(np.full(40, 1e-140), class_weight={False: 1e-200, True: 1e-199})


def test_a_class_too_light_to_be_balanced_is_named():
    with pytest.raises(ValueError, match=r"sample_weight must not span .* with class_weight='balanced'"):
        fitted(np.where(Y, 5e-324, 1e308), class_weight="balanced")


def test_a_weight_that_vanishes_beside_its_class_weight_is_named():
    weight = np.where(np.arange(len(Y)) % 3 == 0, 1e-120, 1.0)
    with pytest.raises(ValueError, match=r"must be at most .* times the smallest; got a smallest of 0 times"):
        fitted(weight, class_weight={False: 1e-320, True: 1e-100})


def test_a_class_weight_and_a_weight_may_make_up_for_each_other():
    weight = np.where(Y, 1e200, 1e-100)
    clf = fitted(weight, class_weight={False: 1e100, True: 1e-200})
    assert clf.certificate_.gap <= 0.05
    np.testing.assert_allclose(clf.certificate_.bound, fitted(None).certificate_.bound, atol=1e-9)


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_class_weights_whose_product_would_overflow(factor):
    clf = fitted(np.full(40, factor), class_weight={False: factor, True: factor})
    assert clf.certificate_.bound == pytest.approx(fitted(None).certificate_.bound, abs=1e-12)


def test_class_weights_whose_product_overflows_are_named():
    with pytest.raises(
        ValueError, match="sample_weight, times class_weight, must hold finite numbers; got inf"
    ):
        fitted(np.full(40, 1e150), class_weight={False: 1e300, True: 1e300})


@pytest.mark.parametrize("size", [1.0, 2.0**1020, 2.0**-1060])
def test_balanced_classes_of_any_size(size):
    shares = RNG.integers(1, 9, 40)
    clf = fitted(shares * size, class_weight="balanced")
    assert clf.certificate_ == fitted(shares, class_weight="balanced").certificate_


def test_integers_too_large_for_floats_are_named():
    X, y = np.arange(4.0)[:, None], [0, 1, 0, 1]
    clf = SoftMarginClassifier(0.5).fit(X, y)
    with pytest.raises(ValueError, match="sample_weight must hold finite numbers >= 0: int too large"):
        clf.fit(X, y, [10**400] * 4)
    with pytest.raises(ValueError, match="sample_weight must hold finite numbers: int too large"):
        verify(clf, X, y, [10**400] * 4)
    with pytest.raises(ValueError, match="class_weight must hold finite numbers > 0: int too large"):
        SoftMarginClassifier(0.5, class_weight={0: 10**5000}).fit(X, y)
