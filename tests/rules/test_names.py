"""Every rule has a name, and every name a rule."""

import inspect
from pathlib import Path

import pytest

from frankboost import MLPBoostClassifier
from frankboost.rules.names import FW_RULES, SECONDARIES, secondary_names, secondary_rule
from studies.algorithms import ALGORITHMS, FAMILY


@pytest.mark.parametrize("name", SECONDARIES)
def test_a_name_is_a_rule_for_any_tolerance(name):
    for tol in (0.0, 0.01):
        rule = secondary_rule(name, tol)
        assert rule.kind == "secondary"
        assert callable(rule.start)
        assert repr(rule).startswith(type(rule).__name__)  # settings alone
    assert MLPBoostClassifier(fw_rule=None, secondary=name).rules() == [secondary_rule(name, 0.01)]
    doc = inspect.getdoc(MLPBoostClassifier)
    assert f'"{name}"' in doc


@pytest.mark.parametrize("name", FW_RULES)
def test_frank_wolfe_rules_are_named_in_the_docstring(name):
    assert FW_RULES[name]().kind == "fw"
    assert f'"{name}"' in inspect.getdoc(MLPBoostClassifier)


def test_every_secondary_rule_names_its_paper():
    for name in set(SECONDARIES) - {"level"}:  # ours: docs/theory/levelboost.md
        assert "References\n" in inspect.getdoc(type(secondary_rule(name, 0.01)))


def test_the_page_of_algorithms_has_them_all():
    page = (Path(__file__).parents[2] / "docs" / "algorithms.md").read_text(encoding="utf-8")
    for name in SECONDARIES:
        assert f"| `{name}`" in page
    for name in [*ALGORITHMS, *FAMILY]:
        assert f"\n| {name} | " in page  # measured


def test_an_unknown_name_is_told_the_known_ones():
    clf = MLPBoostClassifier(secondary="adabost")
    with pytest.raises(ValueError, match=r"secondary must be 'lp', .*'adaboost', .*; got 'adabost'"):
        clf.fit([[0.0], [1.0]], [0, 1])
    assert set(SECONDARIES) <= set(secondary_names())
