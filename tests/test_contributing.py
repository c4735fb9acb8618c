"""The examples of CONTRIBUTING.md run as they are written there."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from frankboost import MLPBoostClassifier, SoftMarginClassifier, verify
from packages import install
from studies.__main__ import main

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
X = np.random.default_rng(0).normal(size=(60, 4))
Y = np.where(X[:, 0] + X[:, 1] + 0.5 * X[:, 2] > 0.2, 1, -1)


def example(title, language="python"):
    """The code under a heading."""
    section = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    [code] = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return code


def names_of(code):
    space = {"__name__": "example"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), space)
    return space


def test_a_rule():
    uniform = names_of(example("Add a rule"))["Uniform"]()
    clf = MLPBoostClassifier(nu=0.3, tol=0.05, secondary=uniform, max_depth=1).fit(X, Y)
    assert clf.certificate_.gap <= 0.05
    alone = MLPBoostClassifier(nu=0.3, fw_rule=None, secondary=uniform, max_iter=3).fit(X, Y)
    assert len(set(alone.estimator_weights_.round(12))) == 1


def test_a_parameter():
    patient = names_of(example("Add a parameter"))["PatientClassifier"]
    assert patient(patience=3).get_params()["patience"] == 3
    assert "patience : int, default=5\n    Rounds to wait." in patient.__doc__
    with pytest.raises(ValueError, match="patience must be an integer >= 1; got 0"):
        patient(patience=0).fit(X, Y)


def test_a_weak_learner():
    signs = names_of(example("Add a weak learner"))["Signs"]()
    clf = SoftMarginClassifier(nu=0.3, tol=0.01, estimator=signs).fit(X, Y)
    assert clf.certificate_.exact
    assert "signs of single features" in str(clf.certificate_)
    assert verify(clf, X, Y).gap <= 0.01


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The package of the example, with all its classes."""
    code = [example(f"Add {what}") for what in ("a rule", "a weak learner", "them from a package of yours")]
    points = tomllib.loads(example("Add them from a package of yours", "toml"))["project"]["entry-points"]
    lines = {
        group.removeprefix("frankboost."): "\n".join(f"{name} = {value}" for name, value in named.items())
        for group, named in points.items()
    }
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "their-package", "\n\n".join(code), **lines)
    rows = np.column_stack([X, Y])
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", header="a,b,c,d,y", comments="")
    return tmp_path


def test_a_package(package, capsys):
    [command] = re.findall(r"    python -m studies (compare .*--learner signs)\n", TEXT)
    data = ["--data", str(package / "rows.csv"), "--target", "y", "--tol", "0.1", "--nu", "0.3", "--json"]
    assert main([*command.split(), *data, "--time-limit", "2"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert [each["algorithm"] for each in results] == ["LEVEL", "uniform", "uniform-safe"]
    assert all("signs of single features" in each["certificate"]["hypothesis_class"] for each in results)
    assert all(each["certificate"]["gap"] <= 0.1 for each in results)
    assert {each["learner"] for each in results} == {"signs"}


def test_a_package_in_all(package, capsys):
    assert main(["compare", "--help"]) == 0
    assert main(["compare", "--algorithms", "nothing"]) == 2
    assert "MDBOOST, uniform, uniform-safe or all; got 'nothing'" in capsys.readouterr().err


def test_the_map_is_that_of_the_import_contract():
    root = Path(__file__).parents[1]
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [layer.split(" | ") for layer in contracts[0]["layers"]]
    drawn = [
        re.split(r"\s{2,}", line.strip())[0].split(" | ")
        for line in re.search(r"checks it\):\n\n(.*?)\n\n", TEXT, re.DOTALL)[1].splitlines()
    ]
    assert len(drawn) == len(layers)
    for names, layer in zip(drawn, layers, strict=True):
        assert {name for name in names if name != "..."} <= set(layer)
        assert "..." in names or len(names) == len(layer)
