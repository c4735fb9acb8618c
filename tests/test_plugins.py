"""What other packages add is found by its name, and what is wrong with it is one sentence."""

import importlib
import json
import shutil

import pytest

from frankboost import MLPBoostClassifier, load, save
from frankboost.plugins import PluginError, made_by_plugin, plugin_names
from frankboost.rules.frank_wolfe import LineSearch
from frankboost.rules.names import secondary_names, secondary_rule
from packages import install

CODE = """
from frankboost.rules.frank_wolfe import LineSearch

def searched(tol):
    assert tol == 0.01
    return LineSearch()

def broken(tol):
    raise RuntimeError("no luck")
"""
RULES = """
searched = their_rules:searched
lp = their_rules:searched
broken = their_rules:broken
missing = their_rules:nothing
absent = their_absent_module:rule
"""


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "their-rules", CODE, rules=RULES)
    return tmp_path


def test_a_rule_of_another_package_is_found_by_its_name():
    assert "searched" in plugin_names("rules")
    assert "searched" not in plugin_names("learners")
    assert secondary_rule("searched", 0.01) == LineSearch()
    clf = MLPBoostClassifier(secondary="searched", fw_rule=None, max_depth=1)
    assert clf.rules() == [LineSearch()]
    assert clf.fit([[0.0], [1.0], [2.0]], [0, 1, 1]).certificate_.gap <= 0.01


def test_a_model_is_read_without_the_package(environment, tmp_path):
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    clf = MLPBoostClassifier(secondary="searched", max_depth=1).fit(X, y)
    save(clf, tmp_path / "model.json")
    shutil.rmtree(environment / "their_rules-1.0.dist-info")
    importlib.invalidate_caches()
    assert "searched" not in plugin_names("rules")
    assert load(tmp_path / "model.json").predict(X).tolist() == y


def test_a_model_file_may_not_name_a_rule_of_another_package(tmp_path):
    save(MLPBoostClassifier(max_depth=1).fit([[0.0], [1.0], [2.0]], [0, 1, 1]), tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    document["parameters"]["secondary"] = "searched"
    (tmp_path / "model.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=r"parameters.secondary must be one of lp, .*; got 'searched'"):
        load(tmp_path / "model.json")


def test_our_own_names_are_ours():
    assert type(secondary_rule("lp", 0.01)).__name__ == "LinearProgram"
    assert secondary_names().count("lp") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "the rule 'broken' of the package their-rules does not work: RuntimeError: no luck"),
        (
            "missing",
            "the rule 'missing' of the package their-rules does not work: AttributeError: ",
        ),
        ("absent", "the rule 'absent' of the package their-rules does not work: ModuleNotFoundError: "),
    ],
)
def test_what_is_broken_names_its_package(name, message):
    assert name in plugin_names("rules")  # nothing is loaded for that
    clf = MLPBoostClassifier(secondary=name)
    with pytest.raises(PluginError, match=message):
        clf.fit([[0.0], [1.0], [2.0]], [0, 1, 1])


def test_what_is_no_rule_is_refused():
    with pytest.raises(PluginError, match=r"their-rules does not work: .* must have a 'start'; got"):
        made_by_plugin("rules", "searched", lambda make: make.__module__, "start")


def test_two_packages_with_one_name_are_both_named(environment):
    install(environment, "other-rules", CODE, rules="searched = other_rules:searched")
    message = "the rule 'searched' must come from exactly one package; got other-rules and their-rules"
    with pytest.raises(PluginError, match=message):
        secondary_rule("searched", 0.01)
