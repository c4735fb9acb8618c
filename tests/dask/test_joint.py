"""Many classes in one game on a cluster: the model of one machine, bit for bit."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from tests.dask.test_classifiers import arrays, fields, fitted_as_a_worker_dies, sample

from frankboost import SoftMarginClassifier, verify
from frankboost.certificate import CertificateError
from frankboost.choosing import sample as sample_rows
from frankboost.dask import DaskERLPBoostClassifier, DaskSoftMarginClassifier
from frankboost.dask import verify as verify_there

JOINT = {"multi_class": "joint"}
SETTINGS = {"nu": 0.2, "tol": 0.05, **JOINT}


def rows(m=240):
    """Three classes, of which the last is in the last rows alone."""
    X, y, weight = sample(m)
    y[-m // 5 :] = 2
    X[-m // 5 :, 1] += 1.0
    weight[: m // 20] = 0.0
    return X, np.array(["no", "yes", "other"])[y], weight


def assert_same(here, there):
    """The same trees of each class, weights, distribution and certificate, to the bit."""
    local = there.to_local()
    [one], [other] = here.model_.ensembles, local.model_.ensembles
    assert one.certificate == other.certificate
    for mine, yours in zip(one.hypotheses, other.hypotheses, strict=True):
        assert fields(mine.members) == fields(yours.members)
    np.testing.assert_array_equal(one.weights, other.weights)
    np.testing.assert_array_equal(one.distribution, other.distribution)
    np.testing.assert_array_equal(one.capped, other.capped)
    assert [each.gap for each in one.trace] == [each.gap for each in other.trace]
    np.testing.assert_array_equal(here.feature_importances_, local.feature_importances_)


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_the_model_of_one_machine(client, nothing_left, parts):
    X, y, weight = rows()
    here = SoftMarginClassifier(**SETTINGS).fit(X, y, weight)
    there = DaskSoftMarginClassifier(**SETTINGS).fit(*arrays(X, y, weight, parts=parts))
    assert there.distribution_.shape == (240, 3)
    assert_same(here, there)
    proved = verify_there(there, *arrays(X, y, weight, parts=4 - parts))
    assert proved == verify(there.to_local(), X, y, weight) == here.certificate_
    known = str(verify(here, X, y, weight))  # that of a cluster counts no thresholds
    assert str(proved).split(";")[:4] == known.split(";")[:4]
    assert there.certificate_.status == "optimal"
    del there


def test_false_claims_are_refused(client):
    X, y, weight = rows()
    data = arrays(X, y, weight, parts=3)
    local = DaskSoftMarginClassifier(**SETTINGS).fit(*data).to_local()
    [known], true = local.model_.ensembles, local.certificate_

    def claimed(**changed):
        false = copy(local)
        false.model_ = replace(local.model_, ensembles=(replace(known, **changed),))
        return false

    d = known.distribution.copy()
    row, code = np.argwhere(d)[0]
    own = int(np.searchsorted(local.classes_, y[row]))
    d[row, [own, code]] = d[row, [code, own]]
    ends = {"soft_margin": np.nextafter(true.soft_margin, 1.0)}, {"bound": np.nextafter(true.bound, 0.0)}
    for false, message in (
        *((claimed(certificate=replace(true, **end)), f"{next(iter(end))}: claimed") for end in ends),
        (claimed(distribution=d), "weight of the distribution for a row's own"),
        (claimed(weights=known.weights[::-1].copy()), "soft_margin: claimed"),
    ):
        with pytest.raises(CertificateError, match=message):
            verify_there(false, *data)
    with pytest.raises(CertificateError, match="claimed"):
        verify_there(local, *arrays(X, np.roll(y, 1), np.ones(len(y)), parts=2))


@pytest.mark.parametrize("enough", [100_000, 150])
def test_nu_is_chosen_once_wherever_the_rows_are(client, monkeypatch, enough):
    monkeypatch.setattr(sample_rows, "SAMPLE_ROWS", enough)
    monkeypatch.setattr(sample_rows, "MIN_CLASS_SAMPLE", 40)
    X, y, weight = rows(400)
    weight = np.ceil(weight)
    here = SoftMarginClassifier(tol=0.05, **JOINT).fit(X, y, weight)
    there = DaskSoftMarginClassifier(tol=0.05, **JOINT).fit(*arrays(X, y, weight, parts=3))
    assert here.nu_ == there.nu_
    assert_same(here, there)
    np.testing.assert_array_equal(here.predict_proba(X), there.predict_proba(arrays(X, parts=2)[0]).compute())


def test_a_worker_that_dies_costs_a_rebuild_and_nothing_else(client):
    """With rows so many that their tables are filled."""
    X, y, weight = rows(1500)
    settings = {**SETTINGS, "max_iter": 6}
    here = SoftMarginClassifier(**settings).fit(X, y, weight)
    there = fitted_as_a_worker_dies(client, settings, *arrays(X, y, weight, parts=3))
    assert_same(here, there)


def test_another_algorithm_and_trees_of_depth_1(client):
    X, y, weight = rows()
    settings = {**SETTINGS, "max_iter": 4, "max_depth": 1}
    there = DaskERLPBoostClassifier(**settings).fit(*arrays(X, y, weight, parts=2))
    assert_same(DaskERLPBoostClassifier.local(**settings).fit(X, y, weight), there)


def test_two_classes_are_as_without_it(client):
    X, y, weight = sample()
    one, other = (
        DaskSoftMarginClassifier(0.3, 0.1, multi_class=each).fit(*arrays(X, y, weight, parts=2))
        for each in ("ovr", "joint")
    )
    assert one.certificate_ == other.certificate_
