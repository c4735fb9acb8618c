"""Make terms of trees: tables of the leaves, the unique effects, and from these how much features matter."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.arrays import here
from frankboost.learners.one_per_class import class_of_each
from frankboost.learners.rows import column_of
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree import Forest, Tree
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Contest, Ensemble
from frankboost.shapes.bins import Bins, codes, sent_left
from frankboost.shapes.terms import Shapes, Term
from frankboost.typing import Flags, Floats, Indices

Tables = dict[tuple[int, ...], Floats]  # one axis per feature; the intercept is that of ()


@dataclass(frozen=True, eq=False)
class Features:
    """What is known about the features: names, thresholds and categories."""

    names: Sequence[str]
    categories: Mapping[int, Sequence[Any]]
    dates: Sequence[int]


def shapes_of(
    contest: Contest,
    features: Features,
    X: Any,
    row_weights: Floats,
    to_numbers: Callable[[Any], Any],
    *,
    classes: NDArray[Any],
) -> Shapes:
    """The terms of a vote of trees; means are taken over the rows X, given as numbers."""
    trees, weights = contest.ensemble.trees(), contest.ensemble.weights
    edges = edges_of(trees)
    share = row_weights / row_weights.max()  # whose sum is finite
    share /= share.sum()
    placed = {f: _placed(f, edges[f], features, X, share) for f in sorted(edges)}
    bins = {f: found for f, (found, _) in placed.items()}
    tables = pure_tables(trees, weights, bins)
    intercept = float(tables.pop(()))
    terms = []
    for key, table in tables.items():
        shares = _shares([placed[f][1] for f in key], share, table.shape)
        terms.append(Term(tuple(bins[f] for f in key), table, shares))
    terms.sort(key=lambda term: -term.importance)
    return Shapes(contest.label, intercept, tuple(terms), to_numbers, classes)


def edges_of(trees: Sequence[Tree]) -> dict[int, Floats]:
    """The thresholds of each feature that the trees split; a feature with categories has none."""
    nodes = Forest.of(trees).nodes
    nodes = nodes[nodes["feature"] >= 0]
    inner = ~np.isnan(nodes["threshold"]) & (nodes["threshold"] < PRESENT)
    return {
        f: np.unique(nodes["threshold"][inner & (nodes["feature"] == f)])
        for f in np.unique(nodes["feature"]).tolist()
    }


def _placed(f: int, edges: Floats, features: Features, X: Any, share: Floats) -> tuple[Bins, Indices]:
    known = features.categories.get(f)
    x = np.ascontiguousarray(here(column_of(X, f)))
    found = codes(x, edges, known)
    count = (len(edges) + 1 if known is None else len(known)) + 1
    present = x[~np.isnan(x)]
    span = (float(present.min()), float(present.max())) if len(present) else (np.nan, np.nan)
    weights = _shares([found], share, (count,))
    return Bins(f, features.names[f], edges, known, weights, span, f in features.dates), found


def pure_tables(trees: Sequence[Tree], weights: Floats, bins: Mapping[int, Bins]) -> Tables:
    """The vote as the unique sum of tables; each leaf adds to the table of the features above it."""
    # A pair brings the shapes of its features, into which its means go.
    tables: Tables = {(): np.zeros(()), **{(f,): np.zeros(len(each)) for f, each in bins.items()}}
    forest = Forest.of(trees)
    above = _parents(forest)
    children = {f: _Children.of(forest, above, each) for f, each in bins.items()}
    sizes = weights[forest.links()[0]] * forest.nodes["value"]
    for key, leaves in _leaves_by_features(forest, above).items():
        boxes = [children[f].box(leaves, above[leaves]) for f in key]
        size = sizes[leaves]
        if len(key) == 2:
            # Not by BLAS, whose sums may depend on the number of its threads.
            table = np.einsum("ki,kj->ij", boxes[0] * size[:, None], boxes[1].astype(np.float64))
        else:
            table = (boxes[0] * size[:, None]).sum(axis=0) if key else size.sum()
        tables[key] = table
    _purify(tables, bins)
    return tables


def _parents(forest: Forest) -> Indices:
    """The split above each node, -1 for a root; the last entry is that of no node."""
    _, left, right = forest.links()
    splits = np.flatnonzero(forest.nodes["feature"] >= 0)
    above = np.full(len(left) + 1, -1)
    above[left[splits]] = above[right[splits]] = splits
    if (above[above[above]] >= 0).any():
        depth = max(tree.depth() for tree in forest.trees())
        raise ValueError(
            "max_depth must be 1 or 2 for shapes, as deeper trees are no sums of functions of two features; "
            f"got a tree of depth {depth}"
        )
    return above


def _leaves_by_features(forest: Forest, above: Indices) -> dict[tuple[int, ...], Indices]:
    """The leaves below splits on the same features."""
    feature = np.append(forest.nodes["feature"], -1)
    leaves = np.flatnonzero(feature[:-1] < 0)
    features = np.sort(feature[[above[leaves], above[above[leaves]]]], axis=0)
    features[0, features[0] == features[1]] = -1
    known, group = np.unique(features, axis=1, return_inverse=True)
    keys = [tuple(f for f in each if f >= 0) for each in known.T.tolist()]
    return {key: leaves[group.ravel() == k] for k, key in enumerate(keys)}


@dataclass(frozen=True, eq=False)
class _Children:
    """The nodes right below the splits on a feature."""

    row: Indices  # of each node among them, -1 for any other; the last entry is that of no node
    inside: Flags  # the bins that lead to it from the split, one row per node

    @classmethod
    def of(cls, forest: Forest, above: Indices, bins: Bins) -> _Children:
        feature = np.append(forest.nodes["feature"], -1)
        nodes = np.flatnonzero(feature[above] == bins.feature)
        splits = above[nodes]
        is_left = forest.links()[1][splits] == nodes
        row = np.full(len(above), -1)
        row[nodes] = np.arange(len(nodes))
        return cls(row, sent_left(forest, splits, bins) == is_left[:, None])

    def box(self, *path: Indices) -> Flags:
        """The bins that lead to leaves, given with the nodes above them."""
        box = np.ones((len(path[0]), self.inside.shape[1]), dtype=np.bool_)
        for nodes in path:
            row = self.row[nodes]
            box[row >= 0] &= self.inside[row[row >= 0]]
        return box


def _purify(tables: Tables, bins: Mapping[int, Bins]) -> None:
    """Move the means of pairs to shapes, and the means of shapes to the intercept; the sum does not change.

    In place. Means are over the product of the features' own distributions.
    """
    for key in [key for key in tables if len(key) == 2]:
        f, g = key
        table, by_f, by_g = tables[key], bins[f].weights, bins[g].weights
        along_f = (table * by_g).sum(axis=1)
        along_g = (table * by_f[:, None]).sum(axis=0)
        mean = (along_f * by_f).sum()
        table -= along_f[:, None] + (along_g - mean)
        tables[f,] += along_f
        tables[g,] += along_g - mean
    for f, each in bins.items():
        mean = (tables[f,] * each.weights).sum()
        tables[f,] -= mean
        tables[()] += mean


def _shares(places: Sequence[Indices], share: Floats, shape: tuple[int, ...]) -> Floats:
    """The share of the rows in each cell of a table, from the places of each row along its axes."""
    cells = np.ravel_multi_index(tuple(places), shape)
    found: Floats = np.bincount(cells, share, math.prod(shape)).astype(np.float64)
    return found.reshape(shape)


def importances_of(ensembles: Sequence[Ensemble]) -> Floats | None:
    """How large the terms of each feature are: the mean over the ensembles, each scaled to sum 1.

    None if some ensemble has neither such terms nor gains.
    """
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
