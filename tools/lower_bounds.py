"""Print pyproject.toml's lower bounds as constraints for pip: python tools/lower_bounds.py > bounds.txt."""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
TOOLS = {"dev", "docs", "rivals", "test"}  # what developers use, in the newest versions
DEVICE = {"cuda"}  # needs a device
BOUND = re.compile(r"(?P<name>[\w.-]+)(\[[\w,.-]+\])?>=(?P<least>[\d.]+)")


def requirements(settings):
    """What a build, the package and the extras of its users require."""
    project = settings["project"]
    yield from settings["build-system"]["requires"]
    yield from project["dependencies"]
    for name, extra in project["optional-dependencies"].items():
        if name not in TOOLS | DEVICE:
            yield from extra


def exact(requirement):
    """Such as numpy==1.26 for numpy>=1.26."""
    bound = BOUND.match(requirement)
    if bound is None:
        raise ValueError(f"a requirement must begin as name>=version; got {requirement!r}")
    return f"{bound['name']}=={bound['least']}"


def main():
    """The constraints, one per line; they hold for the oldest Python."""
    settings = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    oldest = settings["project"]["requires-python"].removeprefix(">=")
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    if running != oldest:
        sys.exit(
            f"the lower bounds are those of Python {oldest}; got Python {running}: set PYTHON=python{oldest}"
        )
    print(*sorted(set(map(exact, requirements(settings)))), sep="\n")


if __name__ == "__main__":
    main()
