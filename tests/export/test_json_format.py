"""What is saved and loaded again is the same model."""

import copy
import json
import os
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from export.models import strange_rows, three_classes, two_classes
from frankboost import (
    BestTree,
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    SoftMarginClassifierCV,
    reweight,
    verify,
)
from frankboost.export import json_format, load, save

X, y = load_breast_cancer(return_X_y=True)
X, y = X[::4, :5], y[::4]


def again(model, folder):
    save(model, folder / "model.json")
    return load(folder / "model.json")


@pytest.mark.parametrize("case", [two_classes, three_classes])
def test_a_loaded_model_is_the_saved_one(case, tmp_path):
    model, rows, labels = case()
    loaded = again(model, tmp_path)
    assert type(loaded) is type(model)
    assert vars(loaded).keys() == vars(model).keys()
    assert loaded.get_params() == model.get_params()
    near = strange_rows(model, rows)
    for method in ("decision_function", "predict", "predict_proba"):
        expected, found = getattr(model, method)(near), getattr(loaded, method)(near)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    assert loaded.certificate_ == model.certificate_
    assert verify(loaded, rows, labels) == verify(model, rows, labels)
    np.testing.assert_array_equal(loaded.feature_importances_, model.feature_importances_)
    np.testing.assert_array_equal(loaded.distribution_, model.distribution_)
    hard, expected = loaded.hard_examples(rows, labels), model.hard_examples(rows, labels)
    np.testing.assert_array_equal(hard.index, expected.index)
    traces = [each.trace_ if isinstance(each.trace_, list) else [each.trace_] for each in (model, loaded)]
    assert [list(trace) for trace in traces[0]] == [list(trace) for trace in traces[1]]
    assert loaded.n_iter_ == model.n_iter_
    assert not hasattr(clone(loaded), "certificate_")
    unpickled = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_array_equal(unpickled.decision_function(near), model.decision_function(near))


def test_the_name_of_the_target_is_kept_until_the_next_fit(tmp_path):
    model, rows, labels = two_classes()
    assert not hasattr(again(model, tmp_path), "target_name_")
    model = copy.copy(model)
    model.target_name_ = "sick"
    loaded = again(model, tmp_path)
    assert loaded.target_name_ == "sick"
    assert not hasattr(loaded.fit(rows, labels), "target_name_")


