"""Algorithm 1 of "Boosting as Frank-Wolfe": one loop, every algorithm.

    LPBoost       rules = [LinearProgram()]                 it brings its own distribution
    ERLPBoost     rules = [FullyCorrective()]
    C-ERLPBoost   rules = [ShortStep()]
    MLPBoost      rules = [ShortStep(), LinearProgram()]    or any two

The loop goes on for ever; the caller stops it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from frankboost.rooms.base import padded, vertex
from frankboost.rooms.point import Point, same_point
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, Rule, Step
from frankboost.typing import Floats, RuleName


@dataclass(frozen=True, eq=False)
class State:
    """What is known after a round.

    Attributes
    ----------
    round : int
        t, from 1; the weak learner has been asked t times.
    weights : array with one entry per hypothesis
        w_t, the point of the simplex that the algorithm is at.
    smoothed : float
        The smoothed soft margin of `weights`.
    best_weights : array with one entry per hypothesis
        The weights of largest soft margin that any rule has proposed.
    soft_margin : float
        Their soft margin.
    bound : float
        The least best edge so far: no ensemble does better, if the weak learner is exact.
    rule : str
        Whose proposal was taken: "fw", a Frank-Wolfe rule's; "secondary", that of any other rule, beside one
        or alone; "none" if the weights stayed.
    stalled : bool
        No new hypothesis, and every rule proposed what it proposed before: nothing will ever change.
    """

    round: int
    weights: Floats
    smoothed: float
    best_weights: Floats
    soft_margin: float
    bound: float
    rule: RuleName
    stalled: bool

    @property
    def gap(self) -> float:
        """bound - soft margin."""
        return self.bound - self.soft_margin


def rounds(
    room: Room,
    rules: Sequence[Rule],
    weights: Floats | None = None,
    timing: Callable[[Step], Step] = lambda step: step,
) -> Iterator[State]:
    """Play for ever, one state per round; from `weights` if hypotheses are known beforehand.

    `timing` makes the steps of the rules count their seconds.

    Each round asks the weak learner at a point, lets every rule propose weights over the hypotheses found so
    far, and moves to the proposal with the largest smoothed soft margin. Since the convergence theorem needs
    only that the round does at least as well as a Frank-Wolfe step, the other proposals may be anything. The
    next point to ask about is the gradient of the smoothed objective there.
    """
    steps = [timing(rule.start(room)) for rule in rules]
    alone = len(rules) == 1
    here: Point | None = None  # of the weights; none before the first proposal
    asked: Point | None = None
    previous: list[Proposal] = []
    low = level = -np.inf
    for t in count(1):
        found = room.ask(asked, low, level)
        if here is None:
            best: Point = room.at(vertex(found.newest, len(room)) if weights is None else weights)
        now = padded((here or best).multipliers, len(room))
        proposals = [step(Position(t, now, asked, found.edges, found.newest)) for step in steps]
        best = max([best, *(proposal.at for proposal in proposals)], key=lambda point: point.soft_margin())
        low = best.soft_margin()
        winner = max(proposals, key=lambda proposal: proposal.at.value)
        # In a contest the weights may stay, so that the objective never falls; a rule alone is followed,
        # and may bring its own point, which the theorem for a contest does not allow.
        stay = here is not None and not alone and here.value >= winner.at.value
        if here is None or not stay:
            here = winner.at
        own = alone and winner.ask is not None
        # Theorem 1 counts what an edge is above the smoothed soft margin (docs/theory/trees-on-demand.md).
        asked, level = (winner.ask, winner.level) if own else (here, here.value)
        stuck = not found.grew and _same(proposals, previous)
        if stuck:
            level = -np.inf  # what the weak learner has not found, it may find if a bound is asked for
        yield State(
            round=t,
            weights=padded(here.multipliers, len(room)),
            smoothed=here.value,
            best_weights=padded(best.multipliers, len(room)),
            soft_margin=low,
            bound=room.bound,
            rule="none" if stay else rules[proposals.index(winner)].kind,
            stalled=stuck and not found.driven,
        )
        previous = proposals


def _same(proposals: list[Proposal], previous: list[Proposal]) -> bool:
    return len(proposals) == len(previous) and all(
        same_point(new.at, old.at) and _same_or_none(new.ask, old.ask)
        for new, old in zip(proposals, previous, strict=True)
    )


def _same_or_none(new: Point | None, old: Point | None) -> bool:
    return new is old or (new is not None and old is not None and same_point(new, old))
