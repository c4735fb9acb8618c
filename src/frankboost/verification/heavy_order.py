"""What trees pay below a root along which votes have an order, if all leaves weigh enough.

`ordered_search` has the rule. Each set of rows is a row of two profiles over a child: sums of u, and of
weights. `less` is the side of the root that votes less, `more` the other. In each cell the two sides vote -1
and -1, -1 and +1, or +1 and +1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from frankboost.typing import Floats
from frankboost.verification.cells import Feature

Two = Sequence[Floats]  # of u, and of weights
IN_ORDER = ((-1, -1), (-1, 1), (1, 1))
STATES = 16  # which of four leaves weigh enough


def heavy_pairs(less: Two, more: Two, child: Feature, least: float) -> Floats:
    """The best that children on one feature pay on each pair of sets; -infinity without four such leaves."""
    if child.categorical:
        lights = product((-1, 1), (-1, 1))
        most: Floats = np.max([_categories_in_order((less, more), each, least) for each in lights], axis=0)
        return most
    best = np.full(len(less[0]), -np.inf)
    for rises, (one, other) in product((1, -1), IN_ORDER):
        if child.sign == -rises:
            continue
        pays = _cut_pays(less, child, rises, one, least), _cut_pays(more, child, rises, other, least)
        upper, lower = pays[::rises]  # the upper one has the later cut
        if not child.present:
            lower[:, 0] = -np.inf
        nested = upper[:, 1:] + np.maximum.accumulate(lower, axis=1)[:, 1:]
        best = np.maximum(best, nested.max(axis=1))
    return best


def _cut_pays(side: Two, child: Feature, rises: int, missing_vote: int, least: float) -> Floats:
    """What a side pays whose first numbers vote against `rises`: none, those up to the first cut, ..."""
    u, against = (np.pad(each[:, : child.cuts], ((0, 0), (1, 0))) for each in side)
    (numbers, weight), (missing, mass) = ([each[:, [at]] for each in side] for at in (-2, -1))
    against = against + mass * (missing_vote == -rises)
    enough = (against >= least) & (weight + mass - against >= least)
    pays: Floats = np.where(enough, rises * (numbers - 2.0 * u) + missing_vote * missing, -np.inf)
    return pays


def _categories_in_order(sides: tuple[Two, Two], light_votes: tuple[int, int], least: float) -> Floats:
    """The same for categories, one after the other, for each state of the four leaves."""
    sets = np.arange(len(sides[0][0]))
    light = [(weight > 0.0) & (weight < least) for _, weight in sides]
    start = np.zeros(len(sets), dtype=np.intp)
    for k, (_, weight) in enumerate(sides):
        enough = np.where(light[k], weight, 0.0).sum(axis=1) >= least
        start |= np.where(enough, _bit(k, light_votes[k]), 0)
    best = np.full((STATES, len(sets)), -np.inf)
    best[start, sets] = 0.0
    for c in range(sides[0][0].shape[1]):
        before, best = best, np.full_like(best, -np.inf)
        for votes in IN_ORDER:
            pays, heavy = np.zeros(len(sets)), np.zeros(len(sets), dtype=np.intp)
            for k, ((u, weight), vote) in enumerate(zip(sides, votes, strict=True)):
                pays += np.where(light[k][:, c] & (vote != light_votes[k]), -np.inf, vote * u[:, c])
                heavy |= np.where(weight[:, c] >= least, _bit(k, vote), 0)
            for state in range(STATES):
                at = state | heavy, sets
                best[at] = np.maximum(best[at], before[state] + pays)
    all_four: Floats = best[STATES - 1]
    return all_four


def _bit(side: int, vote: int) -> int:
    return 1 << (2 * side + (vote > 0))
