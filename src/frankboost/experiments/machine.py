"""The machine and the versions that a time belongs to."""

from __future__ import annotations

import math
import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ["frankboost", "numpy", "scipy", "scikit-learn", "highspy"]


def describe() -> dict[str, Any]:
    """CPU, cores, memory, system, load and versions, as far as they can be found out: for benchmarks."""
    return {**hardware(), "load": load(), "versions": versions()}


@cache
def hardware() -> dict[str, Any]:
    """CPU, cores, memory and system."""
    return {"cpu": _cpu(), "cores": _cores(), "memory": _memory(), "os": platform.platform()}


@cache
def versions() -> dict[str, str]:
    """Python's, ours, and those of what we stand on."""
    return {"Python": platform.python_version()} | {name: _version(name) for name in PACKAGES}


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine() or "unknown"


def _cores() -> int:
    """Those this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.1f} GB"
    except (AttributeError, OSError, ValueError):
        return "unknown memory"


def load() -> float:
    """How many processes wanted to run over the last minute; NaN where the system does not say."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return math.nan


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
