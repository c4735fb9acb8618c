"""What a certificate says of its class is what the class is, whatever a file or an attribute says."""

import copy
import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pytest

from frankboost import CertificateError, Columns, LPBoostClassifier, SoftMarginClassifier, load, save, verify
from verification.samples import xor_data

ALL = "depth-1 trees over 4 features, all thresholds"


@pytest.fixture
def coarse():
    """One threshold per feature."""
    X, y = xor_data(missing=0.1)
    return SoftMarginClassifier(max_depth=1, max_bins=1).fit(X, y), X, y


def test_few_values_are_all_thresholds_whatever_was_asked_for():
    X, y = xor_data(missing=0.1)
    for max_bins in (None, 255):
        model = SoftMarginClassifier(max_depth=1, max_bins=max_bins).fit(X, y)
        assert verify(model, X, y).hypothesis_class == model.certificate_.hypothesis_class == ALL


def test_thresholds_that_miss_a_value_are_not_all(coarse):
    model, X, y = coarse
    assert (
        verify(model, X, y).hypothesis_class
        == "depth-1 trees over 4 features, at most 1 threshold per feature"
    )
    model.certificate_ = dataclasses.replace(model.certificate_, hypothesis_class=ALL)
    with pytest.raises(
        CertificateError, match=f"hypothesis_class: claimed '{ALL}', found 'depth-1 trees over 4 features, at"
    ):
        verify(model, X, y)


def test_rows_without_weight_need_no_thresholds():
    X, y = xor_data()
    weight = (np.arange(len(y)) < 40).astype(float)
    model = SoftMarginClassifier(max_depth=1, max_bins=None).fit(X, y, weight)
    assert verify(model, X, y, weight).hypothesis_class == ALL


def forged(model, path, change):
    save(model, path)
    document = json.loads(path.read_text())
    change(document["fits"][0])
    path.write_text(json.dumps(document))
    return load(path)


def test_a_flag_in_a_file_is_checked(coarse, tmp_path):
    model, X, y = coarse
    loaded = forged(
        model, tmp_path / "model.json", lambda fit: fit["hypothesis_class"].update(all_thresholds=True)
    )
    with pytest.raises(CertificateError, match=f"hypothesis_class: claimed '{ALL}"):
        verify(loaded, X, y)


def test_a_coarser_class_cannot_keep_the_name(tmp_path):
    X, y = xor_data()
    model = SoftMarginClassifier(nu=0.3, max_depth=1, max_bins=None).fit(X, y)
    used = {(int(tree.feature[0]), float(tree.threshold[0])) for tree in model.estimators_}

    def thinned(fit):
        fit["hypothesis_class"]["thresholds"] = [sorted(t for f, t in used if f == j) for j in range(4)]

    loaded = forged(model, tmp_path / "model.json", thinned)
    with pytest.raises(CertificateError, match=f"hypothesis_class: claimed '{ALL}"):
        verify(loaded, X, y)


def test_columns_are_counted():
    X, y = xor_data()
    model = LPBoostClassifier(nu=0.5, estimator=Columns()).fit(X / np.abs(X).max(), y)
    assert model.certificate_.hypothesis_class == "the 4 columns of X"
    assert verify(model, X / np.abs(X).max(), y).hypothesis_class == "the 4 hypotheses of a finite class"


def test_a_feature_has_categories_or_thresholds():
    X, y = xor_data()
    model = copy.copy(SoftMarginClassifier(max_depth=1).fit(np.abs(np.round(X)), y))
    declared = model.hypothesis_class_
    model.hypothesis_class_ = SimpleNamespace(
        searched_as="trees", max_depth=1, thresholds=declared.thresholds, categories=(9, 0, 0, 0)
    )
    with pytest.raises(CertificateError, match="feature 0: claimed categories or thresholds, found both"):
        verify(model, np.abs(np.round(X)), y)
