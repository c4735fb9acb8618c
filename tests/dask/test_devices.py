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
