"""The largest edge over trees each of whose leaves holds some weight of the rows, by exhaustive search.

Sums of u and of the rows' weights are made alike, for all splits of a root and all of a child. A split of the
class has two sides that weigh enough. At the last level, categories that weigh less, of the rows that are
there, are one: they go one way together, with missing values if these weigh less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from frankboost.constraints import Constraints
from frankboost.typing import Floats
from frankboost.verification.cells import Feature, grouped_features
from frankboost.verification.search import AnyLeaves, edge_over
from frankboost.verification.tree_walk import Splits

Two = Sequence[Floats]  # of u, and of weights
IN_ORDER = ((-1, -1), (-1, 1), (1, 1))  # the votes of both sides of a root in a cell: less, then more
STATES = 16  # which of four leaves weigh enough


def heavy_edge(X: Floats, u: Floats, weight: Floats, splits: Splits, constraints: Constraints) -> float:
    """max over the trees h of depth 1 or 2 of sum_i u_i h(x_i)."""
    features = grouped_features(X, splits.thresholds, splits.categories, constraints)
    return edge_over(features, (u, weight), splits.max_depth, constraints, leaves_of(constraints))


def leaves_of(constraints: Constraints | None) -> AnyLeaves:
    """What trees pay whose leaves are as constraints say."""
    return AnyLeaves() if constraints is None or not constraints.least else HeavyLeaves(constraints.least)


@dataclass(frozen=True)
class HeavyLeaves(AnyLeaves):
    """Leaves that weigh enough; what would have others pays -infinity."""

    least: float

    def stumps(self, profiles: Sequence[Floats], child: Feature) -> Floats:
        of_kind = _category_stumps if child.categorical else _number_stumps
        weight = profiles[1]
        total = weight.sum(axis=1) if child.categorical else weight[:, -2:].sum(axis=1)
        return np.where(total >= self.least, of_kind(profiles, child, self.least), -np.inf)

    def leaf(self, side: Sequence[Floats], vote: int) -> Floats:
        (numbers, weight), (missing, mass) = ([each[:, at] for each in side] for at in (-2, -1))
        apart = (weight >= self.least) & (mass >= self.least)
        pays = vote * numbers + np.where(apart, np.abs(missing), vote * missing)
        return np.where(weight + mass >= self.least, pays, -np.inf)

    def in_order(self, left: Sequence[Floats], right: Sequence[Floats], child: Feature, sign: int) -> Floats:
        less, more = (left, right) if sign > 0 else (right, left)
        return _pairs_in_order(less, more, child, self.least)


def _number_stumps(profiles: Sequence[Floats], child: Feature, least: float) -> Floats:
    u, weight = profiles
    sums, weights = (each[:, -2] + each[:, -1] for each in profiles)
    best = np.abs(sums)
    for side in (0.0, 1.0):  # of missing values
        left, mass = (each[:, : child.cuts] + side * each[:, -1:] for each in (u, weight))
        kept = (mass >= least) & (weights[:, None] - mass >= least)
        more = sums[:, None] - 2.0 * left  # of the right leaf than of the left one
        pays = np.where(kept, np.abs(more) if child.sign == 0 else child.sign * more, 0.0)
        best = np.maximum(best, pays.max(axis=1, initial=0.0))
    if child.sign != 0 and child.present:
        apart = np.minimum(weight[:, -2], weight[:, -1]) >= least
        best = np.maximum(best, np.where(apart, np.abs(u[:, -2] - u[:, -1]), 0.0))
    return best


def _category_stumps(profiles: Sequence[Floats], child: Feature, least: float) -> Floats:
    """Each heavy category goes where it pays, and the light ones together.

    If these are alone on a side, and too light for a leaf, the heavy category that loses least joins them.
    """
    u, weight = profiles
    heavy = weight >= least
    light, mass = (np.where(heavy, 0.0, each).sum(axis=1) for each in (u, weight))
    free = np.where(heavy, np.abs(u), 0.0).sum(axis=1) + np.abs(light)
    leaf = np.abs(u.sum(axis=1))
    side = np.where(light > 0.0, 1.0, -1.0)[:, None]
    alone = ~(heavy & (np.where(u > 0.0, 1.0, -1.0) == side)).any(axis=1) & (mass < least)
    loss = np.where(heavy, np.abs(u), np.inf).min(axis=1)
    joined = np.where(heavy.sum(axis=1) > 1, free - 2.0 * loss, -np.inf)
    best: Floats = np.maximum(leaf, np.where(alone, joined, free))
    return best


def _pairs_in_order(less: Two, more: Two, child: Feature, least: float) -> Floats:
    """The best that children on one feature pay on each pair of sets; -infinity without four such leaves.

    Below a root along which votes have an order, see `ordered_search`: `less` is the side that votes less.
    """
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
    return np.where(enough, rises * (numbers - 2.0 * u) + missing_vote * missing, -np.inf)


def _categories_in_order(sides: tuple[Two, Two], light_votes: tuple[int, int], least: float) -> Floats:
    """What the sides pay on categories, one after the other, for each state of the four leaves."""
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
