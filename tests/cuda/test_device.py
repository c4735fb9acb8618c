"""`device=` of the estimators, with a device and without."""

import gc
import importlib.util

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from devices import FEW_ROWS, why_none
from export.models import rows_with_missing
from frankboost import ERLPBoostClassifier, SoftMarginClassifier

X, y = load_breast_cancer(return_X_y=True)


needs_device = pytest.mark.skipif(why_none() is not None, reason=str(why_none()))


def test_a_device_must_be_one_that_we_know():
    with pytest.raises(ValueError, match='device must be "cpu" or "cuda"; got \'gpu\''):
        SoftMarginClassifier(0.3, device="gpu").fit(X, y)


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is installed")
def test_without_cupy_the_error_says_what_to_install():
    with pytest.raises(ImportError, match=r"install \"frankboost\[cuda\]\""):
        SoftMarginClassifier(0.3, device="cuda").fit(X, y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"max_depth": 3}, "max_depth must be 1 or 2"), ({"max_bins": None}, "max_bins must be at most 255")],
)
def test_what_the_device_lacks(settings, message):
    with pytest.raises(ValueError, match=message):
        SoftMarginClassifier(0.3, device="cuda", **settings).fit(X, y)


@needs_device
@pytest.mark.parametrize(
    "clf",
    [
        SoftMarginClassifier(0.3),
        SoftMarginClassifier(0.3, max_depth=1, class_weight="balanced"),
        SoftMarginClassifier(0.3, min_samples_leaf=20),
        SoftMarginClassifier(0.3, min_samples_leaf=20, max_bins=15, monotonic_cst=[-1] * 5 + [0] * 25),
        ERLPBoostClassifier(0.3, 0.1),
    ],
    ids=str,
)
def test_the_model_is_that_of_the_cpu(clf):
    check_model(clf, X, y)


@needs_device
def test_nu_is_the_one_that_the_cpu_chooses():
    check_model(SoftMarginClassifier(tol=0.2), rows_with_missing(X)[FEW_ROWS, :10], y[FEW_ROWS])


def check_model(clf, X, y):
    here, there = (type(clf)(**clf.get_params() | {"device": device}).fit(X, y) for device in ("cpu", "cuda"))
    assert here.certificate_ == there.certificate_
    for mine, yours in zip(here.model_.ensembles, there.model_.ensembles, strict=True):
        np.testing.assert_array_equal(mine.weights, yours.weights)
        np.testing.assert_array_equal(mine.distribution, yours.distribution)
    np.testing.assert_array_equal(here.decision_function(X), there.decision_function(X))


@needs_device
def test_out_of_memory_the_error_says_how_much_there_is():
    import cupy  # noqa: PLC0415

    rng = np.random.default_rng(0)
    many, labels = rng.normal(size=(200_000, 30)), rng.integers(0, 2, 200_000)
    clf = SoftMarginClassifier(0.3, device="cuda").fit(X, y)
    before = clf.certificate_
    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    for room in (1, 50, 60):  # for the rows, for their columns, for their bins
        pool.set_limit(size=pool.total_bytes() + room * 2**20)
        try:
            with pytest.raises(MemoryError, match=r"200,000 rows need .* GB are left \((Out of|std::bad)"):
                clf.fit(many, labels)
        finally:
            pool.set_limit(size=0)
            pool.free_all_blocks()
    assert clf.certificate_ is before
    assert clf.fit(X, y).certificate_ == before


@needs_device
def test_after_a_fit_nothing_of_it_is_on_the_device():
    import cupy  # noqa: PLC0415

    pool = cupy.get_default_memory_pool()
    SoftMarginClassifier(0.3, device="cuda").fit(X, y)  # what is kept for all fits is there now
    gc.collect()
    used = pool.used_bytes()
    gc.disable()
    try:
        SoftMarginClassifier(0.3, device="cuda").fit(X, y)
        assert pool.used_bytes() == used
    finally:
        gc.enable()
