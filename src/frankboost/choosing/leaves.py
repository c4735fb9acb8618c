"""Leaves that say how sure they are: another vote of the same trees, which ranks where the optimum does not.

Rows with large margins carry no weight at the optimum of the soft margin, so nothing orders them there. Here
trees keep their splits, and their leaves get log-odds by boosting (Friedman, Hastie, Tibshirani: Additive
logistic regression, 2000): one tree after another, each leaf takes a part of the Newton step that its rows
ask for. A tree whose leaves are in [-1, 1] is an average of trees whose leaves are -1 and +1, so that the
sum, scaled, is a vote of the same class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from frankboost.choosing.constants import PASSES, RATE
from frankboost.grid import snapped_weights
from frankboost.learners.base import Hypothesis
from frankboost.learners.tree import Tree, constant, vote
from frankboost.model import Ensemble, Vote
from frankboost.typing import Flags, Floats, Indices

HELD = 1.0  # rows' worth of curvature that holds a leaf at 0
TOGETHER = 4  # trees that see the same probabilities, for time
SMALLEST = 1e-300  # scale, of leaves that are all 0
FINE = 2.0**20  # steps of a leaf between 0 and 1, so that proofs are about short numbers


@dataclass(frozen=True, eq=False)
class LogOdds:
    """Trees with leaves in [-1, 1] and a size for each: the sum is in log-odds."""

    trees: Sequence[Tree]
    sizes: Floats

    @property
    def scale(self) -> float:
        """No sum is larger."""
        return float(self.sizes.sum())

    def vote(self, X: Floats, *, scale: float, threads: int = 1) -> Floats:
        """The sum for each row of X over a scale, in [-1, 1]."""
        return np.clip(vote(self.trees, self.sizes / max(scale, SMALLEST), X, threads), -1.0, 1.0)


def mean_of(parts: Sequence[LogOdds]) -> LogOdds:
    """The mean of several sums."""
    sizes = np.concatenate([each.sizes for each in parts]) / len(parts)
    return LogOdds([tree for each in parts for tree in each.trees], sizes)


def shifted(of: Vote, zero: float) -> Vote:
    """With a constant tree at the end, so that the vote is 0 where it was `zero`; see `HeldOut.moved`."""
    order = np.argsort(-of.weights, kind="stable").tolist()
    hypotheses = [*(of.hypotheses[j] for j in order), constant(-np.sign(zero))]
    weights = snapped_weights(np.append(of.weights[order], abs(zero)) / (1.0 + abs(zero)))
    used = np.flatnonzero(weights).tolist()
    return Vote([hypotheses[j] for j in used], weights[used])


def as_signs(of: Vote) -> Vote:
    """The same vote by hypotheses whose values are -1 and +1, where trees have leaves between these.

    With the leaves of a tree in increasing order v_1, ..., v_r, and s_k = +1 in those from v_k on, -1 below,
    the tree is (1 + v_1)/2 - (1 - v_r)/2 + sum_k (v_k - v_(k-1))/2 s_k.
    """
    hypotheses: list[Hypothesis] = [constant(1.0), constant(-1.0)]
    weights = [0.0, 0.0]
    for hypothesis, weight in zip(of.hypotheses, of.weights.tolist(), strict=True):
        if not isinstance(hypothesis, Tree):
            hypotheses.append(hypothesis)
            weights.append(weight)
            continue
        nodes = hypothesis.nodes["value"]
        levels = np.unique(nodes[hypothesis.feature < 0]).tolist()
        weights[0] += weight * (1.0 + levels[0]) / 2.0
        weights[1] += weight * (1.0 - levels[-1]) / 2.0
        for low, level in pairwise(levels):
            hypotheses.append(_with_leaves(hypothesis, np.where(nodes >= level, 1.0, -1.0)))
            weights.append(weight * (level - low) / 2.0)
    return Vote(hypotheses, np.array(weights))


def has_sure_leaves(ensembles: Sequence[Ensemble]) -> bool:
    """Whether they are of trees whose leaves may be anything; those that keep an order are left alone."""
    trees = [each for ensemble in ensembles for each in ensemble.hypotheses]
    kept = [getattr(each.hypothesis_class, "constraints", None) for each in ensembles]
    ordered = any(each is not None and any(each.monotonic) for each in kept)
    return all(isinstance(tree, Tree) for tree in trees) and not ordered


def sure_leaves(trees: Sequence[Tree], X: Floats, positive: Flags, weight: Floats) -> Iterator[LogOdds]:
    """The trees with leaves of log-odds, fitted to rows of so much weight, after each number of `PASSES`."""
    places = [_leaf_of(tree, X) for tree in trees]
    values = [np.zeros(len(tree.nodes)) for tree in trees]
    ones, total = float(weight[positive].sum()), float(weight.sum())
    log_odds = np.full(len(weight), np.log((ones + 0.5) / (total - ones + 0.5)))
    for number in range(1, max(PASSES) + 1):
        for j, place in enumerate(places):
            if j % TOGETHER == 0:
                p = 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
                down, bend = weight * (positive - p), weight * p * (1.0 - p)
            count = len(values[j])
            step = RATE * np.bincount(place, down, count) / (np.bincount(place, bend, count) + HELD)
            values[j] += step
            log_odds += step[place]
        if number in PASSES:
            yield _sum_of(trees, values)


def _leaf_of(tree: Tree, X: Floats) -> Indices:
    """The node at which each row ends."""
    nodes = tree.nodes.copy()
    nodes["value"] = np.arange(len(nodes))
    return vote([Tree(nodes, tree.sets)], np.ones(1), X).astype(np.intp)


def _sum_of(trees: Sequence[Tree], values: Sequence[Floats]) -> LogOdds:
    sizes = np.array([np.abs(each).max() for each in values])
    used = np.flatnonzero(sizes > 0.0).tolist()
    return LogOdds([_with_leaves(trees[j], values[j] / sizes[j]) for j in used], sizes[used])


def _with_leaves(tree: Tree, values: Floats) -> Tree:
    nodes = tree.nodes.copy()
    leaves = tree.feature < 0
    nodes["value"][leaves] = np.rint(values[leaves] * FINE) / FINE
    return Tree(nodes, tree.sets)
