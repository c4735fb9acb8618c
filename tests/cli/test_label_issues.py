"""`frankboost labels`: rows with suspicious labels, and corrections."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frankboost import label_issues
from frankboost.cli.main import main

LABELS = ["labels", "rows.csv", "--target", "kind", "--out", "issues.csv"]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """A file in the working folder, with 12 labels that are wrong."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"length": rng.normal(size=200), "width": rng.normal(size=200)})
    X["shop"] = rng.choice(["north", "south"], 200)
    right = np.where(X["length"] + X["width"] > 0, "big", "small")
    wrong = np.arange(200) < 12
    table = X.assign(kind=np.where(wrong, np.where(right == "big", "small", "big"), right))
    table.to_csv("rows.csv", index=False)
    return table, right


def run(capsys, *more, command=LABELS):
    assert main([*command, *more]) == 0
    return capsys.readouterr()


def test_rows_come_worst_first(rows, capsys):
    table, _ = rows
    told = run(capsys).out
    found = pd.read_csv("issues.csv", keep_default_na=False)
    flagged = found["is_label_issue"]
    assert told == f"{flagged.sum()} of 200 labels are flagged; they come first in issues.csv\n"
    assert found.columns[0] == "row"
    assert found.columns[-1] == "corrected_label"
    assert (found["corrected_label"] == "").all()
    assert sorted(found["row"]) == list(range(1, 201))
    assert flagged[: flagged.sum()].all()
    assert found["label_quality"][: flagged.sum()].is_monotonic_increasing
    assert (found["row"][:12] <= 12).sum() >= 8
    assert (found["given_label"] == table["kind"].to_numpy()[found["row"] - 1]).all()
    given = table.drop(columns="kind").astype({"shop": "category"})
    expected = label_issues(given, table["kind"].to_numpy(dtype=str))
    np.testing.assert_allclose(found["label_quality"], expected.label_quality[expected.order], rtol=1e-12)


def test_corrections_are_taken_back(rows, capsys):
    _, right = rows
    run(capsys)
    found = pd.read_csv("issues.csv", keep_default_na=False)
    mine = found["row"] <= 10
    found.loc[mine, "corrected_label"] = right[found["row"][mine] - 1]
    found.loc[found["row"].isin([11, 12]), "corrected_label"] = "?"
    found.to_csv("corrected.csv", index=False)
    told = run(capsys, "--relabel", "corrected.csv", "--page", "page.html")
    assert told.err == "10 labels corrected, 2 rows left out\n"
    left = pd.read_csv("issues.csv", index_col="row")
    assert left["label_quality"][[11, 12]].isna().all()
    labels = left["corrected_label"].fillna(left["given_label"])
    assert (labels[:10].sort_index() == right[left.index[:10].sort_values() - 1]).all()
    assert left["is_label_issue"].sum() < found["is_label_issue"].sum()
    again = run(capsys, "--relabel", "issues.csv", command=[*LABELS[:-1], "left.csv"])
    assert again.err == told.err  # the file that was written has all corrections
    assert Path("left.csv").read_text() == Path("issues.csv").read_text()


def test_the_page_shows_rows_beside_like_ones(rows, capsys):
    run(capsys, "--page", "page.html")
    worst, text = pd.read_csv("issues.csv")["row"][0], Path("page.html").read_text(encoding="utf-8")
    assert f"<h2>Row {worst}: " in text
    assert "share of trees that agree" in text
    assert "Rows count from 1" in text
    assert "Every vote of such trees" in text
    assert "<td>width</td>" in text


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("row,corrected_label\n1,huge\n", "row 1: the corrected_label must be one of"),
        ("row,corrected_label\n0,big\n", r"row 1: the row must be a number in [1, 200]; got"),
        ("row,label\n1,big\n", "there is no column 'corrected_label'"),
        (
            "row,given_label,corrected_label\n1,?,big\n",
            "row 1: the given_label must be that of row 1 of DATA",
        ),
    ],
)
def test_corrections_that_cannot_be_used(rows, capsys, lines, message):
    Path("corrected.csv").write_text(lines, encoding="utf-8")
    assert main([*LABELS, "--relabel", "corrected.csv"]) == 2
    assert message in capsys.readouterr().err


def test_corrections_are_not_overwritten(rows, capsys):
    run(capsys)
    before = Path("issues.csv").read_bytes()
    for more in (LABELS, [*LABELS[:-1], "left.csv", "--page", "issues.csv"]):
        assert main([*more, "--relabel", "issues.csv"]) == 2
        assert "issues.csv is the file of the corrections, which must not be" in capsys.readouterr().err
    assert Path("issues.csv").read_bytes() == before


def test_what_cannot_be_judged(rows, capsys):
    pd.DataFrame({"a": [1, 2, 3, 4], "kind": ["x", "x", "x", "y"]}).to_csv("few.csv", index=False)
    assert main(["labels", "few.csv", "--target", "kind", "--out", "issues.csv"]) == 2
    assert "few.csv cannot be judged: y must have at least two rows of every class" in capsys.readouterr().err
    assert main([*LABELS[:-1], "rows.csv"]) == 2
    assert (
        "argument --out: rows.csv is the file of the data, which must not be overwritten"
        in capsys.readouterr().err
    )
    assert main([*LABELS[:-1], "issues.csv.gz"]) == 2
    assert "argument --out: files are not compressed; name it issues.csv" in capsys.readouterr().err
    assert main([*LABELS[:-1], "nowhere/issues.csv"]) == 2
    assert "there is no folder nowhere" in capsys.readouterr().err
