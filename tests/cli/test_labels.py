"""Labels of a file, from fit to predict and verify."""

from pathlib import Path

import pytest

from frankboost import load
from frankboost.cli.main import main


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["123456789012345678901", "123456789012345678902", "5"], str),
        (["1234567890123456788", "1234567890123456789"], int),
        (["True", "true", "FALSE", "false"], bool),
    ],
)
def test_labels_are_told_apart_and_not_more(tmp_path, monkeypatch, capsys, labels, kind):
    monkeypatch.chdir(tmp_path)
    rows = [f"{(7 * k) % 31},{(3 * k) % 17},{labels[k % len(labels)]}" for k in range(60)]
    Path("rows.csv").write_text("\n".join(["a,b,y", *rows]) + "\n")
    assert main(["fit", "rows.csv", "--target", "y", "--model", "m.json", "--nu", "0.3"]) == 0
    classes = load("m.json").classes_.tolist()
    assert {type(label) for label in classes} == {kind}
    assert len(classes) == (2 if kind is bool else len(labels))
    assert main(["verify", "rows.csv", "--model", "m.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "rows.csv", "--model", "m.json"]) == 0
    predicted = set(capsys.readouterr().out.split()) - {"prediction"}
    assert predicted == {str(label) for label in classes}
