"""Every example in a docstring runs."""

import doctest
import importlib
import pkgutil

import pytest

import frankboost

MODULES = [
    module.name
    for module in pkgutil.walk_packages(frankboost.__path__, "frankboost.")
    if module.name not in {"frankboost.native._kernels", "frankboost.__main__"}
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} has no docstring"
    assert doctest.testmod(module).failed == 0
