"""What the loop asks of a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from frankboost.game import Game

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Position:
    """Where a round stands when the rules are asked.

    Attributes
    ----------
    round : int
        t, from 1.
    weights : array with one entry a hypothesis
        w, on the simplex.
    edges : array with one entry a hypothesis
        A^T d at the distribution that was played.
    newest : int
        The hypothesis of largest edge.
    """

    round: int
    weights: Floats
    edges: Floats
    newest: int


@dataclass(frozen=True, eq=False)
class Proposal:
    """Weights, and a distribution if the rule brings its own; the loop only hands it to the game."""

    weights: Floats
    distribution: Floats | None = None


Step = Callable[[Position], Proposal]


class Rule(Protocol):
    """Settings of a rule. What is alive (a solver, workspaces) lives in the step that `start` returns."""

    @property
    def kind(self) -> Literal["fw", "secondary"]: ...

    def start(self, game: Game) -> Step: ...
