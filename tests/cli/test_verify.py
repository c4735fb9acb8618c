"""`frankboost verify`: a certificate that holds, and one that does not."""

import json
from pathlib import Path

import pytest

from frankboost import SoftMarginClassifier, load, save
from frankboost.cli.main import main

VERIFY = ["verify", "churn.csv", "--model", "model.json"]


@pytest.fixture(params=["churned", "plan", "vip"])
def fitted(request, churn, capsys):
    """A model of text, of three classes, or of bools."""
    command = ["fit", "churn.parquet", "--target", request.param, "--model", "model.json"]
    assert main([*command, "--ignore", "customer", "--tol", "0.05"]) == 0
    capsys.readouterr()
    return load("model.json")


@pytest.mark.parametrize("data", ["churn.csv", "churn.parquet"])
def test_what_holds(fitted, data, capsys):
    assert main(["verify", data, *VERIFY[2:]]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    many = isinstance(fitted.certificate_, list)
    assert out.count("soft margin") == len(out.splitlines()) == (3 if many else 1)
    assert out.startswith("basic: " if many else "soft margin ")
    assert main(["verify", data, *VERIFY[2:], "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["holds"] is True
    claims = fitted.certificate_ if many else [fitted.certificate_]
    assert [each["class"] for each in report["certificates"]] == fitted.classes_.tolist()[-len(claims) :]
    for found, claim in zip(report["certificates"], claims, strict=True):
        assert found["soft_margin"] == pytest.approx(claim.soft_margin, abs=1e-9)
        assert found["bound"] == pytest.approx(claim.bound, abs=1e-9)


def test_a_claim_that_is_too_good(fitted, capsys):
    document = json.loads(Path("model.json").read_text())
    document["fits"][-1]["certificate"]["soft_margin"] += 0.01
    Path("model.json").write_text(json.dumps(document))
    assert main(VERIFY) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("frankboost verify: model.json does not hold for churn.csv: soft_margin: claimed ")
    assert main([*VERIFY, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["holds"] is False
    assert report["reason"].startswith("soft_margin: claimed")


def test_other_rows(fitted, customers, capsys):
    customers[::-1].to_csv("churn.csv", index=False)
    assert main(VERIFY) == 1
    assert "does not hold for churn.csv: " in capsys.readouterr().err
    customers[:50].to_csv("churn.csv", index=False)
    assert main(VERIFY) == 1
    assert "must have the 80 rows that the model was fitted to" in capsys.readouterr().err
    name = fitted.target_name_
    customers.assign(**{name: "other"}).to_csv("churn.csv", index=False)
    assert main(VERIFY) == 1
    assert "y must hold the labels" in capsys.readouterr().err


def test_a_target_that_the_model_does_not_know(churn, customers, capsys):
    save(SoftMarginClassifier(tol=0.1).fit(customers[["age", "calls"]], customers["churned"]), "model.json")
    assert main(VERIFY) == 2
    assert capsys.readouterr().err == (
        "frankboost verify: error: argument --target: must be given, "
        "since model.json does not name the target\n"
    )
    assert main([*VERIFY, "--target", "churnd"]) == 2
    assert "has no column 'churnd'; did you mean 'churned'?" in capsys.readouterr().err
    assert main([*VERIFY, "--target", "churned"]) == 0


def test_a_number_that_is_text_now(churn, customers, capsys):
    save(
        SoftMarginClassifier(tol=0.1).fit(customers[["age", "calls"]], customers["vip"].astype(int)),
        "model.json",
    )
    assert main([*VERIFY, "--target", "plan"]) == 1
    first = customers["plan"][0]
    assert f"y must hold the labels [0, 1] of the model; got {first!r}" in capsys.readouterr().err


def test_a_target_that_is_a_feature(churn, customers, capsys):
    save(SoftMarginClassifier(tol=0.1).fit(customers[["age", "calls"]], customers["churned"]), "model.json")
    assert main([*VERIFY, "--target", "calls"]) == 1
    assert "y must hold the labels ['no', 'yes'] of the model; got" in capsys.readouterr().err


def test_help(capsys):
    assert main(["verify", "--help"]) == 0
    assert "examples:\n  frankboost verify churn.csv" in capsys.readouterr().out


def test_help_tells_of_weights(capsys):
    assert main(["verify", "--help"]) == 0
    assert "fitted with sample weights" in capsys.readouterr().out
