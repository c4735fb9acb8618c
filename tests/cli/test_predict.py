"""`frankboost predict`: what is printed for which rows."""

import csv
import io
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frankboost import SoftMarginClassifier, load, save
from frankboost.cli.main import main

PREDICT = ["predict", "churn.csv", "--model", "model.json"]


@pytest.fixture
def fitted(churn, capsys):
    """A model of two classes in model.json, and one of three in plans.json."""
    for target, name in (("churned", "model.json"), ("plan", "plans.json")):
        command = ["fit", "churn.parquet", "--target", target, "--model", name, "--ignore", "customer"]
        assert main([*command, "--tol", "0.05"]) == 0
    capsys.readouterr()
    return churn


def table(capsys, command):
    """The header and the rows that a command prints."""
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err == ""
    header, *rows = csv.reader(io.StringIO(out))
    return header, rows


def frame_for(model, customers):
    return customers[model.feature_names_in_.tolist()].astype(dict.fromkeys(model.categories_, "category"))


@pytest.mark.parametrize("name", ["model.json", "plans.json"])
@pytest.mark.parametrize("data", ["churn.csv", "churn.parquet"])
def test_predictions_are_the_models(fitted, customers, name, data, capsys):
    model = load(name)
    X = frame_for(model, customers)
    command = ["predict", data, "--model", name]
    header, rows = table(capsys, command)
    assert header == ["prediction"]
    assert [row[0] for row in rows] == model.predict(X).tolist()
    header, rows = table(capsys, [*command, "--proba"])
    assert header == model.classes_.tolist()
    np.testing.assert_array_equal(np.array(rows, dtype=float), model.predict_proba(X))
    header, rows = table(capsys, [*command, "--scores"])
    assert header == model.classes_.tolist()
    votes = model.decision_function(X)
    votes = np.column_stack([-votes, votes]) if votes.ndim == 1 else votes
    np.testing.assert_array_equal(np.array(rows, dtype=float), votes)


def test_columns_are_matched_by_name(fitted, customers, capsys):
    _, expected = table(capsys, [*PREDICT, "--scores"])
    mixed = customers.assign(more="text")[["more", *customers.columns[::-1]]].drop(columns="churned")
    mixed.to_csv("mixed.csv", index=False)
    assert table(capsys, ["predict", "mixed.csv", *PREDICT[2:], "--scores"])[1] == expected


def test_categories_that_were_not_fitted_are_missing(fitted, customers, capsys):
    strange = customers.assign(land=["zz", None] * 40)
    strange.to_csv("strange.csv", index=False)
    customers.assign(land=None).to_csv("missing.csv", index=False)
    answers = [
        table(capsys, ["predict", name, *PREDICT[2:], "--scores"]) for name in ("strange.csv", "missing.csv")
    ]
    assert answers[0] == answers[1]


def test_categories_that_look_like_numbers_are_text_if_the_model_says_so(churn, customers, capsys):
    customers.assign(land=np.where(customers["vip"], "1", "x")).to_csv("train.csv", index=False)
    command = ["--target", "vip", "--model", "model.json", "--ignore", "customer,age,calls,plan,churned"]
    assert main(["fit", "train.csv", *command, "--nu", "0.2"]) == 0
    capsys.readouterr()
    Path("new.csv").write_text("land\n1\n1\n1\n")
    assert table(capsys, ["predict", "new.csv", *PREDICT[2:]])[1] == [["True"]] * 3
    assert load("model.json").categories_["land"].tolist() == ["1", "x"]


@pytest.mark.parametrize(
    ("labels", "shown"), [([1, 2], {"1", "2"}), ([0.0, 1.0], {"0.0", "1.0"}), (["07", "7"], {"07", "7"})]
)
def test_labels_are_those_of_the_training_file(churn, customers, labels, shown, capsys):
    frame = customers.assign(churned=np.where(customers["churned"] == "yes", *labels))
    frame.to_csv("train.csv", index=False)
    command = ["fit", "train.csv", "--target", "churned", "--model", "model.json", "--ignore", "customer"]
    assert main([*command, "--tol", "0.1"]) == 0
    capsys.readouterr()
    assert {row[0] for row in table(capsys, PREDICT)[1]} == shown


def test_a_file_instead_of_standard_output(fitted, capsys):
    assert main(PREDICT) == 0
    expected = capsys.readouterr().out
    assert main([*PREDICT, "--out", "out.csv"]) == 0
    assert capsys.readouterr() == ("", "")
    assert Path("out.csv").read_text() == expected


