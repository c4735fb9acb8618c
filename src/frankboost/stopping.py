"""When to stop: functions of the state that give a reason, or None to go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from frankboost.rooms.room import Room
from frankboost.typing import Floats, Status


class Standing(Protocol):
    """What a stopping rule looks at."""

    @property
    def round(self) -> int: ...
    @property
    def gap(self) -> float: ...
    @property
    def best_weights(self) -> Floats: ...
    @property
    def bound(self) -> float: ...
    @property
    def smoothed(self) -> float: ...
    @property
    def stalled(self) -> bool: ...


Stop = Callable[[Standing], Status | None]


@dataclass(frozen=True)
class ProvedGap:
    """bound - soft margin <= tol, after all rounding, as the certificate will say it: "optimal"."""

    tol: float
    room: Room

    def __call__(self, state: Standing) -> Status | None:
        """The reason, if any."""
        if state.gap > self.tol:
            return None
        gap = Fraction(self.room.bound) - Fraction(self.room.proved(state.best_weights))
        return "optimal" if gap <= Fraction(self.tol) else None


@dataclass(frozen=True)
class SmoothedGap(ProvedGap):
    """The paper's own test: bound - smoothed soft margin <= tol/2. It implies the other but for rounding."""

    def __call__(self, state: Standing) -> Status | None:
        """The reason, if any."""
        return None if state.bound - state.smoothed > self.tol / 2 else super().__call__(state)


@dataclass(frozen=True)
class Stalled:
    """Nothing will ever change: "stalled"."""

    def __call__(self, state: Standing) -> Status | None:
        """The reason, if any."""
        return "stalled" if state.stalled else None


@dataclass(frozen=True)
class MaxIter:
    """A number of rounds: "max_iter"."""

    rounds: int

    def __call__(self, state: Standing) -> Status | None:
        """The reason, if any."""
        return "max_iter" if state.round >= self.rounds else None


@dataclass(frozen=True)
class TimeLimit:
    """Seconds since a start, by default since this object was made: "time_limit"."""

    seconds: float
    start: float = field(default_factory=time.perf_counter)

    def __call__(self, state: Standing) -> Status | None:
        """The reason, if any."""
        return "time_limit" if time.perf_counter() - self.start >= self.seconds else None


def first_reason(stops: Iterable[Stop], state: Standing) -> Status | None:
    """What the first stopping rule with a reason says."""
    return next((reason for stop in stops if (reason := stop(state)) is not None), None)
