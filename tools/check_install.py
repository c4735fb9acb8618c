"""Run the ten lines of the README with the package that is installed: python tools/check_install.py."""

import sys
from importlib.metadata import version
from pathlib import Path

import frankboost

README = Path(__file__).parents[1] / "README.md"


def main():
    """The block of Python in the README, as a reader would run it."""
    print(f"frankboost {version('frankboost')}, Python {sys.version.split()[0]}, {frankboost.__file__}")
    lines = README.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    exec(compile(lines, str(README), "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main()
