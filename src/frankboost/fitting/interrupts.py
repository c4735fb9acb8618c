"""Interrupts: who is to hear of one."""

from __future__ import annotations

import sys
from types import FrameType

LOOPS = (
    "sklearn.calibration",
    "sklearn.ensemble",
    "sklearn.feature_selection",
    "sklearn.model_selection",
    "sklearn.multiclass",
    "sklearn.multioutput",
    "sklearn.semi_supervised",
)


def is_one_of_many() -> bool:
    """Whether a loop of scikit-learn fits, a search for example: then an interrupt is meant for the loop."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(LOOPS):
            return True
        frame = frame.f_back
    return False
