"""`frankboost fit`: the model, the certificate and the exit status."""

import json
import os
import signal
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import frankboost
from frankboost import SoftMarginClassifier, SoftMarginClassifierCV, load, save
from frankboost.cli import fit
from frankboost.cli.main import main
from frankboost.estimators.class_fits import CHOICE_HEADER
from frankboost.progress import HEADER

FIT = ["fit", "churn.csv", "--target", "churned", "--model", "model.json", "--ignore", "customer"]


def as_pandas(customers):
    """The same rows as a data frame with category columns."""
    X = customers.drop(columns=["customer", "churned"])
    return X.astype({"land": "category", "plan": "category"}), customers["churned"]


@pytest.mark.parametrize("data", ["churn.csv", "churn.parquet"])
def test_the_model_is_that_of_a_data_frame(churn, customers, data, capsys):
    options = ["--nu", "0.3", "--tol", "0.02", "--max-bins", "all", "--jobs", "1"]
    assert main(["fit", data, *FIT[2:], *options]) == 0
    out, err = capsys.readouterr()
    model = load("model.json")
    assert out == f"{model.certificate_}\n"
    assert err == ""
    assert model.target_name_ == "churned"
    X, y = as_pandas(customers)
    expected = SoftMarginClassifier(0.3, 0.02, max_bins=None, n_jobs=1).fit(X, y)
    save(expected, "expected.json")
    documents = [json.loads(Path(name).read_text()) for name in ("model.json", "expected.json")]
    assert [document.pop("target_name") for document in documents] == ["churned", None]
    for document in documents:
        document["classes"].pop("kind")  # str, or object as pandas has it
        for each in document["fits"]:
            for column in ("seconds", "oracle_seconds", "rule_seconds"):
                each["trace"].pop(column)
    assert documents[0] == documents[1]
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))