def test_saving_twice_gives_the_same_file(tmp_path):
    model, _, _ = three_classes()
    save(model, tmp_path / "a.json")
    save(load(tmp_path / "a.json"), tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize(
    "model",
    [
        SoftMarginClassifierCV([0.3, 0.2], cv=2, scoring="roc_auc"),
        SoftBoostClassifier(0.3, 0.1, max_bins=None),
        LPBoostClassifier(np.float64(0.3), 0.1, max_depth=np.int64(1), warm_start=True),
        ERLPBoostClassifier(0.3, 0.1, time_limit=60, class_weight="balanced", n_jobs=-1),
        CERLPBoostClassifier(0.3, 0.1, max_iter=7, class_weight={0: 2.0, 1: 0.5}),
        MLPBoostClassifier(0.3, 0.1, fw_rule="pairwise", secondary=None, max_depth=3, verbose=True),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_classifier_keeps_its_settings(model, tmp_path):
    model = model.fit(X, y)
    loaded = again(model, tmp_path)
    assert type(loaded) is type(model)
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))
    verify(loaded, X, y)
    assert getattr(loaded, "nu_", None) == getattr(model, "nu_", None)


@pytest.mark.parametrize(
    "labels",
    [
        y == 1,
        y.astype(np.int8),
        y.astype(np.uint64) + np.uint64(2**64 - 2),
        y - 2.0**53,
        y.astype(np.float32),
        np.where(y == 1, "ja", "näin on 🙂"),
        np.where(y == 1, "ja", "nein").astype(object),
    ],
    ids=lambda labels: labels.dtype.name,
)
def test_labels_of_every_kind(labels, tmp_path):
    model = SoftMarginClassifier(0.3, 0.1).fit(X, labels)
    loaded = again(model, tmp_path)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.predict(X).dtype.kind == model.predict(X).dtype.kind
    verify(loaded, X, labels)


def test_class_weights_of_strings(tmp_path):
    labels = np.where(y == 1, "ja", "nein")
    model = SoftMarginClassifier(0.3, 0.1, class_weight={"nein": 3}).fit(X, labels)
    loaded = again(model, tmp_path)
    assert loaded.class_weight == {"nein": 3.0}
    verify(loaded, X, labels)


def test_class_weights_by_numbers_equal_to_the_classes(tmp_path):
    model = SoftMarginClassifier(0.3, 0.1, class_weight={1: 3}).fit(X, y.astype(float))
    assert again(model, tmp_path).class_weight == {1.0: 3.0}


def test_feature_names_and_weights_of_zero(tmp_path):
    frame = pd.DataFrame(X, columns=list("abcde"))
    weight = np.where(np.arange(len(y)) % 5, 1.0, 0.0)
    model = SoftMarginClassifier(0.3, 0.1).fit(frame, y, weight)
    loaded = again(model, tmp_path)
    assert loaded.feature_names_in_.tolist() == list("abcde")
    np.testing.assert_array_equal(loaded.predict(frame), model.predict(frame))
    verify(loaded, frame, y, weight)


def test_objects_among_the_settings_are_left_out(tmp_path):
    model = SoftMarginClassifier(0.3, 0.1, estimator=BestTree(max_depth=1), callbacks=[print], max_iter=3)
    loaded = again(model.fit(X, y), tmp_path)
    assert loaded.estimator is None
    assert loaded.callbacks is None
    verify(loaded, X, y)


def test_constant_trees(tmp_path):
    model = SoftMarginClassifier(1.0, max_iter=1).fit(np.zeros((5, 1)), [0, 0, 1, 1, 1])
    assert again(model, tmp_path).predict([[7.0]]) == model.predict([[7.0]])


def test_stages_are_not_kept(tmp_path):
    loaded = again(two_classes()[0], tmp_path)
    with pytest.raises(ValueError, match="a loaded model has no stages"):
        next(loaded.staged_decision_function(two_classes()[1]))
    with pytest.raises(ValueError, match="a loaded model has no stages"):
        next(loaded.staged_predict(two_classes()[1]))


def test_a_warm_start_from_a_file_is_a_cold_one(tmp_path):
    model = SoftMarginClassifier(0.3, warm_start=True).fit(X, y)
    rounds = len(model.trace_)
    loaded = again(model, tmp_path).fit(X, y)
    assert len(loaded.trace_) == rounds
    assert loaded.certificate_ == model.certificate_
    assert len(list(loaded.staged_predict(X))) == rounds


def test_only_our_own_trees_can_be_saved(tmp_path):
    others = LPBoostClassifier(0.3, 0.1, estimator=DecisionTreeClassifier(max_depth=1), max_iter=2)
    with pytest.raises(TypeError, match="ensemble of trees of BestTree"):
        save(others.fit(X, y), tmp_path / "model.json")
    trees = [DecisionTreeClassifier(max_depth=k).fit(X, y) for k in (1, 2)]
    with pytest.raises(TypeError, match="ensemble of trees of BestTree"):
        save(reweight(trees, X, y), tmp_path / "model.json")
    with pytest.raises(TypeError, match="model must be a fitted classifier of frankboost"):
        save(LogisticRegression(), tmp_path / "model.json")
    with pytest.raises(NotFittedError):
        save(SoftMarginClassifier(), tmp_path / "model.json")

    class Mine(SoftMarginClassifier):
        pass

    with pytest.raises(TypeError, match=r"must be one of SoftMarginClassifier, .*; got a Mine"):
        save(Mine(0.3, 0.1).fit(X, y), tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    model = SoftMarginClassifier(0.3, 0.1).fit(X, y)
    model.estimator_weights_ = model.estimator_weights_ / 2
    with pytest.raises(
        ValueError, match=r"model cannot be saved: fits\[0\]\.weights must have sum 1; got 0.5"
    ):
        save(model, tmp_path / "model.json")


def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    save(two_classes()[0], path)
    before = path.read_bytes()

    def full(_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        save(three_classes()[0], path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_links_are_followed(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "model.json")
    save(two_classes()[0], tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert load(str(tmp_path / "model.json")).certificate_ == two_classes()[0].certificate_


def test_the_permissions_of_a_file_are_kept(tmp_path):
    path = tmp_path / "model.json"
    path.touch()
    path.chmod(0o604)
    save(two_classes()[0], path)
    assert path.stat().st_mode & 0o777 == 0o604
    assert path.stat().st_size > 0


def test_a_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    model = SoftMarginClassifier(nu=0.5).fit([[0.0], [1.0]], [0, 1])  # small, as a pipe holds 64 KiB
    save(model, path)
    save(model, tmp_path / "model.json")
    assert os.read(reading, 2**16) == (tmp_path / "model.json").read_bytes()
    os.close(reading)
    assert path.is_fifo()


def test_numbers_that_are_not_finite_are_strings_in_a_trace(tmp_path):
    path = tmp_path / "model.json"
    save(two_classes()[0], path)
    document = json.loads(path.read_text())
    trace = document["fits"][0]["trace"]
    trace["smoothed"][0], trace["bound"][0] = "nan", "inf"
    path.write_text(json.dumps(document))
    loaded = load(path)
    assert np.isnan(loaded.trace_[0].smoothed)
    assert loaded.trace_[0].bound == np.inf
    save(loaded, path)
    assert json.loads(path.read_text()) == document


def test_sizes_are_bounded(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    save(two_classes()[0], path)
    for name, what in (("MOST_CONTAINERS", "lists and objects"), ("MOST_ENTRIES", "entries")):
        monkeypatch.setattr(json_format, name, 50)
        with pytest.raises(ValueError, match=rf"model\.json: a model must have at most 50 {what}; got "):
            load(path)
        monkeypatch.undo()
    monkeypatch.setattr(json_format, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match="at most 1000 bytes"):
        load(path)
    with pytest.raises(ValueError, match="model cannot be saved: a model must have at most 1000 bytes"):
        save(two_classes()[0], path)
    with pytest.raises(ValueError, match="at most 1000 bytes"):
        load("/dev/zero")


def test_no_tolerance_is_saved_too(tmp_path):
    _, X, y = two_classes()
    model = SoftMarginClassifier(nu=0.3, tol=0.0).fit(X[::4, :4], y[::4])
    save(model, tmp_path / "model.json")
    assert load(tmp_path / "model.json").certificate_ == model.certificate_
    assert verify(load(tmp_path / "model.json"), X[::4, :4], y[::4]) == model.certificate_
