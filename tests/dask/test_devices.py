"""One device for each worker, or one that workers share; it is skipped without a device."""

import dask.array as da
import numpy as np
import pytest

from devices import cupy_or_skip
from frankboost import SoftMarginClassifier
from frankboost.dask import DaskSoftMarginClassifier, verify
from rooms.test_parts import sample

cupy_or_skip()


@pytest.mark.parametrize("kind", ["plain", "missing", "weights"])
def test_the_model_is_that_of_one_machine(client, nothing_left, kind):
    X, y, weight = sample(6000, kind)
    table, labels, weights = (da.from_array(each, chunks=1700) for each in (X, y, weight))
    clf = DaskSoftMarginClassifier(0.3, 0.02, max_bins=63, device="cuda", client=client)
    clf.fit(table.rechunk((1700, 5)), labels, weights)
    here = SoftMarginClassifier(0.3, 0.02, max_bins=63).fit(X, y, weight)
    assert clf.certificate_ == here.certificate_
    np.testing.assert_array_equal(clf.to_local().distribution_, here.distribution_)
    np.testing.assert_array_equal(clf.to_local().decision_function(X), here.decision_function(X))
    verify(clf, table.rechunk((1700, 5)), labels, weights)


def test_many_classes_in_one_game(client, nothing_left):
    X, y, weight = sample(3000, "weights")
    labels = (y > 0.0).astype(int) + (X[:, 3] > 0.7)
    settings = {"nu": 0.3, "tol": 0.05, "max_bins": 63, "multi_class": "joint"}
    there = DaskSoftMarginClassifier(**settings, device="cuda", client=client)
    there.fit(*(da.from_array(each, chunks=1700) for each in (X, labels, weight)))
    here = SoftMarginClassifier(**settings).fit(X, labels, weight)
    assert there.certificate_ == here.certificate_
    np.testing.assert_array_equal(there.to_local().distribution_, here.distribution_)
