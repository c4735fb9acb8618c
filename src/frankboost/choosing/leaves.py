"""Leaves that say how sure they are: another vote of the same trees, which ranks where the optimum does not.

Rows with large margins carry no weight at the optimum of the soft margin, so nothing orders them there. Here
trees keep their splits, and their leaves get log-odds by boosting (Friedman, Hastie, Tibshirani: Additive
logistic regression, 2000): one tree after another, each leaf takes a part of the Newton step that its rows
ask for. A tree whose leaves are in [-1, 1] is an average of trees whose leaves are -1 and +1, so that the
sum, scaled, is a vote of the same class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from frankboost import native
from frankboost.choosing.constants import PASSES, RATE
from frankboost.grid import snapped_weights
from frankboost.learners.rows import Rows
from frankboost.learners.tree import Forest, Tree, constant
from frankboost.model import Ensemble, Vote
from frankboost.typing import Flags, Floats

HELD = 1.0  # rows' worth of curvature that holds a leaf at 0
TOGETHER = 4  # trees that see the same probabilities, for time
SAME = 1e-6  # a difference of weights that fits to the same rows may have
SMALLEST = 1e-300  # scale, of leaves that are all 0
FINE = 2.0**20  # steps of a leaf between 0 and 1, so that proofs are about short numbers


@dataclass(frozen=True, eq=False)
class LogOdds:
    """Trees with leaves in [-1, 1] and a size for each: the sum is in log-odds."""

    forest: Forest
    sizes: Floats

    @property
    def scale(self) -> float:
        """No sum is larger."""
        return float(self.sizes.sum())

    def vote(self, X: Floats | Rows, *, scale: float, threads: int = 1) -> Floats:
        """The sum for each row of X over a scale, in [-1, 1]."""
        return np.clip(self.forest.vote(self.sizes / max(scale, SMALLEST), X, threads), -1.0, 1.0)


def mean_of(parts: Sequence[LogOdds]) -> LogOdds:
    """The mean of several sums."""
    sizes = np.concatenate([each.sizes for each in parts]) / len(parts)
    return LogOdds(Forest.of([tree for each in parts for tree in each.forest.trees()]), sizes)


def shifted(of: Vote, zero: float) -> Vote:
    """Add a constant tree, so that the vote is 0 where it was `zero`; see `HeldOut.moved`."""
    return _beside(of, 1.0 / (1.0 + abs(zero)), -np.sign(zero))


def shrunk(of: Vote, share: float) -> Vote:
    """A share of the vote, by a constant tree of value 0."""
    return _beside(of, share, 0.0)


def _beside(of: Vote, share: float, value: float) -> Vote:
    """A share of the vote, and a constant tree with the rest of the weight."""
    order = np.argsort(-of.weights, kind="stable").tolist()
    hypotheses = [*(of.hypotheses[j] for j in order), constant(value)]
    weights = snapped_weights(np.append(share * of.weights[order], 1.0 - share))
    used = np.flatnonzero(weights).tolist()
    return Vote([hypotheses[j] for j in used], weights[used])


def in_order(of: Ensemble) -> list[Tree]:
    """The trees, those of large weight first; where weights are about the same, in an order of what trees
    are, which the rounding of weights does not change."""
    rounded = np.rint(of.weights / SAME).tolist()
    trees = of.trees()
    keys = [
        (-size, tree.nodes.tobytes(), tree.sets.tobytes()) for size, tree in zip(rounded, trees, strict=True)
    ]
    return [trees[j] for j in sorted(range(len(trees)), key=keys.__getitem__)]


def has_sure_leaves(ensembles: Sequence[Ensemble]) -> bool:
    """Whether they are of trees whose leaves may be anything; those that keep an order are left alone."""
    trees = [each for ensemble in ensembles for each in ensemble.hypotheses]
    kept = [getattr(each.hypothesis_class, "constraints", None) for each in ensembles]
    ordered = any(each is not None and any(each.monotonic) for each in kept)
    return all(isinstance(tree, Tree) for tree in trees) and not ordered


def sure_leaves(
    trees: Sequence[Tree], X: Floats | Rows, positive: Flags, weight: Floats
) -> Iterator[LogOdds]:
    """The trees with leaves of log-odds, fitted to rows of so much weight, after each number of `PASSES`."""
    forest = Forest.of(trees)
    ones, total = float(weight[positive].sum()), float(weight.sum())
    start = float(np.log((ones + 0.5) / (total - ones + 0.5)))
    steps = native.LeafSteps(
        *(forest.nodes, forest.roots, forest.sets, X.shape[1], np.where(positive, weight, -weight)),
        *(start, RATE, HELD, TOGETHER),
    )
    for some in X.blocks() if isinstance(X, Rows) else [X]:
        steps.place(np.ascontiguousarray(some, dtype=np.float64), 1)
    for passes in np.diff(PASSES, prepend=0).tolist():
        yield _sum_of(forest, steps.values_after(passes))


def _sum_of(forest: Forest, values: Floats) -> LogOdds:
    """The sum of trees with such values at their nodes, each scaled so that its largest leaf is 1."""
    sizes = np.maximum.reduceat(np.abs(values), forest.roots)
    each = np.maximum(sizes, SMALLEST)[forest.links()[0]]
    nodes = forest.nodes.copy()
    leaves = nodes["feature"] < 0
    nodes["value"][leaves] = (np.rint(values / each * FINE) / FINE)[leaves]
    return LogOdds(replace(forest, nodes=nodes), sizes)
