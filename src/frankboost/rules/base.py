"""The interface of a rule: from a `Position` of the loop to a `Proposal`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.typing import Floats
from frankboost.validation import quoted

ROUNDING = 1e-6  # how far the sum of proposed weights may be from 1


@dataclass(frozen=True, eq=False)
class Position:
    """The state of a round when the rules propose weights.

    Attributes
    ----------
    round : int
        t, from 1.
    weights : array with one entry per hypothesis
        The current weights w, at least 0 and with sum 1. Hypotheses found in this round have weight 0.
    asked : Point or None
        The point at which the weak learner was asked in this round. None in the first round: the prior.
    edges : array with one entry per hypothesis
        A^T d for the distribution d of `asked`. If the loop chose that point, this is the gradient of the
        smoothed soft margin at w.
    newest : int
        The place in `weights` of the hypothesis of largest edge, which may have been known before.
    """

    round: int
    weights: Floats
    asked: Point | None
    edges: Floats
    newest: int


@dataclass(frozen=True, eq=False)
class Proposal:
    """The weights that a rule proposes.

    Attributes
    ----------
    at : Point
        The point of the weights, `room.at(weights)`. The weights are at least 0 and sum to 1, to within 1e-6.
        They have one entry per hypothesis found so far; missing last entries are 0.
    ask : Point or None
        The point at which the weak learner is asked next. None: the loop chooses it.
    level : float
        The weak learner may return any hypothesis whose edge at `ask` is well above this. inf: it must return
        the best one.
    """

    at: Point
    ask: Point | None = None
    level: float = math.inf

    def __post_init__(self) -> None:
        weights = getattr(self.at, "multipliers", None)
        if weights is None:
            raise TypeError(f"at must be a point, such as room.at(weights); got {quoted(self.at)}")
        least, total = float(weights.min()), float(weights.sum())
        if least < 0.0 or not abs(total - 1.0) <= ROUNDING:
            raise ValueError(
                "the weights of a proposal must be at least 0 and sum to 1; "
                f"got weights from {least:.3g} that sum to {total:.6g}"
            )


Step = Callable[[Position], Proposal]


class Rule(Protocol):
    """The interface of a rule: immutable settings. The step that `start` returns has all mutable state."""

    @property
    def kind(self) -> Literal["fw", "secondary"]: ...

    def start(self, room: Room) -> Step:
        """Return the step for one game: the function that proposes weights in each round."""


class SecondaryRule:
    """Base class of rules that are not Frank-Wolfe rules; MLPBoost runs one beside a Frank-Wolfe rule."""

    kind: ClassVar[Literal["fw", "secondary"]] = "secondary"
