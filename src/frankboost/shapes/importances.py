"""Which features matter: how large the terms of a vote are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost.learners.one_per_class import class_of_each
from frankboost.learners.tree import Tree
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble
from frankboost.shapes.bins import Bins
from frankboost.shapes.making import edges_of, pure_tables
from frankboost.typing import Floats


def importances_of(ensembles: Sequence[Ensemble]) -> Floats | None:
    """One entry per feature: the mean over the ensembles, each scaled to sum 1; None if some have none."""
    known = [each for each in map(_importances, ensembles) if each is not None]
    if len(known) < len(ensembles):
        return None
    mean: Floats = np.mean([each / each.sum() if each.any() else each for each in known], axis=0)
    return mean


def _importances(ensemble: Ensemble) -> Floats | None:
    """The mean absolute effects of the terms; what splits add to the edge, if there are no such terms."""
    if ensemble.bin_weights is None:
        return ensemble.gains
    kind: Any = class_of_each(ensemble.hypothesis_class)
    effects = [_effects(each, kind, ensemble.bin_weights) for each in ensemble.voters()]
    total: Floats = np.sum(effects, axis=0)
    return total


def _effects(voter: Ensemble, kind: TreeClass, bin_weights: Floats) -> Floats:
    """The mean absolute effect of the shape of each feature, and half of that of each of its pairs.

    Means are those that make the terms unique: as if the features were independent.
    """
    trees = voter.trees()
    bins = _bins(trees, kind, bin_weights)
    found = np.zeros(len(kind.thresholds))
    for key, table in pure_tables(trees, voter.weights, bins).items():
        sizes = np.abs(table)
        for f in reversed(key):
            sizes = (sizes * bins[f].weights).sum(axis=-1)
        found[list(key)] += sizes / max(len(key), 1)
    return found


def _bins(trees: Sequence[Tree], kind: TreeClass, bin_weights: Floats) -> dict[int, Bins]:
    """The bins that the trees tell apart, from the weights of those that their class tells apart."""
    pairs = zip(kind.thresholds, kind.categories, strict=True)
    counts = [(count or len(cuts) + 1) + 1 for cuts, count in pairs]
    by_feature = np.split(bin_weights, np.cumsum(counts)[:-1])
    found = {}
    for f, edges in edges_of(trees).items():
        weights, known = by_feature[f], range(kind.categories[f]) or None
        if known is None:
            ends = [0, *(kind.thresholds[f].searchsorted(edges) + 1), len(weights) - 1]
            weights = np.add.reduceat(weights, ends)
        found[f] = Bins(f, str(f), edges, known, weights / weights.sum(), (np.nan, np.nan), is_date=False)
    return found
