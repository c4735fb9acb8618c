"""Rows that are on a device already are binned, fitted and predicted there, with the bits of the host."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

from devices import FEW_ROWS, cupy_or_skip
from export.models import rows_with_missing
from frankboost import SoftMarginClassifier
from frankboost.learners.binning import BinnedFeatures

cupy = cupy_or_skip()

from frankboost.cuda import DeviceRows  # noqa: E402

X, y = load_breast_cancer(return_X_y=True)
HOLES = rows_with_missing(X)
FEW = HOLES[FEW_ROWS, :10], y[FEW_ROWS]


def same_bins(one, other):
    np.testing.assert_array_equal(one.codes, cupy.asnumpy(other.codes))
    for mine, yours in zip(one.thresholds, other.thresholds, strict=True):
        np.testing.assert_array_equal(mine, yours)
    np.testing.assert_array_equal(one.missing, other.missing)
    assert one.all_thresholds == other.all_thresholds


@pytest.mark.parametrize("rows", [X, HOLES, np.round(X).clip(0, 20)], ids=["plain", "missing", "few values"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_bins_are_those_of_the_host(rows, weighted, kind):
    rows = rows.astype(kind)
    weight = np.random.default_rng(1).random(len(rows)) + 0.1 if weighted else np.ones(len(rows))
    here = BinnedFeatures.from_rows(rows.astype(np.float64), weight, 63)
    same_bins(here, BinnedFeatures.from_rows(DeviceRows(rows), weight, 63))
    same_bins(
        here, BinnedFeatures.from_rows(DeviceRows(np.asfortranarray(rows)), weight, 63, (), here.thresholds)
    )


@pytest.mark.parametrize(
    ("clf", "rows"),
    [(SoftMarginClassifier(0.3), (HOLES, y)), (SoftMarginClassifier(tol=0.2), FEW)],
    ids=["0.3", "auto"],
)
def test_a_fit_to_arrays_on_the_device(clf, rows):
    here = clone(clf).fit(*rows)
    there = clone(clf).set_params(device="cuda").fit(*map(cupy.asarray, rows))
    assert there.certificate_ == here.certificate_
    for name in ("decision_function", "predict", "predict_proba"):
        found = getattr(there, name)(cupy.asarray(rows[0]))
        assert isinstance(found, cupy.ndarray)
        np.testing.assert_array_equal(cupy.asnumpy(found), getattr(here, name)(rows[0]))
        np.testing.assert_array_equal(getattr(there, name)(rows[0]), getattr(here, name)(rows[0]))


def test_labels_that_are_no_numbers_come_back_on_the_host():
    names = np.array(["bad", "good"])[y]
    clf = SoftMarginClassifier(0.3, device="cuda").fit(cupy.asarray(X), names)
    np.testing.assert_array_equal(clf.predict(cupy.asarray(X)), clf.predict(X))


def test_columns_of_categories():
    table = np.column_stack([X[:, :4], y[::-1], np.arange(len(y)) % 7])
    here = SoftMarginClassifier(0.3, categorical_features=[4, 5]).fit(table, y)
    there = SoftMarginClassifier(0.3, categorical_features=[4, 5], device="cuda").fit(cupy.asarray(table), y)
    assert there.certificate_ == here.certificate_
    np.testing.assert_array_equal(cupy.asnumpy(there.predict(cupy.asarray(table))), here.predict(table))


def test_tensors_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    clf = SoftMarginClassifier(0.3, device="cuda").fit(
        torch.tensor(X, device="cuda"), torch.tensor(y, device="cuda")
    )
    assert clf.certificate_ == SoftMarginClassifier(0.3).fit(X, y).certificate_
    assert torch.as_tensor(clf.predict(torch.tensor(X, device="cuda")), device="cuda").is_cuda


def test_what_is_refused():
    with pytest.raises(ValueError, match='X must be on the host with device="cpu"'):
        SoftMarginClassifier(0.3).fit(cupy.asarray(X), y)
    with pytest.raises(ValueError, match="it holds infinity"):
        SoftMarginClassifier(0.3, device="cuda").fit(cupy.full((9, 2), np.inf), np.arange(9) % 2)
    with pytest.raises(ValueError, match=r"must have rows and columns; got an array of shape \(9,\)"):
        SoftMarginClassifier(0.3, device="cuda").fit(cupy.ones(9), np.arange(9) % 2)
