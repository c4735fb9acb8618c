"""Every module says what it is for, and every example in a docstring runs."""

import doctest
import importlib
import pkgutil

import pytest

import frankboost
import studies

NAMES = [
    module.name
    for package in (frankboost, studies)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]
MODULES = {
    name: importlib.import_module(name)
    for name in NAMES
    if name not in {"frankboost.native._kernels", "frankboost.__main__"}
}
EXAMPLES = [
    test for module in MODULES.values() for test in doctest.DocTestFinder().find(module) if test.examples
]


def test_every_module_says_what_it_is_for():
    assert [name for name, module in MODULES.items() if not module.__doc__] == []


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_examples(test):
    assert doctest.DocTestRunner().run(test).failed == 0
