"""Whether there is a CUDA device to test on."""

import importlib.util
from typing import Any

import pytest

FEW_ROWS = slice(100, 160)  # on which nu is chosen in few rounds: racecheck takes minutes for more


def why_none() -> str | None:
    """Why there is no device; None if there is one."""
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed"
    import cupy  # noqa: PLC0415

    try:
        return None if cupy.cuda.runtime.getDeviceCount() > 0 else "there is no CUDA device"
    except Exception as error:  # whatever a machine without a driver raises
        return f"there is no CUDA device ({error})"


def cupy_or_skip() -> Any:
    """CuPy; without a device the module that asks is skipped, with the reason."""
    reason = why_none()
    if reason is not None:
        pytest.skip(reason, allow_module_level=True)
    import cupy  # noqa: PLC0415

    return cupy
