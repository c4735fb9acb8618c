"""What is proved on a cluster is what is proved here, and false claims are refused."""

from dataclasses import replace

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from frankboost import SoftMarginClassifier
from frankboost import verify as verify_here
from frankboost.certificate import CertificateError
from frankboost.constraints import Constraints
from frankboost.dask import verify


def sample(m=300, classes=2):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(m, 2)), rng.integers(0, 5, (m, 2))])
    y = (X[:, 0] + X[:, 2] - 2.0 + rng.normal(size=m) > 0.0).astype(int) + (classes > 2) * (X[:, 3] > 3)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y, rng.integers(0, 3, m) + (rng.random(m) if classes == 2 else 0.0)


def arrays(*whole, parts):
    return [da.from_array(each, chunks=(-(-len(each) // parts), *each.shape[1:])) for each in whole]


@pytest.mark.parametrize(
    ("classes", "depth", "settings"),
    [
        (2, 2, {"categorical_features": [3]}),
        (2, 1, {"class_weight": "balanced", "max_bins": 7}),
        (3, 2, {"class_weight": "balanced"}),
        (2, 2, {"monotonic_cst": [1, 0, -1, 0], "interaction_cst": [(0, 2, 3), (1,)]}),
        (2, 2, {"categorical_features": [3], "monotonic_cst": [1, -1, -1, 0]}),
        (2, 2, {"categorical_features": [2, 3], "min_samples_leaf": 7}),
        (2, 1, {"min_samples_leaf": 20.5}),
        (2, 2, {"categorical_features": [3], "monotonic_cst": [1, -1, -1, 0], "min_samples_leaf": 7}),
        (3, 2, {"class_weight": "balanced", "min_samples_leaf": 7, "multi_class": "joint"}),
    ],
)
def test_what_is_proved_here(client, classes, depth, settings):
    X, y, weight = sample(classes=classes)
    weight[100:200] = 0.0
    clf = SoftMarginClassifier(0.3, 0.1, max_depth=depth, **settings).fit(X, y, weight)
    there = verify(clf, *arrays(X, y, weight, parts=4), client=client)
    assert there == verify_here(clf, X, y, weight)


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 1.0, 1: 2.0**-12}])
def test_weights_that_are_very_large_in_some_partitions_only(client, class_weight):
    X, y, weight = sample()
    weight = np.ldexp(weight, np.where(np.arange(300) < 150, 495, 505))
    clf = SoftMarginClassifier(0.3, 0.1, class_weight=class_weight).fit(X, y, weight)
    there = verify(clf, *arrays(X, y, weight, parts=4), client=client)
    assert there == verify_here(clf, X, y, weight)


def test_data_frames_with_categories(client):
    X, y, _ = sample()
    frame = pd.DataFrame(X, columns=list("abcd")).astype({"d": "category"})
    clf = SoftMarginClassifier(0.3, 0.1).fit(frame, y)
    frames = (dd.from_pandas(frame, npartitions=2), dd.from_pandas(pd.Series(y), npartitions=2))
    assert verify(clf, *frames) == verify_here(clf, frame, y)


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = sample()
    return X, y, SoftMarginClassifier(0.3, 0.1).fit(X, y)


class Claimed:
    """A model that claims something else of the same fit."""

    def __init__(self, clf, **changed):
        for name in (
            "certificate_",
            "distribution_",
            "hypothesis_class_",
            "estimators_",
            "estimator_weights_",
        ):
            setattr(self, name, changed.get(name, getattr(clf, name)))
        self.classes_ = clf.classes_


def test_false_claims_are_refused(client, fitted):
    X, y, clf = fitted
    data = arrays(X, y, parts=2)
    claim = clf.certificate_
    above = replace(claim, soft_margin=np.nextafter(claim.soft_margin, 1.0))
    below = replace(claim, bound=np.nextafter(claim.bound, -1.0))
    with pytest.raises(CertificateError, match="soft_margin: claimed"):
        verify(Claimed(clf, certificate_=above), *data)
    with pytest.raises(CertificateError, match="bound: claimed"):
        verify(Claimed(clf, certificate_=below), *data)
    d = clf.distribution_.copy()
    d[np.argmin(d)] += 2.0**-52
    with pytest.raises(CertificateError, match=r"distribution: claimed sum 1, found 1 \+1 \* 2\^-52"):
        verify(Claimed(clf, distribution_=d), *data)
    with pytest.raises(CertificateError, match="bound: claimed"):
        verify(Claimed(clf, distribution_=np.roll(clf.distribution_, 1)), *data)
    with pytest.raises(CertificateError, match="claimed"):
        verify(clf, data[0], 1 - data[1])


def test_light_leaves_are_found_out(client):
    """Those that are heavy enough are so in no partition alone."""
    X, y, _ = sample()
    clf = SoftMarginClassifier(0.3, 0.1, categorical_features=[2, 3], min_samples_leaf=20, max_iter=8)
    clf.fit(X, y)
    data = arrays(X, y, parts=20)
    assert verify(clf, *data) == clf.certificate_
    declared = replace(clf.hypothesis_class_, constraints=Constraints(leaf_weight=60.0))
    with pytest.raises(CertificateError, match=r"claimed a leaf of weight 59\.9999 or more, found \d"):
        verify(Claimed(clf, hypothesis_class_=declared), *data)


def test_other_rows_are_refused(client, fitted):
    X, y, clf = fitted
    with pytest.raises(ValueError, match="X must have the 300 rows that the model was fitted to; got 299"):
        verify(clf, *arrays(X[:-1], y[:-1], parts=2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda y, weight: (y.astype(str), weight), r"y must hold the labels \[0, 1\] of the model; got"),
        (lambda y, weight: (y.astype(object).where(y > 0, pd.NA), weight), "y must hold the labels"),
        (lambda y, weight: (y, weight.astype(str) + "a"), "sample_weight must hold numbers"),
        (lambda y, weight: (y, -weight), "sample_weight must hold finite numbers >= 0"),
    ],
)
def test_labels_and_weights_are_checked(client, fitted, change, message):
    X, y, clf = fitted
    given = pd.DataFrame(X), *change(pd.Series(y), pd.Series(np.ones(len(y))))
    with pytest.raises(ValueError, match=message):
        verify(clf, *(dd.from_pandas(each, npartitions=2) for each in given))


def test_labels_in_a_frame_of_one_column(client, fitted):
    X, y, clf = fitted
    frames = [dd.from_pandas(pd.DataFrame(each), npartitions=2) for each in (X, y)]
    assert verify(clf, *frames) == clf.certificate_


def test_a_class_without_rows_cannot_be_balanced(client):
    X, y, _ = sample()
    clf = SoftMarginClassifier(0.3, 0.1, class_weight="balanced").fit(X, y)
    for given, prove in (((X, 0 * y), verify_here), (arrays(X, 0 * y, parts=2), verify)):
        with pytest.raises(ValueError, match="y must have rows of every class of the model"):
            prove(clf, *given)


def test_labels_that_differ_by_nuls_at_their_end(client):
    X, y, _ = sample()
    y = np.array(["a\0", "a"], dtype=object)[y]
    clf = SoftMarginClassifier(0.3, 0.1, class_weight="balanced").fit(X, y)
    assert verify(clf, *arrays(X, y, parts=3), client=client) == clf.certificate_
