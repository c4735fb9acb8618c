"""Every package that the library imports is one that pyproject.toml requires."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
ON_A_DEVICE = {
    "cupy": ["cupy-cuda12x"],
    "cupyx": ["cupy-cuda12x"],
}  # where there is none they are not installed
TOOLS = {"dev", "docs", "rivals", "test"}


def imported(file):
    """The first words of what a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def declared():
    """The names of the packages that the library or an extra of its users requires."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [extra for name, extra in project["optional-dependencies"].items() if name not in TOOLS]
    return {re.match(r"[\w.-]+", each)[0] for some in (project["dependencies"], *extras) for each in some}


def test_imported_packages_are_declared():
    files = (ROOT / "src").rglob("*.py")
    modules = {name for file in files for name in imported(file)} - {"frankboost"} - sys.stdlib_module_names
    packages = packages_distributions() | ON_A_DEVICE
    missing = {name for name in modules if not declared().intersection(packages.get(name, [name]))}
    assert {"numpy", "sklearn", "cupy"} < modules
    assert missing == set()
