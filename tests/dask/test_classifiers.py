"""Fits on a cluster are those of one machine, bit for bit."""

import importlib.util
import os
import signal
import threading

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from frankboost import BestTree, SoftMarginClassifier, verify
from frankboost.choosing import sample as sample_rows
from frankboost.dask import DaskERLPBoostClassifier, DaskMLPBoostClassifier, DaskSoftMarginClassifier
from frankboost.dask import verify as verify_there

SETTINGS = {"nu": 0.3, "tol": 0.1}


def sample(m=240, classes=2, seed=0):
    """Noisy numbers, some missing, many of them equal in the last columns."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(m, 3)), rng.integers(0, 5, (m, 2))])
    y = (X[:, 0] + X[:, 3] - 2.0 + rng.normal(size=m) > 0.0).astype(int) + (classes > 2) * (X[:, 4] > 3)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y, rng.integers(0, 3, m) + rng.random(m)


def arrays(*whole, parts):
    return [da.from_array(each, chunks=(-(-len(each) // parts), *each.shape[1:])) for each in whole]


def fields(trees):
    """The bytes of each field of the nodes, without those between them."""
    return [[each.nodes[name].tobytes() for name in each.nodes.dtype.names] for each in trees]


def assert_same(here, there):
    """The same trees, weights, distribution and certificate, to the bit."""
    assert here.classes_.tolist() == there.classes_.tolist()
    for one, other in zip(here.model_.ensembles, there.to_local().model_.ensembles, strict=True):
        assert one.certificate == other.certificate
        assert fields(one.hypotheses) == fields(other.hypotheses)
        np.testing.assert_array_equal(one.weights, other.weights)
        np.testing.assert_array_equal(one.distribution, other.distribution)
        np.testing.assert_array_equal(one.capped, other.capped)
        assert [each.gap for each in one.trace] == [each.gap for each in other.trace]
    np.testing.assert_array_equal(here.feature_importances_, there.feature_importances_)


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_the_model_of_one_machine(client, parts):
    X, y, weight = sample()
    here = SoftMarginClassifier(**SETTINGS).fit(X, y, weight)
    there = DaskSoftMarginClassifier(**SETTINGS).fit(*arrays(X, y, weight, parts=parts))
    assert_same(here, there)
    assert there.certificate_.status == "optimal"


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("enough", [100_000, 150])
def test_the_default_is_the_default_wherever_the_rows_are(client, monkeypatch, classes, enough):
    """nu, the leaves of the vote in use and the probabilities are those of one machine."""
    monkeypatch.setattr(sample_rows, "SAMPLE_ROWS", enough)
    monkeypatch.setattr(sample_rows, "MIN_CLASS_SAMPLE", 40)
    X, y, weight = sample(400, classes)
    weight = np.ceil(weight)
    there = DaskSoftMarginClassifier(tol=0.05).fit(*arrays(X, y, weight, parts=3))
    here = SoftMarginClassifier(tol=0.05).fit(X, y, weight)
    assert here.nu_ == there.nu_
    assert_same(here, there)
    np.testing.assert_array_equal(here.predict_proba(X), there.predict_proba(arrays(X, parts=2)[0]).compute())


HEAVY = {"min_samples_leaf": 9.5}


@pytest.mark.parametrize("parts", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("m", "settings"),
    [
        (240, HEAVY),  # of so few the rows are fetched
        (1200, HEAVY | {"max_bins": 15}),
        (1200, HEAVY | {"max_bins": 15, "monotonic_cst": [1, 0, 0, 1, -1]}),
        (1200, HEAVY | {"max_bins": 15, "categorical_features": [3, 4], "monotonic_cst": [1, 0, 0, 0, 0]}),
        (1200, HEAVY | {"max_depth": 1}),
    ],
)
def test_heavy_leaves(client, parts, m, settings):
    X, y, weight = sample(m)
    here = SoftMarginClassifier(**SETTINGS, **settings).fit(X, y, weight)
    data = arrays(X, y, weight, parts=parts)
    there = DaskSoftMarginClassifier(**SETTINGS, **settings).fit(*data)
    assert_same(here, there)
    assert verify_there(there, *data) == verify(here, X, y, weight) == here.certificate_


@pytest.mark.parametrize("settings", [HEAVY, HEAVY | {"multi_class": "joint"}])
def test_heavy_leaves_of_three_classes_and_a_nu_that_is_chosen(client, settings):
    X, y, weight = sample(400, 3)
    settings = {"tol": 0.1, "max_bins": 15, "class_weight": "balanced", **settings}
    here = SoftMarginClassifier(**settings).fit(X, y, np.ceil(weight))
    data = arrays(X, y, np.ceil(weight), parts=3)
    there = DaskSoftMarginClassifier(**settings).fit(*data)
    assert here.nu_ == there.nu_
    assert np.all(here.certificate_ == there.certificate_)
    np.testing.assert_array_equal(here.decision_function(X), there.decision_function(X))
    verify_there(there, *data)


def test_equal_rows_are_merged_as_on_one_machine(client):
    X, y, weight = sample(1200)
    for settings in (SETTINGS, SETTINGS | HEAVY):
        here = SoftMarginClassifier(**settings).fit(X[:, 3:], y, weight)
        there = DaskSoftMarginClassifier(**settings).fit(*arrays(X[:, 3:], y, weight, parts=3))
        assert_same(here, there)


def test_rows_that_no_worker_has_memory_for(client, monkeypatch):
    plain = client.scheduler_info

    def small(**kwargs):
        info = plain(**kwargs)
        return {
            **info,
            "workers": {at: {**each, "memory_limit": 1000} for at, each in info["workers"].items()},
        }

    monkeypatch.setattr(client, "scheduler_info", small)
    X, y, weight = sample(1200)
    clf = DaskSoftMarginClassifier(**SETTINGS)
    with pytest.raises(MemoryError, match=r"the \d+ rows on worker tcp://.* need .* GB, .* GB more than"):
        clf.fit(*arrays(X, y, weight, parts=3))


def test_data_frames_with_categories_and_three_classes(client):
    X, y, _ = sample(classes=3)
    X = pd.DataFrame(X, columns=list("abcde")).astype({"e": "category"})
    here = SoftMarginClassifier(**SETTINGS, class_weight="balanced").fit(X, y)
    there = DaskSoftMarginClassifier(**SETTINGS, class_weight="balanced", client=client)
    there.fit(dd.from_pandas(X, npartitions=2), dd.from_pandas(pd.Series(y), npartitions=2))
    assert_same(here, there)
    np.testing.assert_array_equal(there.predict(dd.from_pandas(X, npartitions=2)).compute(), here.predict(X))


@pytest.mark.parametrize(
    ("size", "class_weight"),
    [(1e307, "balanced"), (1e300, {0: 1.7e308, 1: 7e307}), (1e-300, {0: 1e-310, 1: 3e-310})],
)
def test_weights_and_class_weights_of_any_size(client, size, class_weight):
    X, y, weight = sample()
    settings = {**SETTINGS, "class_weight": class_weight}
    here = SoftMarginClassifier(**settings).fit(X, y, size * weight)
    data = arrays(X, y, size * weight, parts=3)
    there = DaskSoftMarginClassifier(**settings).fit(*data)
    assert_same(here, there)
    assert verify_there(there, *data) == here.certificate_


def test_a_model_knows_which_columns_were_dates(client):
    X, y, _ = sample()
    frame = pd.DataFrame(
        {"day": pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(len(y)), "D"), "x": X[:, 0]}
    )
    here = SoftMarginClassifier(**SETTINGS).fit(frame, y)
    there = DaskSoftMarginClassifier(**SETTINGS).fit(
        dd.from_pandas(frame, npartitions=2), dd.from_pandas(pd.Series(y), npartitions=2)
    )
    assert_same(here, there)
    assert there.to_local().dates_ == here.dates_ == ["day"]


@pytest.mark.parametrize("algorithm", [DaskERLPBoostClassifier, DaskMLPBoostClassifier])
def test_other_algorithms(client, algorithm):
    X, y, _ = sample()
    settings = {"nu": 0.3, "tol": 0.1, "max_iter": 3}
    there = algorithm(**settings).fit(*arrays(X, y, parts=2))
    if algorithm is DaskMLPBoostClassifier:
        settings["secondary"] = "erlp"
    assert_same(algorithm.local(**settings).fit(X, y), there)


def test_thresholds_from_elsewhere_and_a_proof(client):
    X, y, _ = sample()
    first = SoftMarginClassifier(**SETTINGS).fit(X[:120], y[:120])
    tree = BestTree(max_depth=1, thresholds=first.hypothesis_class_.thresholds)
    there = DaskSoftMarginClassifier(**SETTINGS, estimator=tree).fit(*arrays(X, y, parts=3))
    assert_same(SoftMarginClassifier(**SETTINGS, estimator=tree).fit(X, y), there)
    assert isinstance(there.distribution_, da.Array)
    verify(there.to_local(), X, y)


def test_a_learner_that_says_which_columns_hold_categories(client):
    X, y, _ = sample()
    X = np.nan_to_num(X)
    tree = BestTree(max_depth=1, categorical=(3,))
    there = DaskSoftMarginClassifier(**SETTINGS, estimator=tree).fit(*arrays(X, y, parts=3))
    assert_same(SoftMarginClassifier(**SETTINGS, estimator=tree).fit(X, y), there)
    assert "categories" in there.certificate_.hypothesis_class


def test_hard_examples(client):
    X, y, _ = sample()
    here = SoftMarginClassifier(**SETTINGS).fit(X, y).hard_examples(X, y)
    rows, labels = arrays(X, y, parts=3)
    there = DaskSoftMarginClassifier(**SETTINGS).fit(rows, labels)
    for given in ((rows, labels), (X, y)):
        found = there.hard_examples(*given)
        np.testing.assert_array_equal(found.index, here.index)
        np.testing.assert_array_equal(found.weight, here.weight)


def test_label_issues(client):
    X, y, _ = sample()
    here = SoftMarginClassifier(**SETTINGS).fit(X, y).label_issues(X, y, repeats=1)
    rows, labels = arrays(X, y, parts=3)
    found = DaskSoftMarginClassifier(**SETTINGS).fit(rows, labels).label_issues(rows, labels, repeats=1)
    np.testing.assert_array_equal(found.label_quality, here.label_quality)


def test_shapes(client):
    X, y, weight = sample()
    rows, labels, weights = arrays(X, y, weight, parts=3)
    here = SoftMarginClassifier(**SETTINGS).fit(X, y).shapes(X, weight)
    there = DaskSoftMarginClassifier(**SETTINGS).fit(rows, labels)
    for given in ((rows, weights), (X, weight)):
        np.testing.assert_array_equal(there.shapes(*given).effects(X), here.effects(X))


def test_partitions_without_weight(client):
    X, y, weight = sample()
    weight[80:160] = 0.0
    here = SoftMarginClassifier(**SETTINGS).fit(X, y, weight)
    assert_same(here, DaskSoftMarginClassifier(**SETTINGS).fit(*arrays(X, y, weight, parts=3)))


def fitted_as_a_worker_dies(client, settings, *data):
    """In round 3."""
    killed = []

    def kill(event):
        if event.round == 3:
            killed.append(next(iter(client.run(os.getpid, on_error="ignore").values())))
            os.kill(killed[-1], signal.SIGKILL)

    there = DaskSoftMarginClassifier(**settings, callbacks=[kill]).fit(*data)
    assert len(killed) == 1
    client.wait_for_workers(2)
    return there


def test_a_worker_that_dies_costs_a_rebuild_and_nothing_else(client):
    X, y, weight = sample()
    for settings in (SETTINGS, SETTINGS | HEAVY):
        here = SoftMarginClassifier(**settings).fit(X, y, weight)
        there = fitted_as_a_worker_dies(client, settings, *arrays(X, y, weight, parts=3))
        assert_same(here, there)


def test_an_interrupt_leaves_the_best_ensemble_so_far(client):
    X, y, _ = sample()

    def interrupt(event):
        if event.round == 3:
            signal.raise_signal(signal.SIGINT)

    there = DaskSoftMarginClassifier(**SETTINGS, callbacks=[interrupt])
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        there.fit(*arrays(X, y, parts=2))
    assert there.certificate_.status == "interrupted"
    assert there.n_iter_ >= 2
    verify(there.to_local(), X, y)


def test_a_partition_that_fails_to_load_is_named(client):
    X, y, _ = sample()

    def load(block, block_info=None):
        if block_info[0]["chunk-location"][0] == 1:
            raise OSError("part-1.parquet: no such file")
        return block

    X, y = arrays(X, y, parts=2)
    with pytest.raises(OSError, match=r"part-1\.parquet: no such file"):
        DaskSoftMarginClassifier(**SETTINGS).fit(X.map_blocks(load, meta=np.zeros((0, 0))), y)


def test_two_fits_on_one_cluster(client):
    X, y, _ = sample()
    fits = {}

    def fit(nu):
        fits[nu] = DaskSoftMarginClassifier(nu, 0.1, client=client).fit(*arrays(X, y, parts=2))

    threads = [threading.Thread(target=fit, args=(nu,)) for nu in (0.2, 0.4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for nu in (0.2, 0.4):
        assert_same(SoftMarginClassifier(nu, 0.1).fit(X, y), fits[nu])


@pytest.mark.usefixtures("nothing_left")
def test_nothing_is_left_behind():
    X, y, _ = sample()
    DaskSoftMarginClassifier(**SETTINGS).fit(*arrays(X, y, parts=2)).to_local()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"calibration": 3}, "calibration cannot be 3 on a cluster"),
        ({"warm_start": True}, "warm_start cannot be True on a cluster"),
        ({"max_depth": 3}, "max_depth must be 1 or 2 on a cluster; got 3"),
        ({"max_bins": None}, r"max_bins must be an integer in \[1, 255\] on a cluster; got None"),
    ],
)
def test_what_a_cluster_does_not_have_is_refused(client, settings, message):
    X, y, _ = sample(100)
    with pytest.raises(ValueError, match=message):
        DaskSoftMarginClassifier(**settings).fit(*arrays(X, y, parts=2))


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is installed")
def test_workers_without_cupy_say_what_to_install(client):
    X, y = da.from_array(np.eye(8), chunks=(4, 8)), da.from_array(np.arange(8) % 2, chunks=4)
    with pytest.raises(ImportError, match=r"install \"frankboost\[cuda\]\""):
        DaskSoftMarginClassifier(0.3, device="cuda", client=client).fit(X, y)


def test_a_linear_program_is_refused(client):
    X, y, _ = sample(100)
    with pytest.raises(TypeError, match="the rule needs whole columns"):
        DaskMLPBoostClassifier(secondary="lp").fit(*arrays(X, y, parts=2))


@pytest.mark.parametrize("own", [DaskSoftMarginClassifier, DaskERLPBoostClassifier, DaskMLPBoostClassifier])
def test_the_settings_of_one_machine(own):
    here, there = own.local().get_params(), own().get_params()
    differ = {name for name in there if name not in here or here[name] != there[name]}
    assert differ <= {"client", "secondary"}


def test_arguments_that_fit_does_not_take():
    with pytest.raises(TypeError, match=r"^DaskSoftMarginClassifier.fit\(\) got an unexpected .* 'eval_set'"):
        DaskSoftMarginClassifier().fit([[0.0]], [0], eval_set=None)


def test_clones_share_the_client(client):
    assert clone(DaskSoftMarginClassifier(client=client)).client is client


def test_constraints_are_kept_on_a_cluster(client):
    X, y, weight = sample()
    constraints = {"monotonic_cst": [1, -1, 0, 1, 0], "interaction_cst": [(0, 1, 3), (2, 4)]}
    here = SoftMarginClassifier(**SETTINGS, **constraints).fit(X, y, weight)
    there = DaskSoftMarginClassifier(**SETTINGS, **constraints).fit(*arrays(X, y, weight, parts=3))
    assert_same(here, there)
    assert there.hypothesis_class_.constraints == here.hypothesis_class_.constraints is not None
    with pytest.raises(ValueError, match="monotonic_cst must be None with more than two classes"):
        DaskSoftMarginClassifier(**SETTINGS, **constraints).fit(*arrays(X, y + (X[:, 4] > 3), parts=3))
    with pytest.raises(ValueError, match="for each of the 5 columns of X"):
        DaskSoftMarginClassifier(**SETTINGS, monotonic_cst=[1]).fit(*arrays(X, y, parts=3))