def test_models_saved_by_python(churn, customers, capsys):
    X = customers[["age", "calls"]].assign(half=pd.Categorical(customers.index % 3 / 2))
    model = SoftMarginClassifier(tol=0.1).fit(X, customers["churned"])
    save(model, "model.json")
    X.to_csv("new.csv", index=False)
    assert [row[0] for row in table(capsys, ["predict", "new.csv", *PREDICT[2:]])[1]] == model.predict(
        X
    ).tolist()
    save(
        SoftMarginClassifier(tol=0.1).fit(customers[["calls"]].to_numpy(), customers["churned"]), "model.json"
    )
    assert main(PREDICT) == 2
    assert "model.json does not know the names of its columns" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": "Age"}, "new.csv: there is no column 'age'; did you mean 'Age'?"),
        ({"land": "zzz"}, "new.csv: there is no column 'land'; the columns are 'customer', 'age', 'zzz', "
         "'calls', 'vip', 'plan', 'churned'"),
        ({"plan": "calls", "calls": "plan"}, "new.csv: row 1, column 'calls': '{}' is not a finite number"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit_the_model(fitted, customers, change, message, capsys):
    customers.rename(columns=change).to_csv("new.csv", index=False)
    assert main(["predict", "new.csv", *PREDICT[2:]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"frankboost predict: error: argument DATA: {message.format(customers['plan'][0])}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "no.json"], "argument --model: no.json cannot be read: No such file or directory"),
        (["--model", "churn.csv"], "argument --model: churn.csv: "),
        (
            ["--out", "churn.csv"],
            "argument --out: churn.csv is the file of the data, which must not be overwritten",
        ),
        (["--out", "model.json"], "argument --out: model.json is the model, which must not be overwritten"),
        (["--proba", "--scores"], "argument --scores: not allowed with argument --proba"),
    ],
)
def test_bad_arguments(fitted, options, message, capsys):
    assert main([*PREDICT, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"frankboost predict: error: {message}")
    assert err.count("\n") == 1


def test_a_reader_that_leaves_is_no_error(fitted, customers):
    pd.concat([customers] * 100).to_csv("long.csv", index=False)  # for more than a pipe holds
    process = subprocess.Popen(
        [sys.executable, "-m", "frankboost", "predict", "long.csv", *PREDICT[2:], "--proba"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "no,yes\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 1


def test_help_tells_of_probabilities(capsys):
    assert main(["predict", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "its probability or, if the model is not calibrated, its share of the vote" in text


def test_a_disk_that_is_full_keeps_the_old_predictions(fitted, customers):
    pd.concat([customers] * 100).to_csv("long.csv", index=False)
    Path("out.csv").write_text("old")
    before = set(fitted.iterdir())
    command = [sys.executable, "-m", "frankboost", "predict", "long.csv", *PREDICT[2:], "--out", "out.csv"]
    limited = ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *command]  # a file of more than 4 KB fails
    ended = subprocess.run(limited, capture_output=True, text=True, check=False, timeout=120)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "frankboost predict: out.csv cannot be written: File too large\n"
    assert Path("out.csv").read_text() == "old"
    assert set(fitted.iterdir()) == before


def test_columns_of_the_file_are_kept(fitted, customers, capsys):
    customers.assign(code=[f"{k:03d}" for k in range(80)]).to_csv("new.csv", index=False)
    _, plain = table(capsys, PREDICT)
    header, rows = table(capsys, ["predict", "new.csv", *PREDICT[2:], "--id", "code,age", "--id", "customer"])
    assert header == ["code", "age", "customer", "prediction"]
    assert [row[-1:] for row in rows] == plain
    assert rows[1][::2] == ["001", "c1"]
    assert rows[0][:2] == ["000", ""]  # a feature that is missing, and its cell
    header, rows = table(capsys, [*PREDICT, "--proba", "--id", "customer"])
    assert header == ["customer", "no", "yes"]
    header, rows = table(capsys, ["predict", "churn.parquet", *PREDICT[2:], "--id", "customer,calls"])
    assert [row[:2] for row in rows] == customers[["customer", "calls"]].astype(str).to_numpy().tolist()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("custmer", "churn.csv: there is no column 'custmer'; did you mean 'customer'?"),
        ("prediction", "'prediction' is the name of a column of the predictions"),
    ],
)
def test_columns_that_cannot_be_kept(fitted, names, message, capsys):
    assert main([*PREDICT, "--id", names]) == 2
    assert capsys.readouterr() == ("", f"frankboost predict: error: argument --id: {message}\n")


def test_standard_input(fitted, capsys, monkeypatch):
    _, expected = table(capsys, PREDICT)
    with open("churn.csv", encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert table(capsys, ["predict", "-", *PREDICT[2:]])[1] == expected


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_categories_of_another_kind_than_in_the_fit(tmp_path, monkeypatch, capsys, command):
    """Numbers that were categories cannot be text now; one line says so."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"x": pd.Categorical([0.0, 1.0, 2.0] * 20), "y": [0, 1, 1] * 20})
    frame.to_parquet("numbers.parquet")
    frame.assign(x=frame["x"].astype(str) + "!").to_parquet("text.parquet")
    assert main(["fit", "numbers.parquet", "--target", "y", "--model", "m.json", "--nu", "0.3"]) == 0
    capsys.readouterr()
    assert main([command, "text.parquet", "--model", "m.json"]) == 2
    err = capsys.readouterr().err
    assert "argument DATA: text.parquet: column 'x' of X must hold numbers" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("error", [ImportError, ValueError, OSError])
def test_an_interrupt_that_a_library_turns_into_an_error(fitted, monkeypatch, capsys, error):
    """As where C code imports a module."""

    def read(file):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise error("failed to import") from None

    monkeypatch.setattr("frankboost.tables.files.CsvTable", read)
    assert main(["predict", "churn.csv", "--model", "model.json"]) == 130
    assert capsys.readouterr().err.endswith("\ninterrupted\n")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
