"""Algorithm 1 of "Boosting as Frank-Wolfe": one loop, every algorithm.

    LPBoost       rules = [LinearProgram()]                 it brings its own distribution
    ERLPBoost     rules = [FullyCorrective()]
    C-ERLPBoost   rules = [ShortStep()]
    MLPBoost      rules = [ShortStep(), LinearProgram()]    or any two

The loop goes on for ever; the caller stops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from frankboost.game import Game
from frankboost.rules.base import Position, Proposal, Rule

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class State:
    """What is known after a round.

    Attributes
    ----------
    round : int
        t, from 1; the weak learner has been asked t times.
    weights : array with one entry a hypothesis
        w_t, the point of the simplex that the algorithm is at.
    smoothed : float
        The smoothed soft margin of `weights`.
    best_weights : array with one entry a hypothesis
        The weights of largest soft margin that any rule has proposed.
    soft_margin : float
        Their soft margin.
    bound : float
        The least best edge so far: no ensemble does better, if the weak learner is exact.
    rule : str
        Whose proposal was taken: "fw", "secondary", or "none" if the weights stayed.
    stalled : bool
        No new hypothesis, and every rule proposed what it proposed before: nothing will ever change.
    """

    round: int
    weights: Floats
    smoothed: float
    best_weights: Floats
    soft_margin: float
    bound: float
    rule: str
    stalled: bool

    @property
    def gap(self) -> float:
        """bound - soft margin."""
        return self.bound - self.soft_margin


def rounds(game: Game, rules: Sequence[Rule], weights: Floats | None = None) -> Iterator[State]:
    """Play the game for ever, a state a round; from `weights` if hypotheses are known beforehand.

    Each round asks the weak learner at the distribution, lets every rule propose weights over the
    hypotheses found so far, and moves to the proposal with the largest smoothed soft margin. Since the
    convergence theorem needs only that the round does at least as well as a Frank-Wolfe step, the other
    proposals may be anything. The next distribution is the gradient of the smoothed objective there.
    """
    steps = [rule.start(game) for rule in rules]
    alone = len(rules) == 1
    smoothed = soft_margin = -np.inf
    best_weights = np.zeros(0)
    previous: list[Proposal] = []
    for t in count(1):
        answer = game.ask()
        if weights is None:
            weights = _pad(np.zeros(0), len(game))
            weights[answer.newest] = 1.0
        weights, best_weights = _pad(weights, len(game)), _pad(best_weights, len(game))
        if t == 1:
            soft_margin, best_weights = game.soft_margin(weights), weights
        position = Position(t, weights, answer.edges, answer.newest)
        proposals = [step(position) for step in steps]
        values = [game.value(proposal.weights) for proposal in proposals]
        for proposal, value in zip(proposals, values, strict=True):
            if value.soft_margin > soft_margin:
                soft_margin, best_weights = value.soft_margin, proposal.weights

        winner = int(np.argmax([value.smoothed for value in values]))
        # In a contest the weights may stay, so that the objective never falls; a rule alone is followed,
        # and may bring its own distribution, which the theorem for a contest does not allow.
        stay = not alone and smoothed >= values[winner].smoothed
        if not stay:
            weights = proposals[winner].weights
        distribution = proposals[winner].distribution if alone else None
        if distribution is None:
            smoothed = game.play(weights)
        else:
            smoothed, game.distribution = values[winner].smoothed, distribution
        yield State(
            round=t,
            weights=weights,
            smoothed=smoothed,
            best_weights=best_weights,
            soft_margin=soft_margin,
            bound=game.least.edge,
            rule="none" if stay else rules[winner].kind,
            stalled=not answer.grew and _same(proposals, previous),
        )
        previous = proposals


def _pad(weights: Floats, size: int) -> Floats:
    return np.concatenate([weights, np.zeros(size - len(weights))])


def _same(proposals: list[Proposal], previous: list[Proposal]) -> bool:
    return len(proposals) == len(previous) and all(
        np.array_equal(new.weights, old.weights) and _equal(new.distribution, old.distribution)
        for new, old in zip(proposals, previous, strict=True)
    )


def _equal(new: Floats | None, old: Floats | None) -> bool:
    return new is old or (new is not None and old is not None and np.array_equal(new, old))
