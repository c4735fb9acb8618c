"""What the loop asks of a rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Position:
    """Where a round stands when the rules are asked.

    Attributes
    ----------
    round : int
        t, from 1.
    weights : array with one entry per hypothesis
        w, on the simplex.
    asked : Point or None
        Where the weak learner was asked; None in a first round.
    edges : array with one entry per hypothesis
        A^T d at that point.
    newest : int
        The hypothesis of largest edge.
    """

    round: int
    weights: Floats
    asked: Point | None
    edges: Floats
    newest: int


@dataclass(frozen=True, eq=False)
class Proposal:
    """The point of the proposed weights, and another one to ask about next if the rule brings its own.

    There the rule may have a level: any hypothesis whose edge is well above it will do. A rule without one
    gets the best hypothesis.
    """

    at: Point
    ask: Point | None = None
    level: float = math.inf


Step = Callable[[Position], Proposal]


class Rule(Protocol):
    """Settings of a rule. What is alive (a solver, workspaces) lives in the step that `start` returns."""

    @property
    def kind(self) -> Literal["fw", "secondary"]: ...

    def start(self, room: Room) -> Step:
        """The step of one game, in a room without hypotheses or with known ones."""


class SecondaryRule:
    """Base of the rules that are no Frank-Wolfe step: one may stand beside them, as a safety net."""

    kind: ClassVar[Literal["fw", "secondary"]] = "secondary"
