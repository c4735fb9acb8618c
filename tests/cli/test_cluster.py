"""`frankboost fit --cluster`: the model that one machine makes of the same files."""

import pandas as pd
import pytest

from frankboost import load
from frankboost.cli.main import main

FIT = ["--target", "churned", "--model", "model.json", "--ignore", "customer"]


@pytest.fixture
def parts(customers, tmp_path, monkeypatch):
    """The customers in two Parquet files."""
    monkeypatch.chdir(tmp_path)
    since = pd.Timestamp("2020-01-01") + pd.to_timedelta(7.3 * customers.index, "D")
    dated = customers.assign(since=since, day=since.date)  # as a timestamp and as a date of Arrow
    for k in range(2):
        dated.iloc[40 * k : 40 * (k + 1)].to_parquet(f"part{k}.parquet", index=False)
    dated.to_parquet("whole.parquet", index=False)


@pytest.mark.parametrize("more", [[], ["--min-samples-leaf", "5"]])
def test_the_model_of_one_machine(parts, capsys, more):
    options = [*FIT, "--class-weight", '{"yes": 2}', *more]
    assert main(["fit", "whole.parquet", *options, "--jobs", "1"]) == 0
    here = load("model.json")
    assert main(["fit", "part*.parquet", *options, "--cluster", "local:1"]) == 0
    there = load("model.json")
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
    assert here.dates_ == there.dates_ == ["since", "day"]
    assert [tree.value.tolist() for tree in here.estimators_] == [
        tree.value.tolist() for tree in there.estimators_
    ]
    assert here.distribution_.tolist() == there.distribution_.tolist()
    assert {k: v.tolist() for k, v in here.categories_.items()} == {
        k: v.tolist() for k, v in there.categories_.items()
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cluster", "remote:2"], "argument --cluster: must be local:N or the address of a scheduler"),
        (["--cluster", "local:0"], "argument --cluster: must be local:N"),
        (
            ["--cluster", "local:1", "--nu", "0.2", "--max-bins", "all"],
            "argument --max-bins: must be a number",
        ),
        (
            ["--cluster", "local:1", "--nu", "0.2", "--class-weight", '{"maybe": 2}'],
            "argument --class-weight: the classes are 'no', 'yes'; got 'maybe'",
        ),
        (
            ["--cluster", "local:1", "--nu", "0.2", "--calibrate"],
            "argument --calibrate: cannot be used with --cluster, which holds out no rows",
        ),
        (["--cluster", "tcp://127.0.0.1:9", "--nu", "0.2"], "there is no scheduler at tcp://127.0.0.1:9"),
    ],
)
def test_what_cannot_be_is_one_line(parts, capsys, monkeypatch, options, message):
    monkeypatch.setattr("frankboost.cli.cluster.CONNECT", 0.2)
    assert main(["fit", "part*.parquet", *FIT, *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
