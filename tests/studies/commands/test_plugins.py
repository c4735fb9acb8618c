"""Rules, learners and algorithms of other packages on the command line, and those that fail."""

import json

import numpy as np
import pytest

from packages import install
from studies.__main__ import main
from studies.running.results import read

CODE = """
import numpy as np
from frankboost import BestTree, LPBoostClassifier
from frankboost.learners.base import Oracle, WeakLearner
from frankboost.rules.frank_wolfe import LineSearch

def searched(tol):
    return LineSearch()

class Failing:
    kind = "secondary"

    def start(self, room):
        def step(at):
            raise IndexError("no such column")
        return step

def failing(tol):
    return Failing()

def stumps():
    return BestTree(max_depth=1, max_bins=7)

class Unprepared(WeakLearner):
    def prepare(self, X, y, sample_weight):
        raise ZeroDivisionError("no rows")

def coarse(**settings):
    return LPBoostClassifier(**settings)
"""


@pytest.fixture(autouse=True)
def package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    install(
        tmp_path,
        "their-boosters",
        CODE,
        rules="searched = their_boosters:searched\nfailing = their_boosters:failing\ngone = gone:rule",
        learners="stumps = their_boosters:stumps\nunprepared = their_boosters:Unprepared",
        algorithms="coarse = their_boosters:coarse",
    )
    X = np.random.default_rng(0).normal(size=(40, 3))
    rows = np.column_stack([X, X.sum(axis=1) > 0.3])
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", header="a,b,c,y", comments="", fmt="%.6g")
    lines = [f"{'xyz'[k % 3]},{k % 2},{'no' if k % 3 else 'yes'}" for k in range(30)]
    (tmp_path / "words.csv").write_text("\n".join(["word,b,y", *lines]) + "\n")
    return tmp_path


def compare(package, *words, data="rows.csv"):
    where = ["--data", str(package / data), "--target", "y", "--tol", "0.1", "--jobs", "1"]
    return main(["compare", *where, *words])


def test_they_are_compared_by_their_names(package, capsys):
    assert compare(package, "--algorithms", "searched,COARSE", "--learner", "stumps", "--json") == 0
    results = json.loads(capsys.readouterr().out)
    assert [each["algorithm"] for each in results] == ["searched", "coarse"]
    assert {each["certificate"]["hypothesis_class"] for each in results} == {
        "depth-1 trees over 3 features, at most 7 thresholds per feature"
    }
    assert {each["certificate"]["status"] for each in results} == {"optimal"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("gone", "the rule 'gone' of the package their-boosters does not work: ModuleNotFoundError: "),
        ("level --learner nobody", "argument --learner: invalid choice: 'nobody'"),
    ],
)
def test_what_does_not_work_is_one_sentence(package, words, message, capsys):
    assert compare(package, "--algorithms", *words.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"python -m studies compare: error: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("failing", "the rule 'failing' of the package their-boosters does not work: IndexError: no such"),
        (
            "level --learner unprepared",
            "the weak learner 'unprepared' of the package their-boosters does not work: ZeroDivisionError",
        ),
    ],
)
def test_what_does_not_work_in_a_fit_is_its_row(package, words, message, capsys):
    assert compare(package, "--algorithms", *words.split()) == 1
    assert f"status: PluginError: {message}" in capsys.readouterr().out


def test_all_ends_at_once_if_a_package_does_not_work(package, capsys):
    assert compare(package, "--algorithms", "all") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "the rule 'gone' of the package their-boosters" in err


def test_categories_are_for_trees(package, capsys):
    words = ["--algorithms", "level"]
    assert compare(package, *words, "--learner", "unprepared", data="words.csv") == 2
    assert "unprepared takes numbers, but words has categories" in capsys.readouterr().err


def test_they_run_in_a_study(package, capsys):
    study = ["paper", "--parts", "times", "--datasets", "twonorm", "--time-limit", "0.2"]
    study += ["--out", str(package / "study"), "--algorithms", "LEVEL,searched"]
    assert main([*study, "--learner", "stumps"]) == 0
    results = read(package / "study" / "runs.jsonl").values()
    assert {(each.trial.algorithm, each.trial.learner) for each in results} == {
        ("LEVEL", "stumps"),
        ("searched", "stumps"),
    }
    assert {each.fit.certificate.hypothesis_class for each in results} == {
        "depth-1 trees over 20 features, at most 7 thresholds per feature"
    }
    assert main(study) == 2
    assert "holds results with learner = stumps, not tree; choose another folder" in capsys.readouterr().err
    assert main([*study[:-1], "gone"]) == 2
    assert "the rule 'gone' of the package their-boosters" in capsys.readouterr().err
