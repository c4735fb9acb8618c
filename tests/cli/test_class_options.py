"""`frankboost fit`: weights of classes, calibration, and a question before many classes."""

import json
from pathlib import Path

import pytest

from frankboost import SoftMarginClassifier, load
from frankboost.cli import class_options
from frankboost.cli.main import main
from terminals import Terminal

FIT = ["fit", "churn.csv", "--target", "churned", "--model", "model.json", "--ignore", "customer,land,plan"]
QUICK = ["--nu", "0.3", "--tol", "0.2", "--max-depth", "1"]


@pytest.mark.parametrize(
    ("given", "weight"), [("Balanced", "balanced"), ('{"yes": 5, "no": 0.5}', {"yes": 5, "no": 0.5})]
)
def test_weights_of_classes(churn, customers, given, weight, capsys):
    assert main([*FIT, *QUICK, "--class-weight", given]) == 0
    model = load("model.json")
    X = customers[["age", "calls", "vip"]]
    expected = SoftMarginClassifier(0.3, 0.2, max_depth=1, class_weight=weight).fit(X, customers["churned"])
    assert model.class_weight == weight
    assert model.certificate_ == expected.certificate_
    assert main(["verify", "churn.csv", "--model", "model.json"]) == 0


def test_weights_are_named_as_the_file_writes_its_classes(churn, capsys):
    options = ["--target", "vip", "--class-weight", '{"True": 3}', "--ignore", "churned"]
    assert main([*FIT, *QUICK, *options]) == 0
    assert load("model.json").class_weight == {True: 3}
    options = ["--target", "calls", "--class-weight", '{"2": 3, "0.0": 2}', "--ignore", "churned"]
    assert main([*FIT, *QUICK, *options]) == 0
    assert load("model.json").class_weight == {2: 3, 0: 2}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("even", "must be balanced or a JSON object of classes and numbers from 1e-100 to 1e+100, such as "
         "'{\"yes\": 5, \"no\": 1}'; got 'even'"),
        ('{"yes": 0}', None),
        ('{"yes": 1e-300, "no": 1e300}', None),
        ('{"yes": 1' + 400 * "0" + "}", None),
        ('{"yes": true}', None),
        ("5", None),
        ('{"maybe": 2}', "the classes are 'no', 'yes'; got 'maybe'"),
    ],
)  # fmt: skip
def test_what_is_no_weight(churn, given, message, capsys):
    assert main([*FIT, "--class-weight", given]) == 2
    err = capsys.readouterr().err
    assert err.startswith("frankboost fit: error: argument --class-weight: ")
    if message is not None:
        assert err.endswith(f"{message}\n")
    assert not Path("model.json").exists()


def test_calibration(churn, capsys):
    for options, calibrated in (([], False), (["--calibrate"], True)):
        assert main([*FIT, *QUICK, *options, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["calibrated"] is calibrated
        assert (load("model.json").model_.calibration is not None) is calibrated


@pytest.fixture
def many(churn, customers):
    """A target of 60 values in four rows each."""
    groups = customers.assign(group=customers.index % 20).loc[list(range(80)) * 3].reset_index(drop=True)
    groups.assign(group=groups.index % 60).to_csv("churn.csv", index=False)
    return [*FIT, *QUICK, "--target", "group", "--ignore", "churned", "--jobs", "1"]


def test_many_classes_are_no_accident(many, capsys):
    assert main(many) == 2
    assert capsys.readouterr().err == (
        "frankboost fit: error: argument --target: 'group' has 60 classes, and each class is fitted against "
        "the rest; give --yes to fit them all\n"
    )
    assert main([*many, "--yes"]) == 0
    assert len(load("model.json").classes_) == 60


@pytest.mark.parametrize(("answer", "status"), [("\n", 2), ("no\n", 2), ("", 2), ("y\n", 0)])
def test_in_a_terminal_there_is_a_question(many, answer, status, capsys, monkeypatch):
    monkeypatch.setattr(class_options, "is_terminal", lambda _: True)
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    assert main(many) == status
    err = capsys.readouterr().err
    assert err.startswith("'group' has 60 classes, and each class is fitted against the rest. Go on? [y/N] ")
    assert err.endswith("frankboost fit: nothing was fitted\n") == (status == 2)
    assert Path("model.json").exists() == (status == 0)


def test_constraints(churn, customers, capsys):
    options = ["--monotonic", '{"age": 1}', "--interactions", '[["age", "calls"]]', "--max-depth", "2"]
    assert main([*FIT, *QUICK, *options]) == 0
    model = load("model.json")
    assert (model.monotonic_cst, model.interaction_cst) == ({"age": 1}, [["age", "calls"]])
    assert "rising in x0, paths within {x0, x1} or {x2}" in capsys.readouterr().out
    assert main(["verify", "churn.csv", "--model", "model.json"]) == 0
    assert "no vote of such trees, rising in 'age'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        ("--monotonic", "age", "argument --monotonic: must be a JSON object of columns and 1"),
        ("--monotonic", '{"age": 2}', "argument --monotonic: must be a JSON object of columns and 1"),
        ("--monotonic", '{"height": 1}', "monotonic_cst must name columns of X by name; got 'height'"),
        (
            "--interactions",
            "all",
            "argument --interactions: must be pairwise, no_interactions or a JSON list",
        ),
        ("--interactions", '[["height"]]', "interaction_cst must name columns of X"),
    ],
)
def test_what_is_no_constraint(churn, option, given, message, capsys):
    assert main([*FIT, *QUICK, option, given]) == 2
    assert message in capsys.readouterr().err
    assert not Path("model.json").exists()
