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
    many, lines = isinstance(fitted.certificate_, list), out.splitlines()
    words = [line for line in lines if line.startswith("In plain words: the vote")]
    assert out.count("<= optimum <=") == len(words) == (3 if many else 1)
    whose = " for 'basic'" if many else ""
    assert words[0].startswith(f"In plain words: the vote{whose} is right on ")
    assert out.count("The model predicts with another vote") == (3 if many else 1)
    assert "class 'basic' against the rest, 80 rows of weight 1" in lines[0] or not many
    target = fitted.target_name_
    others = fitted.n_features_in_ + 1
    assert lines[-3] == f"target {target!r}; {others - 1} of the {others} other columns are features"
    assert lines[-2:] == ["left out: 'customer'", "proved in integers"]
    assert main(["verify", data, *VERIFY[2:], "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["holds"] is True
    assert report["shown"] == "proved in integers"
    assert (report["target"], report["weight"], report["left_out"]) == (target, None, ["customer"])
    assert report["features"] == fitted.feature_names_in_.tolist()
    claims = fitted.certificate_ if many else [fitted.certificate_]
    assert [each["class"] for each in report["certificates"]] == fitted.classes_.tolist()[-len(claims) :]
    for found, claim in zip(report["certificates"], claims, strict=True):
        assert (found["soft_margin"], found["bound"]) == (claim.soft_margin, claim.bound)
        assert (found["rows"], found["weighted"], found["counts"]["unused"]) == (80, False, [])


def test_a_claim_that_is_too_good(fitted, capsys):
    document = json.loads(Path("model.json").read_text())
    document["fits"][-1]["certificate"]["soft_margin"] += 0.01
    Path("model.json").write_text(json.dumps(document))
    assert main(VERIFY) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        "frankboost verify: the certificate of model.json does not hold for churn.csv: soft_margin: claimed "
    )
    assert main([*VERIFY, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["holds"] is False
    assert report["reason"].startswith("soft_margin: claimed")


def change(**certificate):
    """Change the certificate of the saved model."""
    document = json.loads(Path("model.json").read_text())
    document["fits"][0]["certificate"].update(certificate)
    Path("model.json").write_text(json.dumps(document))


@pytest.fixture
def numbers(churn, customers):
    model = SoftMarginClassifier(tol=0.05).fit(customers[["age", "calls"]], customers["churned"])
    model.target_name_ = "churned"
    save(model, "model.json")
    return model


def test_a_bound_below_the_soft_margin_does_not_hold_however_heuristic(numbers, capsys):
    change(exact=False, bound=-1.0)
    assert main(VERIFY) == 1
    assert "bound: claimed -1.0, found" in capsys.readouterr().err


def test_exact_refuses_a_heuristic_bound(churn, customers, capsys):
    model = SoftMarginClassifier(tol=0.1, max_depth=3).fit(customers[["age", "calls"]], customers["churned"])
    model.target_name_ = "churned"
    save(model, "model.json")
    assert main(VERIFY) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "proved in integers, except the bound, which is heuristic"
    assert main([*VERIFY, "--exact"]) == 1
    assert "--exact needs a proved bound, and this bound is heuristic" in capsys.readouterr().err


def test_names_of_classes_are_escaped(churn, customers, capsys):
    rows = customers[["age", "calls"]].assign(plan=customers["plan"] + "\nsoft margin 1\x1b[2J")
    rows.to_csv("churn.csv", index=False)
    assert main(["fit", "churn.csv", "--target", "plan", "--model", "model.json", "--tol", "0.1"]) in (0, 1)
    assert main(VERIFY) == 0
    out, _ = capsys.readouterr()
    assert len(out.splitlines()) == 4 * 3 + 3 + 3
    assert "class 'basic\\nsoft margin 1\\x1b[2J' against the rest" in out
    assert out.replace("\n", "").isprintable()


def test_half_a_surrogate_pair_is_refused(numbers, capsys):
    text = Path("model.json").read_text()
    Path("model.json").write_text(text.replace('"yes"', '"\\ud800"'))
    for command in ("verify", "predict"):
        assert main([command, "churn.csv", "--model", "model.json"]) == 2
        assert "one half of a surrogate pair" in capsys.readouterr().err
    Path("model.json").write_text(text.replace('"age"', '"\\ud83d\\ude00"'))
    assert load("model.json").feature_names_in_[0] == "\U0001f600"


def test_a_written_proof(fitted, capsys):
    assert main([*VERIFY, "--exact", "--write", "proof.json"]) == 0
    proof = json.loads(Path("proof.json").read_text())
    assert (proof["format"], proof["target"]) == ("frankboost certificate", fitted.target_name_)
    assert main([*VERIFY, "--write", "model.json"]) == 2
    assert "is the model, which must not be overwritten" in capsys.readouterr().err
    assert main([*VERIFY, "--write", "nowhere/proof.json"]) == 2


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
    customers.assign(**{name: None}).to_csv("churn.csv", index=False)
    assert main(VERIFY) == 1
    assert "of the model; got <NA>" in capsys.readouterr().err


def test_a_target_that_the_model_does_not_know(churn, customers, capsys):
    save(SoftMarginClassifier(tol=0.1).fit(customers[["age", "calls"]], customers["churned"]), "model.json")
    assert main(VERIFY) == 2
    assert capsys.readouterr().err == (
        "frankboost verify: error: argument --target: must name the column with the classes, "
        "since model.json does not name it\n"
    )
    assert main([*VERIFY, "--target", "churnd"]) == 2
    assert "there is no column 'churnd'; did you mean 'churned'?" in capsys.readouterr().err
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
    assert "target: claimed 'calls', found it among the features of the model" in capsys.readouterr().err


def test_help(capsys):
    assert main(["verify", "--help"]) == 0
    assert "examples:\n  frankboost verify churn.csv" in capsys.readouterr().out


def test_help_tells_of_weights(capsys):
    assert main(["verify", "--help"]) == 0
    assert "had sample weights, name their column with --weight" in capsys.readouterr().out


def rewrite(change):
    """Change the saved model."""
    document = json.loads(Path("model.json").read_text())
    change(document)
    Path("model.json").write_text(json.dumps(document))


def perfect(document, feature, threshold):
    """A single tree and the claim that it is right everywhere."""
    fit, split = document["fits"][0], {"feature": feature, "threshold": threshold, "missing_left": True}
    rows = len(fit["distribution"])
    even = [(2**52 // rows) * 2.0**-52] * (rows - 1)
    fit["distribution"] = [*even, 1.0 - sum(even)]
    fit["trees"], fit["weights"] = [[split | {"left": 1, "right": 2}, {"value": -1}, {"value": 1}]], [1.0]
    fit["certificate"].update(soft_margin=1.0, bound=1.0, status="optimal")
    fit["hypothesis_class"].update(all_thresholds=False)
    fit["hypothesis_class"]["thresholds"][feature] = [threshold]


def test_a_feature_that_is_the_target_proves_nothing(churn, customers, capsys):
    """Renamed in the model file, a feature is the target itself, and the vote is right everywhere."""
    X = customers[["age", "calls"]].assign(vip=customers["vip"].astype(int))
    X.assign(easy=X["calls"].fillna(0)).to_csv("churn.csv", index=False)
    model = SoftMarginClassifier(0.3, 0.1, max_depth=1).fit(X[["age", "calls"]], X["vip"])
    model.target_name_ = "vip"
    save(model, "model.json")
    assert main([*VERIFY, "--exact"]) == 0
    capsys.readouterr()

    def leak(document):
        document["feature_names_in"] = ["age", "vip"]
        perfect(document, 1, 0.5)

    rewrite(leak)
    assert main([*VERIFY, "--exact"]) == 1
    assert "target: claimed 'vip', found it among the features of the model" in capsys.readouterr().err


def test_another_target_is_told(churn, customers, capsys):
    X = customers[["age", "calls"]].fillna(0)
    high = (X["age"] > X["age"].median()).astype(int)
    X.assign(vip=customers["vip"].astype(int), easy=high).to_csv("churn.csv", index=False)
    model = SoftMarginClassifier(0.3, 0.1, max_depth=1).fit(X, customers["vip"].astype(int))
    model.target_name_ = "vip"
    save(model, "model.json")

    def other(document):
        document["target_name"] = "easy"
        perfect(document, 0, float(X["age"].median()))

    rewrite(other)
    assert main([*VERIFY, "--exact"]) == 0
    out = capsys.readouterr().out
    assert "soft margin 1.00000" in out
    assert "target 'easy'; 2 of the 3 other columns are features\nleft out: 'vip'" in out


def test_class_weights_are_told(churn, customers, capsys):
    model = SoftMarginClassifier(0.3, 0.1, class_weight={"no": 1.0, "yes": 1e-6})
    model.fit(customers[["age", "calls"]], customers["churned"]).target_name_ = "churned"
    save(model, "model.json")
    assert main([*VERIFY, "--exact"]) == 0
    yes = int((customers["churned"] == "yes").sum())
    out = capsys.readouterr().out
    assert (
        f"{yes} of them with a weight other than 1 (class 'yes' weighs {yes * 1e-6:.6g} in all, 'no' " in out
    )


def test_weights_are_a_column(churn, customers, capsys):
    customers.assign(counts=[1, 2, 0, 3] * 20).to_csv("churn.csv", index=False)
    command = ["fit", "churn.csv", "--target", "churned", "--ignore", "customer", "--tol", "0.05"]
    assert main([*command, "--weight", "counts", "--model", "model.json"]) == 0
    assert "60 rows, some with a weight other than 1" in capsys.readouterr().out
    assert "counts" not in load("model.json").feature_names_in_
    assert main([*VERIFY, "--exact", "--write", "proof.json"]) == 0
    out = capsys.readouterr().out
    assert "60 rows (and 20 of weight 0, which do not count), 40 of them with a weight other than 1" in out
    assert "target 'churned', weight 'counts'; " in out
    assert json.loads(Path("proof.json").read_text())["weight"] == "counts"
    assert main([*VERIFY, "--weight", "churned"]) == 2
    assert main([*VERIFY, "--weight", "age"]) in (1, 2)
    customers.to_csv("churn.csv", index=False)
    assert main(VERIFY) == 2
    assert "there is no column 'counts'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cell", "got"), [("-1", "got -1"), ("", "got no value"), ("x", "'x' is not a finite")]
)
def test_weights_that_are_none(churn, customers, capsys, cell, got):
    customers.assign(counts=[cell] + ["1"] * 79).to_csv("churn.csv", index=False)
    command = ["fit", "churn.csv", "--target", "churned", "--ignore", "customer", "--model", "m.json"]
    assert main([*command, "--weight", "counts"]) == 2
    assert got in capsys.readouterr().err
    assert main([*command, "--weight", "churned"]) == 2
    assert "must be another column than the target" in capsys.readouterr().err
    assert not Path("m.json").exists()


def test_names_of_features(numbers, capsys):
    assert main([*VERIFY, "--features"]) == 0
    assert "\nfeatures: 'age', 'calls'\n" in capsys.readouterr().out


def test_a_cell_of_many_digits_is_not_quoted_whole(numbers, capsys):
    lines = Path("churn.csv").read_text().splitlines()
    names, cells = lines[0].split(","), lines[1].split(",")
    cells[names.index("age")] = "1" * 100_000
    Path("churn.csv").write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]))
    assert main(VERIFY) == 2
    err = capsys.readouterr().err
    assert "is not a finite number" in err
    assert len(err) < 300


def test_a_model_without_its_certificate(churn, customers, capsys):
    clf = SoftMarginClassifier(0.5, 0.2, max_depth=1).fit(customers[["calls"]], customers["churned"])
    save(clf, "model.json", certificate=False)
    assert main([*VERIFY, "--target", "churned"]) == 2
    assert capsys.readouterr().err.endswith("model.json was saved without its certificate\n")
