"""Packages as they lie in an environment: a module, and the metadata that names its entry points."""

from __future__ import annotations

import sys
from pathlib import Path


def install(
    folder: Path, package: str, code: str, *, rules: str = "", learners: str = "", algorithms: str = ""
) -> None:
    """Put a package into a folder of `sys.path`; entry points are lines such as `name = module:object`."""
    about = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    groups = {"rules": rules, "learners": learners, "algorithms": algorithms}
    points = [f"[frankboost.{group}]\n{lines}\n" for group, lines in groups.items() if lines]
    (about / "entry_points.txt").write_text("\n".join(points))
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(code)
    sys.modules.pop(module, None)
