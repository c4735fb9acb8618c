"""Parameters are declared once; constructors, docstrings, checks and saved settings follow."""

import inspect
import pickle
import re

import numpy as np
import pytest
from sklearn.base import clone

import frankboost
from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.parameters import (
    Parameters,
    check_parameters,
    parameter,
    parameters_of,
    with_parameters,
)
from frankboost.export.json_parameters import CLASSIFIERS, read_settings, settings_of
from frankboost.validation import check_count

SHARED = list(parameters_of(Parameters))


def even(name, value):
    if value % 2:
        raise ValueError(f"{name} must be even; got {value}")


@with_parameters
class Throwaway(frankboost.LPBoostClassifier):
    """A classifier with one parameter more."""

    max_iter: int = 7
    gadget: int = parameter(default=4, kind="int", doc="How many there are.", check=even)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_signatures(name):
    classifier = CLASSIFIERS[name]
    chooses = ["validation_fraction", "leaves", "random_state"]
    own = {
        "MLPBoostClassifier": ["fw_rule", "secondary"],
        "SoftMarginClassifier": chooses,
        "SoftBoostClassifier": chooses,
        "SoftMarginClassifierCV": ["cv", "scoring", "leaves", "random_state"],
    }
    search = name == "SoftMarginClassifierCV"
    expected = [
        "nus" if search else "nu",
        "tol",
        *SHARED,
        *([] if search else ["warm_start"]),
        *own.get(name, []),
    ]
    found = inspect.signature(classifier).parameters
    assert list(found) == expected
    assert [
        each for each in found if found[each].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ] == expected[:2]
    assert sorted(classifier().get_params()) == sorted(expected)
    for each in expected:
        assert f"\n{each} : " in classifier.__doc__
        assert getattr(classifier(), each) == found[each].default
    sections = re.findall(r"^(\w+)\n-+$", classifier.__doc__, re.MULTILINE)
    order = ["Parameters", "Attributes", "Notes", "References", "Examples"]
    assert sections == sorted(set(sections), key=order.index)


def test_defaults_of_columns_per_round():
    twenty = {name for name, each in CLASSIFIERS.items() if each().columns_per_round == 20}
    assert twenty == {"SoftMarginClassifier", "SoftMarginClassifierCV", "SoftBoostClassifier"}
    assert all(each().columns_per_round in (1, 20) for each in CLASSIFIERS.values())


def test_a_new_parameter_is_one_declaration():
    assert list(inspect.signature(Throwaway).parameters)[-1] == "gadget"
    assert "\ngadget : int, default=4\n    How many there are.\n" in Throwaway.__doc__
    clf = clone(Throwaway(0.3, gadget=6)).set_params(tol=0.1)
    assert (clf.nu, clf.tol, clf.gadget) == (0.3, 0.1, 6)
    assert pickle.loads(pickle.dumps(clf)).get_params() == clf.get_params()
    assert "gadget=6" in repr(clf)
    clf.set_params(gadget=3)
    with pytest.raises(ValueError, match="gadget must be even; got 3"):
        clf.fit([[0.0], [1.0]], [0, 1])
    clf.set_params(gadget=2).fit([[0.0], [1.0]], [0, 1])
    assert settings_of(clf)["gadget"] == 2
    assert read_settings({"gadget": 8}, Throwaway, [0, 1]).gadget == 8
    with pytest.raises(ValueError, match=r"parameters\.gadget must be even; got 5"):
        read_settings({"gadget": 5}, Throwaway, [0, 1])


def test_another_default_keeps_meaning_and_check():
    assert Throwaway().max_iter == 7
    assert SoftMarginBooster().max_iter == 10_000
    assert "max_iter : int, default=7\n    The largest number of rounds." in Throwaway.__doc__
    with pytest.raises(ValueError, match="max_iter must be an integer >= 1; got 0"):
        check_parameters(Throwaway(max_iter=0))


def test_a_subclass_without_declarations_keeps_the_constructor():
    class Mine(frankboost.SoftMarginClassifier):
        pass

    assert inspect.signature(Mine) == inspect.signature(frankboost.SoftMarginClassifier)
    assert clone(Mine(0.4)).nu == 0.4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_jobs": 0}, "n_jobs must be None or 1 "),
        ({"n_jobs": 5000}, r"n_jobs must be an integer in \[-1024, 1024\] or None; got 5000"),
        ({"warm_start": "yes"}, "warm_start must be True or False; got 'yes'"),
        ({"max_depth": 0}, "max_depth must be an integer >= 1; got 0"),
        ({"tol": 10**400}, "tol must be a finite number >= 0; got 1000"),
    ],
)
def test_checks(settings, message):
    with pytest.raises(ValueError, match=message):
        check_parameters(frankboost.SoftMarginClassifier(**settings))


@pytest.mark.parametrize("value", [True, False, np.True_, 1])
def test_flags(value):
    check_parameters(frankboost.SoftMarginClassifier(warm_start=value, verbose=value))


def test_a_check_is_given_the_name():
    with pytest.raises(TypeError, match=r"parameters.max_iter must be an integer >= 1; got '7' of type str"):
        check_count("parameters.max_iter", "7", at_least=1)
    with pytest.raises(ValueError, match=r"parameters.max_iter must be an integer >= 1; got '7' of type str"):
        read_settings({"max_iter": "7"}, frankboost.SoftMarginClassifier, [0, 1])
