"""The machine and the versions that a time belongs to."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ["frankboost", "numpy", "scipy", "scikit-learn", "highspy"]


@cache
def hardware() -> dict[str, Any]:
    """CPU, the cores that this process may use, memory and system, as far as they can be found out."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {"cpu": _cpu(), "cores": cores, "memory": _memory(), "os": platform.platform()}


@cache
def versions() -> dict[str, str]:
    """Python's, ours, and those of what we stand on."""
    return {"Python": platform.python_version()} | {name: _version(name) for name in PACKAGES}


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine() or "unknown")


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.1f} GB"
    except (AttributeError, OSError, ValueError):
        return "unknown memory"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
