"""Models that the first version of the command line saved: they predict what they predicted, and verify.

tests/data/saved holds them (NAME.json), the rows that they were fitted to, and what `predict --scores`
printed then (NAME.csv). Their categories are text, and so are the classes True and False.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frankboost import CertificateError, load, verify
from frankboost.cli.main import main

SAVED = Path(__file__).parents[1] / "data" / "saved"
CASES = [
    ("numbers", "rows.csv"),
    ("text", "rows.csv"),
    ("codes", "rows.csv"),
    ("classes", "rows.csv"),
    ("chosen", "rows.csv"),
    ("parquet", "rows.parquet"),
    ("parquet", "rows.csv"),
]


@pytest.fixture(params=CASES, ids="-".join)
def saved(request, monkeypatch):
    monkeypatch.chdir(SAVED)
    return request.param


def test_predictions_are_those_of_then(saved, capsys):
    name, data = saved
    assert main(["predict", data, "--model", f"{name}.json", "--scores"]) == 0
    assert capsys.readouterr() == ((SAVED / f"{name}.csv").read_text(), "")


def test_certificates_hold(saved, capsys):
    name, data = saved
    assert main(["verify", data, "--model", f"{name}.json"]) == 0
    out, err = capsys.readouterr()
    assert out.count("soft margin") == (3 if name == "classes" else 1)
    assert out.splitlines()[-1] == "holds up to rounding of 1e-9"
    assert err == ""
    assert main(["verify", data, "--model", f"{name}.json", "--exact"]) == 1


def test_python_reads_them_too():
    model = load(SAVED / "text.json")
    frame = pd.read_csv(SAVED / "rows.csv")
    X = frame[model.feature_names_in_.tolist()]
    votes = pd.read_csv(SAVED / "text.csv", converters={"yes": float})["yes"]  # to the last digit
    np.testing.assert_array_equal(model.decision_function(X), votes)
    with pytest.raises(CertificateError, match=r"use exact=False \(up to rounding\)"):
        verify(model, X, frame["churned"])
    verify(model, X, frame["churned"], exact=False)
