"""`frankboost evaluate`: the scores of a model on a file."""

import json

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, confusion_matrix, log_loss, precision_score, roc_auc_score

from frankboost import SoftMarginClassifier, load, save
from frankboost.cli.main import main

EVALUATE = ["evaluate", "churn.csv", "--model", "model.json"]


@pytest.fixture
def fitted(churn, customers, capsys):
    """A model of two classes in model.json, and one of three in plans.json."""
    X = customers[["age", "calls", "vip"]]
    for target, name in (("churned", "model.json"), ("plan", "plans.json")):
        model = SoftMarginClassifier(0.3, 0.1, max_depth=1).fit(X, customers[target])
        model.target_name_ = target
        save(model, name)
    return X


def report(capsys, command):
    assert main([*command, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_two_classes(fitted, customers, capsys):
    model, y = load("model.json"), customers["churned"]
    found = report(capsys, EVALUATE)
    says, p = model.predict(fitted), model.predict_proba(fitted)
    assert (found["data"], found["model"], found["target"]) == ("churn.csv", "model.json", "churned")
    assert (found["rows"], found["wrong"], found["error"]) == (80, (says != y).sum(), (says != y).mean())
    assert found["auc"] == pytest.approx(roc_auc_score(y == "yes", model.decision_function(fitted)))
    assert found["log_loss"] == pytest.approx(log_loss(y, p))
    assert found["brier"] == pytest.approx(brier_score_loss(y == "yes", p[:, 1]))
    assert found["calibrated"] is False
    assert found["confusion"] == confusion_matrix(y, says).tolist()
    assert [each["label"] for each in found["classes"]] == ["no", "yes"]
    assert found["classes"][1]["precision"] == precision_score(y == "yes", says == "yes")


def test_many_classes(fitted, customers, capsys):
    model, y = load("plans.json"), customers["plan"]
    found = report(capsys, ["evaluate", "churn.parquet", "--model", "plans.json"])
    votes, p = model.decision_function(fitted), model.predict_proba(fitted)
    areas = [roc_auc_score(y == label, votes[:, k]) for k, label in enumerate(model.classes_)]
    assert [each["auc"] for each in found["classes"]] == pytest.approx(areas)
    assert found["auc"] == pytest.approx(np.mean(areas))
    one = (y.to_numpy()[:, None] == model.classes_).astype(float)
    assert found["brier"] == pytest.approx(((p - one) ** 2).sum(axis=1).mean())
    assert found["confusion"] == confusion_matrix(y, model.predict(fitted)).tolist()


def test_the_tables_line_up(fitted, capsys):
    assert main(["evaluate", "churn.csv", "--model", "plans.json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    scores, classes, confusion = out.split("\n\n")
    assert [line.split()[0] for line in scores.splitlines()] == ["rows", "error", "AUC", "log-loss", "Brier"]
    assert "the model is not calibrated" in scores
    for table in (classes, confusion.partition("\n")[2]):
        lines = table.splitlines()
        assert [line.split()[0] for line in lines] == ["class", "basic", "plus", "pro"]
        assert len({len(line) for line in lines}) == 1


def test_a_file_of_one_class(fitted, customers, capsys):
    customers[customers["churned"] == "no"].to_csv("no.csv", index=False)
    assert main(["evaluate", "no.csv", *EVALUATE[2:]]) == 0
    assert "AUC              -  (of one class alone)\n" in capsys.readouterr().out
    found = report(capsys, ["evaluate", "no.csv", *EVALUATE[2:]])
    assert found["auc"] is None
    assert found["classes"][1]["recall"] is None


def test_calibrated_models_say_so(fitted, customers, capsys):
    model = SoftMarginClassifier(tol=0.2, max_depth=1).fit(fitted, customers["churned"])
    model.target_name_ = "churned"
    save(model, "model.json")
    assert report(capsys, EVALUATE)["calibrated"] is True
    assert main(EVALUATE) == 0
    assert "calibrated" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["yes"] * 3 + ["maybe"] * 77,
         "row 4: the target 'churned' is 'maybe', which is not a class of the model"),
        (["no", None] * 40, "row 2: the target 'churned' has no value"),
    ],
)  # fmt: skip
def test_rows_without_a_class_that_the_model_knows(fitted, customers, labels, message, capsys):
    customers.assign(churned=labels).to_csv("odd.csv", index=False)
    assert main(["evaluate", "odd.csv", *EVALUATE[2:]]) == 2
    assert capsys.readouterr() == ("", f"frankboost evaluate: error: argument DATA: odd.csv: {message}\n")


def test_a_target_must_be_known(fitted, customers, capsys):
    save(SoftMarginClassifier(0.3, 0.2).fit(fitted, customers["churned"]), "model.json")
    assert main(EVALUATE) == 2
    assert "argument --target: must name the column with the classes" in capsys.readouterr().err
    assert report(capsys, [*EVALUATE, "--target", "churned"])["target"] == "churned"


def test_many_classes_have_no_matrix_on_the_screen(churn, customers, capsys):
    many = customers.assign(group=customers.index % 13)
    many.to_csv("churn.csv", index=False)
    model = SoftMarginClassifier(0.5, 0.5, max_depth=1).fit(many[["age", "calls"]], many["group"])
    model.target_name_ = "group"
    save(model, "model.json")
    assert main(EVALUATE) == 0
    assert "confusion matrix" not in capsys.readouterr().out
    assert np.sum(report(capsys, EVALUATE)["confusion"]) == 80
