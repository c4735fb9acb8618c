"""What trees may not do: fall or rise along a feature, split features on one path, or have light leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np

PAIRWISE, ALONE = "pairwise", "no_interactions"
LARGEST = float(np.finfo(np.float64).max)
SHOWN = 8  # features or sets in words
NEARLY = 1.0 - 2.0**-20  # of a weight is that weight: whatever the order of a sum, no leaf is in doubt

Sets = tuple[tuple[int, ...], ...]
Cell = tuple[float, float, bool, frozenset[int]]
"""What a leaf has of a feature: numbers above the first and up to the second, missing values, categories."""
EVERYTHING: Cell = (-np.inf, LARGEST, True, frozenset(range(256)))


@dataclass(frozen=True)
class Constraints:
    """What every tree of a class keeps to.

    Attributes
    ----------
    monotonic : tuple of int
        For each feature 1 if no tree falls along its numbers, -1 if none rises, 0 if trees may do both; empty
        if no feature has a constraint. Missing values have no place among the numbers.
    interactions : tuple of tuple of int, "pairwise", "no_interactions" or None
        The features that are split on a path from the root to a leaf are in one of these sets, or are at most
        two, or one. None: they are any.
    leaf_weight : float
        Each leaf holds at least so much of the weight of the training rows. At the last level of splits,
        categories that weigh less, of the rows that are there, go one way together, and with them missing
        values that weigh less. 0: leaves may hold any weight.
    """

    monotonic: tuple[int, ...] = ()
    interactions: Sets | str | None = None
    leaf_weight: float = 0.0

    @property
    def least(self) -> float:
        """What a leaf that is heavy enough weighs, whatever rounding did to the sum of its weights."""
        return self.leaf_weight * NEARLY

    def sets(self, features: int) -> Sets | None:
        """The sets of features that may be on one path."""
        if isinstance(self.interactions, str):
            size = 1 if self.interactions == ALONE else min(2, features)
            return tuple(combinations(range(features), size))
        return self.interactions

    def together(self, path: Collection[int]) -> bool:
        """Whether features may be split on one path."""
        if isinstance(self.interactions, str):
            return len({*path}) <= (1 if self.interactions == ALONE else 2)
        return self.interactions is None or any({*path} <= {*each} for each in self.interactions)

    def __str__(self) -> str:
        sets = () if isinstance(self.interactions, str) or self.interactions is None else self.interactions
        count = max([len(self.monotonic), *(f + 1 for each in sets for f in each)])
        return self.text([f"x{f}" for f in range(count)])

    def text(self, names: Sequence[Any]) -> str:
        """The constraints in words, to be put behind the name of a class."""
        parts = []
        for sign, word in ((1, "rising"), (-1, "falling")):
            some = [names[f] for f, each in enumerate(self.monotonic) if each == sign]
            if some:
                parts.append(f"{word} in {_listed(some)}")
        if isinstance(self.interactions, str):
            parts.append(
                f"paths that split {'one feature' if self.interactions == ALONE else 'two features'}"
            )
        elif self.interactions is not None:
            sets = [f"{{{_listed([names[f] for f in each])}}}" for each in self.interactions[:SHOWN]]
            many = f"one of {len(self.interactions)} sets of features"
            parts.append(f"paths within {' or '.join(sets) if len(sets) == len(self.interactions) else many}")
        if self.leaf_weight:
            parts.append(f"each leaf with at least {self.leaf_weight:g} of the weight")
        return ", ".join(parts)

    def broken_by(self, tree: Any) -> str | None:
        """What a tree, read by its arrays, does that it may not do, in words; None if it keeps to all."""
        leaves = list(leaf_boxes(plain_nodes(tree)))
        for box, _ in leaves:
            if not self.together(box):
                return f"splits features {_listed(sorted(box))} on one path"
        for f, sign in enumerate(self.monotonic):
            for (low, less), (high, more) in permutations(leaves, 2) if sign else ():
                if sign * (more - less) < 0 and is_below(low, high, f):
                    return f"{'falls' if sign > 0 else 'rises'} along feature {f}"
        return None


def signs_along(constraints: Constraints | None, features: int) -> tuple[int, ...]:
    """For each feature 1 if no tree falls along it, -1 if none rises, 0 if trees may do both."""
    return (0,) * features if constraints is None else constraints.monotonic or (0,) * features


def plain_nodes(tree: Any) -> list[tuple[Any, ...]]:
    """For each node its feature, threshold, missing_left, children, value and the categories that go left."""
    names = ("feature", "threshold", "missing_left", "left", "right", "value", "set_index")
    words = np.ascontiguousarray(tree.sets, dtype="<u8").view(np.uint8)
    sets = [frozenset(np.flatnonzero(np.unpackbits(each, bitorder="little")).tolist()) for each in words]
    nodes = zip(*(getattr(tree, name).tolist() for name in names), strict=True)
    return [(*each, sets[index] if index >= 0 else None) for *each, index in nodes]


def leaf_boxes(nodes: Sequence[Sequence[Any]]) -> Iterator[tuple[dict[int, Cell], float]]:
    """For each leaf that a row can reach what it has of the features above it, and its vote."""
    todo: list[tuple[int, dict[int, Cell]]] = [(0, {})]
    while todo:
        k, box = todo.pop()
        feature, threshold, missing_left, left, right, value, sent = nodes[k]
        if feature < 0:
            yield box, value
            continue
        low, high, missing, kinds = box.get(feature, EVERYTHING)
        if sent is None:
            sides = (low, min(high, threshold), kinds), (max(low, threshold), high, kinds)
        else:
            sides = (low, high, kinds & sent), (low, high, kinds - sent)
        for child, (start, end, some), gone in (
            (left, sides[0], missing_left),
            (right, sides[1], not missing_left),
        ):
            cell = (start, end, missing and bool(gone), some)
            if cell[2] or (start < end if sent is None else some):
                todo.append((child, {**box, feature: cell}))


def is_below(a: Mapping[int, Cell], b: Mapping[int, Cell], feature: int) -> bool:
    """Whether a row of leaf a becomes one of leaf b when its number of a feature grows."""
    one, other = (each.get(feature, EVERYTHING) for each in (a, b))
    numbers = one[0] < one[1] and other[0] < other[1] and one[0] < other[1]
    return numbers and all(_meet(a.get(g, EVERYTHING), b.get(g, EVERYTHING)) for g in {*a, *b} - {feature})


def _meet(one: Cell, other: Cell) -> bool:
    if one[2] and other[2]:
        return True
    return max(one[0], other[0]) < min(one[1], other[1]) and bool(one[3] & other[3])


def _listed(names: Sequence[Any]) -> str:
    return ", ".join(map(str, names[:SHOWN])) + ", ..." * (len(names) > SHOWN)
