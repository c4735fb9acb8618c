"""Sure leaves: leaf values in [-1, 1] for the trees of optima, whose vote ranks rows better.

At the optimum of the soft margin, rows with large margins have no weight, so that the fit does not order
them. Here the trees keep their splits, and their leaves get log-odds by boosting (Friedman, Hastie,
Tibshirani: Additive logistic regression, 2000): tree after tree, each leaf takes a part of the Newton step of
the log-likelihood of its rows. A tree with leaves in [-1, 1] is an average of trees with leaves -1 and +1, so
that the sum, scaled, is a vote of the same class. With a thousand rows or more, the trees come from the
optima at all values of nu that were tried: these rank better than the trees of one optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from frankboost import native
from frankboost.choosing.constants import PASSES, RATE
from frankboost.grid import snapped_weights
from frankboost.learners.rows import Rows, blocks_of
from frankboost.learners.tree import Forest, Tree, constant
from frankboost.model import Ensemble, Vote
from frankboost.typing import Flags, Floats

CURVATURE = (
    1.0  # of the penalty that keeps leaves of few rows near 0: as if each leaf had this many rows more
)
TREES_PER_UPDATE = 4  # between two computations of the probabilities, which take long
WEIGHT_TOLERANCE = 1e-6  # the differences of weights between fits to the same rows in another order
MIN_SCALE = 1e-300  # if all leaves are 0
STEPS = 2.0**20  # of leaf values between 0 and 1, so that proofs have short numbers


@dataclass(frozen=True, eq=False)
class LogOddsTrees:
    """Trees with leaves in [-1, 1], and sizes: the sum of sizes times trees is in log-odds."""

    forest: Forest
    sizes: Floats

    @property
    def scale(self) -> float:
        """An upper bound on the absolute sums."""
        return float(self.sizes.sum())

    def vote(self, X: Floats | Rows, *, scale: float, threads: int = 1) -> Floats:
        """The sum for each row of X, divided by `scale`, in [-1, 1]."""
        return np.clip(self.forest.vote(self.sizes / max(scale, MIN_SCALE), X, threads), -1.0, 1.0)


def mean_log_odds(parts: Sequence[LogOddsTrees]) -> LogOddsTrees:
    """The trees of several sums as one sum, their mean."""
    sizes = np.concatenate([each.sizes for each in parts]) / len(parts)
    return LogOddsTrees(Forest.of([tree for each in parts for tree in each.forest.trees()]), sizes)


def shift_vote(vote: Vote, zero: float) -> Vote:
    """Add a constant tree so that the vote `zero` becomes 0; see `HeldOutVotes.centre_by_calibration`."""
    return _add_constant(vote, 1.0 / (1.0 + abs(zero)), -np.sign(zero))


def shrink_vote(vote: Vote, share: float) -> Vote:
    """Multiply the vote by `share`, by a constant tree of value 0."""
    return _add_constant(vote, share, 0.0)


def _add_constant(vote: Vote, share: float, value: float) -> Vote:
    """Give the vote the weight `share`, and a constant tree the rest of the weight."""
    order = np.argsort(-vote.weights, kind="stable").tolist()
    hypotheses = [*(vote.hypotheses[j] for j in order), constant(value)]
    weights = snapped_weights(np.append(share * vote.weights[order], 1.0 - share))
    used = np.flatnonzero(weights).tolist()
    return Vote([hypotheses[j] for j in used], weights[used])


def order_trees(ensemble: Ensemble) -> list[Tree]:
    """The trees of an ensemble, largest weight first.

    Trees of about the same weight are ordered by their content, which the rounding of weights does not
    change.
    """
    rounded = np.rint(ensemble.weights / WEIGHT_TOLERANCE).tolist()
    trees = ensemble.trees()
    keys = [
        (-size, tree.nodes.tobytes(), tree.sets.tobytes()) for size, tree in zip(rounded, trees, strict=True)
    ]
    return [trees[j] for j in sorted(range(len(trees)), key=keys.__getitem__)]


def distinct_trees(trees: Iterable[Tree]) -> list[Tree]:
    """The trees without those whose splits are the splits of an earlier tree."""
    found: dict[Any, Tree] = {}
    for tree in trees:
        found.setdefault(tree.splits(), tree)
    return list(found.values())


def can_have_sure_leaves(ensembles: Sequence[Ensemble]) -> bool:
    """Whether all hypotheses are trees without monotonic constraints, which sure leaves could break."""
    trees = [each for ensemble in ensembles for each in ensemble.hypotheses]
    constraints = [getattr(each.hypothesis_class, "constraints", None) for each in ensembles]
    monotonic = any(each is not None and any(each.monotonic) for each in constraints)
    return all(isinstance(tree, Tree) for tree in trees) and not monotonic


def fit_sure_leaves(
    trees: Sequence[Tree], X: Floats | Rows, positive: Flags, weight: Floats
) -> Iterator[LogOddsTrees]:
    """Fit the leaves to weighted rows; yields the trees after each number of passes in `PASSES`."""
    forest = Forest.of(trees)
    ones, total = float(weight[positive].sum()), float(weight.sum())
    start = float(np.log((ones + 0.5) / (total - ones + 0.5)))
    steps = native.LeafSteps(
        *(forest.nodes, forest.roots, forest.sets, X.shape[1], np.where(positive, weight, -weight)),
        *(start, RATE, CURVATURE, TREES_PER_UPDATE),
    )
    for block in blocks_of(X):
        steps.place(block, 1)
    for passes in np.diff(PASSES, prepend=0).tolist():
        yield _with_leaf_values(forest, steps.values_after(passes))


def _with_leaf_values(forest: Forest, values: Floats) -> LogOddsTrees:
    """The trees with new values of their nodes, each scaled so that its largest leaf is 1."""
    sizes = np.maximum.reduceat(np.abs(values), forest.roots)
    scale = np.maximum(sizes, MIN_SCALE)[forest.links()[0]]
    nodes = forest.nodes.copy()
    leaves = nodes["feature"] < 0
    nodes["value"][leaves] = (np.rint(values / scale * STEPS) / STEPS)[leaves]
    return LogOddsTrees(replace(forest, nodes=nodes), sizes)