def test_the_report(churn, customers, capsys):
    assert main([*FIT, "--nu", "0.2", "--json", "--verbose"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    model = load("model.json")
    assert report["version"] == frankboost.__version__
    assert (report["data"], report["target"], report["model"]) == ("churn.csv", "churned", "model.json")
    assert (report["rows"], report["classes"], report["rounds"]) == (80, ["no", "yes"], model.n_iter_)
    assert report["features"] == ["age", "land", "calls", "vip", "plan"]
    assert report["categorical"] == ["land", "plan"]
    certificate = model.certificate_
    sides, scope = {"class": "yes", "against": "no"}, {"rows": 80, "weighted": False}
    assert report["certificates"] == [sides | certificate.facts() | {"gap": certificate.gap} | scope]
    assert err.lstrip().startswith("round   seconds  soft margin")
    assert model.verbose == 0


def test_one_line_a_class(churn, capsys):
    options = ["--tol", "0.1", "--ignore", "customer,churned"]
    assert main(["fit", "churn.csv", "--target", "plan", "--model", "model.json", *options]) == 0
    model = load("model.json")
    found = capsys.readouterr().out.splitlines()
    assert found == "\n".join(map(str, model.certificate_)).splitlines()
    lines = [line for line in found if not line.startswith("The model predicts with")]
    for label, line in zip(["basic", "plus", "pro"], lines, strict=True):
        assert f"; class {label!r} against the rest, 80 rows of weight 1)" in line


def test_nu_chooses_itself(churn, customers, capsys):
    assert main([*FIT, "--jobs", "1"]) == 0
    model = load("model.json")
    assert (type(model), model.nu) == (SoftMarginClassifier, "auto")
    expected = SoftMarginClassifier().fit(*as_pandas(customers))
    assert model.certificate_ == expected.certificate_
    assert f"nu = {model.nu_:g}," in capsys.readouterr().out


def test_every_nu_that_was_tried_is_shown_if_asked_for(churn, capsys):
    assert main([*FIT, "--tol", "0.2", "--verbose"]) == 0
    title, header, *lines = capsys.readouterr().err.splitlines()
    assert (title, header) == ("choosing nu at depth 2", CHOICE_HEADER)
    lines = lines[: lines.index("choosing nu at depth 1")] + lines[lines.index(HEADER) - 1 :]
    table = lines.index(HEADER)
    nus = [float(line.split()[0]) for line in lines[: table - 1]]
    assert nus == sorted(nus, reverse=True)
    chosen = f"{load('model.json').nu_:.4g}"
    assert float(chosen) in nus
    assert lines[table - 1].startswith(f"chosen: nu = {chosen}, trees of depth ")


@pytest.mark.parametrize("nu", [[], ["--nu", "0.4"]])
def test_depth_by_cross_validation(churn, nu, capsys):
    assert main([*FIT, "--max-depth", "auto", *nu, "--jobs", "1", "--tol", "0.2", "--verbose"]) in (0, 1)
    out, err = capsys.readouterr()
    model = load("model.json")
    assert isinstance(model, SoftMarginClassifierCV)
    assert f"nu = {model.nu_:g}," in out
    assert model.nus == ([0.4] if nu else None)
    assert err.startswith("choosing depth and nu by cross-validation, 5 folds\n")


def test_a_gap_that_is_open_is_not_done(churn, capsys):
    assert main([*FIT, "--tol", "1e-9", "--time-limit", "1e-9"]) == 1
    out, err = capsys.readouterr()
    model = load("model.json")
    assert out == f"{model.certificate_}\n"
    assert "time_limit" in out
    gap = f"{model.certificate_.gap:.4g}"
    assert err == (
        f"frankboost fit: the time limit ended the fit: the gap is {gap}, not yet 1e-09; "
        "model.json holds the best ensemble so far\n"
    )


def test_depth_three_says_what_its_bound_is_worth(churn, capsys):
    assert main([*FIT, "--max-depth", "3", "--tol", "0.1"]) == 0
    assert "heuristic bound" in capsys.readouterr().out


def pressing_ctrl_c(classifier, rounds):
    """The classifier, with Ctrl-C after so many rounds."""

    def press(event):
        if event.round == rounds:
            raise KeyboardInterrupt

    return lambda *args, **settings: classifier(*args, **settings, callbacks=[press])


@pytest.mark.parametrize("target", ["churned", "plan"])
def test_ctrl_c_saves_the_best_so_far(churn, target, capsys, monkeypatch):
    monkeypatch.setattr(fit, "SoftMarginClassifier", pressing_ctrl_c(SoftMarginClassifier, 2))
    command = ["fit", "churn.csv", "--target", target, "--model", "model.json", "--ignore", "customer"]
    assert main([*command, "--nu", "0.2", "--tol", "1e-9", "--jobs", "1"]) == 130
    out, err = capsys.readouterr()
    model = load("model.json")
    certificates = model.certificate_ if target == "plan" else [model.certificate_]
    assert {each.status for each in certificates} == {"interrupted"}
    rounds = [len(trace) for trace in model.trace_] if target == "plan" else [model.n_iter_]
    assert rounds == [2, 1, 1][: len(certificates)]  # all classes, by one Ctrl-C
    assert len(out.splitlines()) == len(certificates)
    assert err == "model.json holds the best ensemble so far\ninterrupted\n"


def test_a_real_signal(tmp_path):
    rng = np.random.default_rng(0)
    noise = pd.DataFrame(rng.normal(size=(300, 8))).add_prefix("x").assign(y=rng.integers(2, size=300))
    noise.to_csv(tmp_path / "noise.csv", index=False)
    command = ["fit", "noise.csv", "--target", "y", "--model", "model.json", "--tol", "1e-10", "--nu", "0.05"]
    process = subprocess.Popen(
        [sys.executable, "-m", "frankboost", *command, "--verbose", "--time-limit", "60"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
    )  # fmt: skip
    while not process.stderr.readline().split()[0].isdigit():
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith("model.json holds the best ensemble so far\ninterrupted\n")
    assert "Traceback" not in err
    assert out == f"{load(tmp_path / 'model.json').certificate_}\n"


BAD = [
    (["--target", "Churned"],
     "argument DATA: churn.csv: there is no column 'Churned'; did you mean 'churned'?"),
    (["--ignore", "custmer"],
     "argument DATA: churn.csv: there is no column 'custmer'; did you mean 'customer'?"),
    (["--ignore", "a,,b"], "argument --ignore: must be names of columns, separated by commas; got 'a,,b'"),
    (["--nu", "2"], "argument --nu: must be a number in (0, 1] or auto; got '2'"),
    (["--max-depth", "Auto", "--target", "rare"],
     "argument --max-depth: auto needs at least 5 rows of every class; 1 has 3"),
    (["--nu", "0.3", "--calibrate", "--target", "rare"],
     "argument --calibrate: it needs at least 5 rows of every class; 1 has 3"),
    (["--jobs", "2000"], "argument --jobs: must be an integer in [1, 1024] or all; got '2000'"),
    (["--max-depth", "3000000000"],
     "argument --max-depth: must be an integer in [1, 2147483647] or auto; got '3000000000'"),
    (["--model", "churn.csv"],
     "argument --model: churn.csv is the file of the data, which must not be overwritten"),
    (["--model", "."], "argument --model: . is a folder"),
    (["--model", "no/model.json"], "argument --model: there is no folder no"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "message"), BAD)
def test_what_is_wrong_is_one_line_and_nothing_is_saved(churn, options, message, capsys):
    frame = pd.read_csv("churn.csv")
    frame.assign(rare=(frame.index < 3).astype(int)).to_csv("churn.csv", index=False)
    before = Path("churn.csv").read_bytes()
    assert main([*FIT, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"frankboost fit: error: {message}\n"
    assert not Path("model.json").exists()
    assert Path("churn.csv").read_bytes() == before


def test_what_the_classifier_refuses_is_one_line(churn, capsys, monkeypatch):
    def refused(*_):
        raise ValueError("y must be otherwise")

    monkeypatch.setattr("frankboost.cli.fit.SoftMarginClassifier.fit", refused)
    assert main(FIT) == 2
    assert capsys.readouterr().err.endswith(
        "error: argument DATA: churn.csv cannot be fitted: y must be otherwise\n"
    )


def test_a_column_of_names_is_to_be_ignored(churn, capsys):
    assert main([*FIT[:-2], "--ignore", "vip"]) == 2
    assert capsys.readouterr().err == (
        "frankboost fit: error: argument DATA: churn.csv: column 'customer' holds another text in every row, "
        "such as 'c0', which cannot be split by categories (at most 255); leave it out with "
        "--ignore vip,customer\n"
    )


def test_a_column_that_a_few_cells_turn_into_text_is_told(churn, customers, capsys):
    ages = customers["age"].map("{:.0f}".format).replace("nan", "unknown")
    customers.assign(age=ages).to_csv("ages.csv", index=False)
    assert main(["fit", "ages.csv", *FIT[2:], "--nu", "0.1"]) == 0
    assert capsys.readouterr().err == (
        "frankboost fit: column 'age' is split as categories, but holds numbers except in 12 cells, such as "
        "'unknown'; make such cells missing values\n"
    )


def test_a_nu_of_little_use_is_told(churn, capsys):
    x = np.arange(80)
    pd.DataFrame({"x": x, "y": (x > 30) ^ (x % 10 == 0)}).to_csv("steps.csv", index=False)
    assert main(["fit", "steps.csv", "--target", "y", "--model", "model.json", "--nu", "0.6"]) == 0
    assert capsys.readouterr().err.startswith(
        "frankboost fit: at nu=0.6 the vote is one hypothesis (a single tree), and its training error is "
    )


def test_as_far_as_rounding_allows(churn, capsys):
    """What is left of the gap is no failure."""
    assert main([*FIT, "--nu", "0.2", "--max-bins", "15", "--tol", "0"]) == 0
    model = load("model.json")
    assert model.certificate_.status in ("optimal", "converged")
    assert model.certificate_.gap < 1e-9


def test_what_must_be_given(capsys):
    assert main(["fit", "churn.csv"]) == 2
    assert "the following arguments are required: --target, --model" in capsys.readouterr().err
    assert main(["fit", "--help"]) == 0
    assert "examples:\n  frankboost fit churn.csv --target churned" in capsys.readouterr().out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to(churn, capsys):
    Path("locked").mkdir(mode=0o500)
    assert main([*FIT, "--model", "locked/model.json"]) == 2
    assert "argument --model: locked cannot be written to" in capsys.readouterr().err


def test_a_disk_that_fails(churn, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fit, "save", full)
    assert main([*FIT, "--tol", "0.5"]) == 1
    assert capsys.readouterr() == (
        "",
        "frankboost fit: model.json cannot be written: No space left on device\n",
    )


def test_ignore_may_be_given_again(churn, capsys):
    assert main([*FIT, "--ignore", "age,vip", "--tol", "0.1"]) == 0
    assert load("model.json").feature_names_in_.tolist() == ["land", "calls", "plan"]


def test_a_pipe_is_written_to(churn, capsys):
    os.mkfifo("pipe")
    reading = os.open("pipe", os.O_RDWR | os.O_NONBLOCK)
    assert main([*FIT, "--model", "pipe", "--tol", "0.5"]) == 0
    Path("model.json").write_bytes(os.read(reading, 2**16))
    os.close(reading)
    assert load("model.json").target_name_ == "churned"


def test_dates_are_days_to_the_model_and_whoever_asks_it(churn, customers, capsys):
    since = pd.Timestamp("2020-01-01") + pd.to_timedelta(7 * customers.index, "D")
    frame = customers[["churned", "calls"]].assign(since=since)
    frame.to_csv("dated.csv", index=False, sep=";")
    frame.to_parquet("dated.parquet")
    command = ["dated.csv", "--target", "churned", "--model", "model.json", "--nu", "0.3", "--json"]
    assert main(["fit", *command]) == 0
    assert json.loads(capsys.readouterr().out)["dates"] == ["since"]
    model = load("model.json")
    assert model.dates_ == ["since"]
    X = frame[["calls"]].assign(since=(since - pd.Timestamp(0)).days)
    answers = []
    for name in ("dated.csv", "dated.parquet"):
        assert main(["predict", name, "--model", "model.json"]) == 0
        answers.append(capsys.readouterr().out)
        assert main(["verify", name, "--model", "model.json", "--exact"]) == 0
        capsys.readouterr()
    assert answers[0] == answers[1] == "\n".join(["prediction", *model.predict(X), ""])


def test_the_whole_line_to_type(churn, capsys):
    frame = pd.read_csv("churn.csv").assign(note=[f"n{k}" for k in range(80)], price="1,5")
    frame.to_csv("churn.csv", index=False)
    assert main([*FIT[:-2], "--ignore", "vip"]) == 2
    err = capsys.readouterr().err
    line = err.rstrip().rpartition("leave them out with ")[2]
    assert line == "--ignore vip,customer,note,price"
    assert "column 'price' holds numbers with commas, such as '1,5'" in err
    assert main([*FIT[:-2], *line.split(), "--tol", "0.5"]) == 0


def test_categories_that_are_decimals(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    values = [Decimal("0.50"), Decimal("1.25"), Decimal("2.00")]
    frame = pd.DataFrame({"x": pd.Categorical(values * 20), "y": [0, 1, 1] * 20})
    frame.to_parquet("decimals.parquet")
    assert main(["fit", "decimals.parquet", "--target", "y", "--model", "m.json", "--nu", "0.3"]) == 0
    assert load("m.json").categories_["x"].tolist() == [0.5, 1.25, 2.0]
    assert main(["verify", "decimals.parquet", "--model", "m.json", "--exact"]) == 0
