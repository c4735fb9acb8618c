"""The machine and the versions of packages with which times were measured."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from joblib import cpu_count

PACKAGES = ["frankboost", "numpy", "scipy", "scikit-learn", "highspy"]


@cache
def hardware() -> dict[str, Any]:
    """CPU, the cores that this process may use, memory and system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {"cpu": _cpu(), "cores": cpu_count(), "memory": f"{memory:.1f} GB", "os": platform.platform()}


@cache
def versions(*others: str) -> dict[str, str]:
    """The versions of Python, of frankboost, of its dependencies, and of other packages that are
    installed."""
    found = {"Python": platform.python_version()}
    for name in (*PACKAGES, *others):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
