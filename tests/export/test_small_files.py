"""Models saved without their certificates: small, the same predictions, and honest about what is missing."""

import json

import numpy as np
import pytest

from export.models import strange_rows, three_classes, two_classes
from frankboost import load, save, verify
from frankboost.display import ConvergenceDisplay, TreeDisplay
from frankboost.export import to_onnx, to_text

LEFT_OUT = "saved with certificate=False"


@pytest.fixture(params=[two_classes, three_classes])
def saved(request, tmp_path):
    model, rows, labels = request.param()
    save(model, tmp_path / "full.json")
    save(model, tmp_path / "small.json", certificate=False)
    return tmp_path, model, rows, labels


def test_the_same_predictions_bit_for_bit(saved):
    folder, model, rows, _ = saved
    small, near = load(folder / "small.json"), strange_rows(model, rows)
    for method in ("decision_function", "predict", "predict_proba"):
        np.testing.assert_array_equal(getattr(small, method)(near), getattr(model, method)(near))
    np.testing.assert_array_equal(small.feature_importances_, model.feature_importances_)
    assert small.get_params() == model.get_params()
    assert to_onnx(small).SerializeToString() == to_onnx(model).SerializeToString()


def test_nothing_of_the_training_rows_is_in_the_file(saved):
    folder, model, rows, _ = saved
    small = json.loads((folder / "small.json").read_text())
    trees = sum(map(len, model.estimators_)) if len(model.classes_) > 2 else len(model.estimators_)
    assert {"fits", "capped"}.isdisjoint(small)
    assert {name for vote in small["votes"] for name in vote} == {"weights", "trees"}
    numbers = sum(len(vote["weights"]) for vote in small["votes"])
    assert numbers == trees != len(rows)
    assert (folder / "small.json").stat().st_size < (folder / "full.json").stat().st_size


def test_what_is_missing_says_so(saved):
    folder, _, rows, labels = saved
    small = load(folder / "small.json")
    for name in ("certificate_", "trace_", "distribution_", "hypothesis_class_", "nu_", "n_iter_"):
        assert not hasattr(small, name)
        with pytest.raises(AttributeError, match=LEFT_OUT):
            getattr(small, name)
    label = None if len(small.classes_) == 2 else small.classes_[0]
    for call in (
        lambda: verify(small, rows, labels),
        lambda: small.hard_examples(rows, labels),
        lambda: save(small, folder / "again.json"),
        lambda: ConvergenceDisplay.from_estimator(small, label=label),
    ):
        with pytest.raises(ValueError, match=LEFT_OUT):
            call()
    with pytest.raises(ValueError, match="a loaded model has no stages"):
        list(small.staged_predict(rows))


def test_what_needs_no_certificate_works(saved):
    folder, _, rows, labels = saved
    small = load(folder / "small.json")
    assert "saved without its certificate" in to_text(small)
    assert "saved without its certificate" in small._repr_html_()
    assert "VoteAlone of" in repr(small.model_.ensembles[0])
    assert small.margins(rows, labels).shape == (len(rows),)
    TreeDisplay.from_estimator(small, label=None if len(small.classes_) == 2 else small.classes_[0])
    save(small, folder / "again.json", certificate=False)
    assert (folder / "again.json").read_bytes() == (folder / "small.json").read_bytes()
    small.set_params(warm_start=True, max_iter=1).fit(rows, labels)
    assert small.n_iter_ == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["votes"].append(d["votes"][0]), "votes must have 1 entries; got 2"),
        (lambda d: d["votes"][0]["weights"].pop(), "weights must have"),
        (lambda d: d["votes"][0].update(distribution=[1.0]), "unknown field `distribution`"),
        (
            lambda d: d["votes"][0]["trees"][0][0].update(left=0),
            "the number of a later node that has no other parent",
        ),
        (lambda d: d.update(fits=[]), "unknown field `fits`"),
        (lambda d: d.pop("votes"), "missing required field `capped`|missing required field `fits`"),
    ],
)
def test_what_is_wrong_is_named(change, message, tmp_path):
    path = tmp_path / "small.json"
    save(two_classes()[0], path, certificate=False)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=message):
        load(path)
