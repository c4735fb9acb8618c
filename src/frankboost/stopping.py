"""Stopping rules: functions of the state that return the reason to stop, or None to go on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from frankboost.boosting import State
from frankboost.rooms.room import Room
from frankboost.typing import Status


@dataclass(frozen=True)
class ProvedGap:
    """bound - soft margin <= tol, after all rounding, as the certificate will say it: "optimal"."""

    tol: float
    room: Room

    def __call__(self, state: State) -> Status | None:
        """The reason, if any."""
        if state.gap > self.tol:
            return None
        gap = Fraction(self.room.bound) - Fraction(self.room.proved_soft_margin(state.best_weights))
        return "optimal" if gap <= Fraction(self.tol) else None


@dataclass(frozen=True)
class SmoothedGap(ProvedGap):
    """The paper's own test: bound - smoothed soft margin <= tol/2. It implies the other but for rounding."""

    def __call__(self, state: State) -> Status | None:
        """The reason, if any."""
        return None if state.bound - state.smoothed > self.tol / 2 else super().__call__(state)
