"""Algorithm 1 of "Boosting as Frank-Wolfe": one loop, every algorithm.

    LPBoost       rules = [LinearProgram()]                 it brings its own distribution
    ERLPBoost     rules = [FullyCorrective()]
    C-ERLPBoost   rules = [ShortStep()]
    MLPBoost      rules = [ShortStep(), LinearProgram()]    or any two

The loop never ends by itself; the caller stops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """The result of a round.

    Attributes
    ----------
    round : int
        t, from 1: the number of times that the weak learner has been asked.
    weights : array with one entry per hypothesis
        w_t, the current weights of the algorithm, on the simplex.
    smoothed : float
        The smoothed soft margin of `weights`.
    best_weights : array with one entry per hypothesis
        The weights of largest soft margin that any rule has proposed.
    soft_margin : float
        The soft margin of `best_weights`.
    bound : float
        The least, over the rounds so far, of the largest edge: no ensemble has a larger soft margin, if the
        weak learner is exact.
    rule : str
        The rule whose proposal became `weights`: "fw", a Frank-Wolfe rule; "secondary", any other rule;
        "none" if the weights did not change.
    stalled : bool
        The weak learner found nothing new and every rule repeated its proposal, so that no later round can
        change anything.
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


def rounds(room: Room, rules: Sequence[Rule], weights: Floats | None = None) -> Iterator[State]:
    """Play rounds of Algorithm 1 for ever; yields one state per round.

    Each round asks the weak learner at a point, lets every rule propose weights over the hypotheses found so
    far, and moves to the proposal with the largest smoothed soft margin. The point of the next round is the
    gradient of the smoothed objective at these weights. The convergence theorem needs only that a round does
    at least as well as a Frank-Wolfe step, so that the other rules may propose anything.

    Parameters
    ----------
    room : Room
        The rows and the weak learner.
    rules : sequence of Rule
        One rule, or a Frank-Wolfe rule and another one.
    weights : array or None
        The first weights, if the room knows hypotheses from an earlier fit.
    """
    steps = [room.rule_watch.timing(rule.start(room)) for rule in rules]
    alone = len(rules) == 1
    current: Point | None = None  # the point of the weights; None before the first proposal
    asked: Point | None = None  # the point at which the weak learner is asked; None: the room chooses it
    previous: list[Proposal] = []
    low = level = -np.inf
    for t in count(1):
        found = room.ask(asked, low, level)
        if current is None:
            best: Point = room.at(vertex(found.newest, len(room)) if weights is None else weights)
        now = padded((current or best).multipliers, len(room))
        proposals = _proposals(steps, Position(t, now, asked, found.edges, found.newest))
        best = max([best, *(proposal.at for proposal in proposals)], key=lambda point: point.soft_margin())
        low = best.soft_margin()
        winner = max(proposals, key=lambda proposal: proposal.at.value)
        # Of several rules none is followed if the objective would fall. A single rule is always followed, and
        # may choose the next point itself, which the theorem for several rules does not allow.
        stay = current is not None and not alone and current.value >= winner.at.value
        if current is None or not stay:
            current = winner.at
        own_point = alone and winner.ask is not None
        # Theorem 1 counts an edge's excess over the smoothed soft margin (docs/theory/trees-on-demand.md).
        asked, level = (winner.ask, winner.level) if own_point else (current, current.value)
        stuck = not found.grew and _same_proposals(proposals, previous)
        if stuck:
            level = -np.inf  # a search for a bound may find hypotheses that the last search missed
        yield State(
            round=t,
            weights=padded(current.multipliers, len(room)),
            smoothed=current.value,
            best_weights=padded(best.multipliers, len(room)),
            soft_margin=low,
            bound=room.bound,
            rule="none" if stay else rules[proposals.index(winner)].kind,
            stalled=stuck and not found.driven,
        )
        previous = proposals


def _proposals(steps: Sequence[Step], position: Position) -> list[Proposal]:
    """What the rules propose; the position, which holds a point, is not kept in the next search."""
    return [step(position) for step in steps]


def _same_proposals(proposals: list[Proposal], previous: list[Proposal]) -> bool:
    return len(proposals) == len(previous) and all(
        same_point(new.at, old.at) and same_point(new.ask, old.ask)
        for new, old in zip(proposals, previous, strict=True)
    )
