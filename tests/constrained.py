"""Constrained trees by enumeration, over the product of all values: a reference that knows no rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from frankboost.constraints import Constraints
from frankboost.learners.thresholds import PRESENT

GRID = 2.0**-52


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows, signed weights in units of the grid, the class of trees and its constraints."""

    X: Any
    u: Any
    thresholds: tuple[Any, ...]
    categories: tuple[int, ...]
    signs: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...] | None

    @property
    def categorical(self) -> tuple[int, ...]:
        return tuple(f for f, count in enumerate(self.categories) if count)


def random_problem(rng: np.random.Generator, *, signs: bool = True, sets: bool = True) -> Problem:
    """Few features of few values, numbers and categories, with gaps and without."""
    n, rows = int(rng.integers(1, 4)), int(rng.integers(1, 25))
    columns, thresholds, categories = [], [], []
    for _ in range(n):
        values = int(rng.integers(2, 5))
        column = rng.integers(0, values, rows).astype(float)
        kind = rng.choice(["number", "number", "category"])
        if rng.random() < 0.4:
            column[rng.random(rows) < 0.3] = np.nan
        if kind == "category":
            thresholds.append(np.zeros(0))
            categories.append(min(values, 3))
            column = np.minimum(column, 2.0)
        else:
            cuts = np.sort(rng.choice(np.arange(-1, values) + 0.5, int(rng.integers(1, 4)), replace=False))
            present = np.isnan(column).any() and rng.random() < 0.7
            thresholds.append(np.append(cuts, PRESENT) if present else cuts)
            categories.append(0)
        columns.append(column)
    drawn = [int(rng.integers(-1, 2)) if signs and not count else 0 for count in categories]
    u = rng.integers(-1000, 1001, rows)
    u[rng.random(rows) < 0.2] = 0
    if rng.random() < 0.5:  # a staircase along all features: trees that keep to an order pay most
        steps = np.where(np.isnan(columns), rng.normal(size=(n, rows)), columns)
        score = (np.where(drawn, drawn, rng.choice([-1, 1], n)) * rng.uniform(0.5, 1.5, n)) @ steps
        kept = rng.random(rows) < 0.95
        u = np.where(kept, np.abs(u) * np.where(score > np.median(score), 1, -1), u)
    return Problem(
        np.column_stack(columns),
        u * GRID,
        tuple(thresholds),
        tuple(categories),
        tuple(drawn),
        _random_sets(rng, n) if sets and rng.random() < 0.6 else None,
    )


def rare_problem(rng: np.random.Generator) -> Problem:
    """One feature of five categories, most of them rare."""
    rows = int(rng.integers(8, 25))
    x = np.minimum(rng.geometric(0.4, rows) - 1.0, 4.0)
    x[rng.random(rows) < 0.1] = np.nan
    return Problem(x[:, None], rng.integers(-1000, 1001, rows) * GRID, (np.zeros(0),), (5,), (0,), None)


def gappy_problem(rng: np.random.Generator) -> Problem:
    """Two features of few numbers and many gaps, the first one with a sign."""
    X = rng.integers(0, 3, (int(rng.integers(8, 20)), 2)).astype(float)
    X[rng.random(X.shape) < 0.4] = np.nan
    cuts = [np.append([0.5, 1.5], [PRESENT] * int(rng.integers(2))) for _ in range(2)]
    signs = (int(rng.choice([-1, 1])), int(rng.integers(-1, 2)))
    score = np.where(np.isnan(X), rng.normal(size=X.shape), X) @ np.array([signs[0], rng.choice([-1, 1])])
    u = rng.integers(1, 1001, len(X)) * np.where(score > np.median(score), 1, -1)
    return Problem(X, u * GRID, (cuts[0], cuts[1]), (0, 0), signs, None)


def _random_sets(rng: np.random.Generator, n: int) -> tuple[tuple[int, ...], ...]:
    sets = [tuple(np.flatnonzero(rng.random(n) < 0.5).tolist()) for _ in range(int(rng.integers(1, 3)))]
    rest = tuple(sorted(set(range(n)) - set().union(*map(set, sets))))
    return tuple(each for each in (*sets, rest) if each)


class Enumerated:
    """All trees of a problem as votes on the product of the values that its thresholds tell apart.

    Each leaf weighs at least so much, and at the last level lighter categories go one way.
    """

    def __init__(self, problem: Problem, weight: Any = None, least: float = 0.0) -> None:
        self.problem = problem
        self.least = least
        self._cells = [self._count(f) for f in range(len(problem.categories))]
        self.grid = np.array(list(product(*(range(count + 1) for count in self._cells))))
        self._splits = [self._of(f) for f in range(len(self._cells))]
        self._above = [self._next(f) for f in range(len(self._cells))]
        place = {tuple(point): k for k, point in enumerate(self.grid.tolist())}
        at = [place[tuple(cell)] for cell in self.cells(problem.X).tolist()]
        self._u, self._mass = (
            np.bincount(at, each, len(self.grid))
            for each in (problem.u, weight if weight is not None else np.ones(len(at)))
        )

    def _count(self, f: int) -> int:
        """Cells of values; the one for missing values comes after them."""
        cuts = self.problem.thresholds[f]
        if self.problem.categories[f]:
            return self.problem.categories[f]
        return len(cuts) + (0 if len(cuts) and cuts[-1] == PRESENT else 1)

    def cells(self, X: Any) -> Any:
        """The cells of rows."""
        found = np.empty(X.shape, dtype=int)
        for f, count in enumerate(self._cells):
            gone = np.isnan(X[:, f])
            if self.problem.categories[f]:
                found[:, f] = np.where(gone, count, X[:, f])
            else:
                found[:, f] = np.where(gone, count, np.searchsorted(self.problem.thresholds[f], X[:, f]))
        return found

    def _of(self, f: int) -> Any:
        """What goes left, one row per split of a feature."""
        x, count = self.grid[:, f], self._cells[f]
        if self.problem.categories[f]:
            sides = product((False, True), repeat=count + 1)
            return np.array([np.array(side)[x] for side in sides])
        cuts = range(len(self.problem.thresholds[f]))
        return np.array([np.where(x == count, gone, x <= cut) for cut in cuts for gone in (False, True)])

    def _next(self, f: int) -> Any:
        """For each point the one above it along a feature of numbers; itself if there is none."""
        place = {tuple(point): k for k, point in enumerate(self.grid.tolist())}
        moved = self.grid.copy()
        moved[:, f] += self.grid[:, f] + 1 < self._cells[f]
        return np.array([place[tuple(point)] for point in moved.tolist()])

    def keeps(self, votes: Any) -> bool:
        """Whether votes on the grid keep to all signs."""
        steps = (s * (votes[up] - votes) for s, up in zip(self.problem.signs, self._above, strict=True) if s)
        return all(bool((step >= 0).all()) for step in steps)

    def stumps(self, features: Sequence[int], node: Any) -> Any:
        """The votes of all stumps and leaves over some features that there may be at a node."""
        goes = [left for f in features for left in self._splits[f] if self._allowed(f, left, node)]
        goes = np.vstack([np.ones((1, len(self.grid)), dtype=bool), *goes])
        return np.unique(np.where(np.vstack([goes, ~goes]), 1, -1), axis=0)

    def _heavy(self, *nodes: Any) -> bool:
        return all(self._mass[node].sum() >= self.least for node in nodes)

    def _allowed(self, f: int, left: Any, node: Any) -> bool:
        if not self._heavy(node & left, node & ~left):
            return False
        held = [node & (self.grid[:, f] == c) for c in range(self._cells[f] + 1)]
        light = [each for each in held if 0.0 < self._mass[each].sum() < self.least]
        return not self.problem.categories[f] or len({bool(left[each][0]) for each in light}) < 2

    def together(self, f: int) -> list[int]:
        """The features that may be below a split of one."""
        sets, every = self.problem.sets, range(len(self._cells))
        return [g for g in every if sets is None or f == g or any({f, g} <= {*each} for each in sets)]

    def best(self, depth: int) -> float:
        """The largest edge."""
        every, features = np.ones(len(self.grid), dtype=bool), range(len(self._cells))
        best = max(float(votes @ self._u) for votes in self.stumps(features, every) if self.keeps(votes))
        for f in features if depth == 2 else ():
            for left in self._splits[f]:
                if self._heavy(left, ~left):
                    best = max(best, self._below(f, left, best))
        return best

    def _below(self, f: int, left: Any, least: float) -> float:
        """The best tree below a root, if it is better than the least."""
        one, other = (self.stumps(self.together(f), side) for side in (left, ~left))
        pays = (one @ (self._u * left))[:, None] + (other @ (self._u * ~left))[None, :]
        for at in np.argsort(-pays, axis=None):
            i, j = np.unravel_index(at, pays.shape)
            if pays[i, j] <= least:
                return least
            if self.keeps(np.where(left, one[i], other[j])):
                return float(pays[i, j])
        return least


@dataclass(eq=False)
class Every:
    """All trees of a problem with heavy leaves: the largest edge, by the rows that reach nodes."""

    problem: Any
    weight: Any
    least: float
    known: dict[Any, float] = field(default_factory=dict)

    def best(self, rows: Any, levels: int, path: tuple[int, ...] = ()) -> float:
        key = rows.tobytes(), levels, path
        if key not in self.known:
            self.known[key] = self._best(rows, levels, path)
        return self.known[key]

    def _best(self, rows: Any, levels: int, path: tuple[int, ...]) -> float:
        if self.weight[rows].sum() < self.least:
            return -np.inf
        found = [abs(self.problem.u[rows].sum())]
        for f in range(len(self.problem.categories)) if levels else ():
            below = *path, f
            if not Constraints((), self.problem.sets).together(below):
                continue
            for left in self._splits(f, rows, last=levels == 1):
                sides = (self.best(side, levels - 1, below) for side in (rows & left, rows & ~left))
                found.append(sum(sides))
        return float(max(found))

    def _splits(self, f: int, rows: Any, *, last: bool) -> Any:
        x, count = self.problem.X[:, f], self.problem.categories[f]
        gone = np.isnan(x)
        if count == 0:
            for cut, side in product(self.problem.thresholds[f], (False, True)):
                yield np.where(gone, side, x <= cut)
            return
        held = [rows & (gone if c == count else x == c) for c in range(count + 1)]
        masses = [self.weight[each].sum() for each in held]
        light = [c for c in range(count + 1) if 0.0 < masses[c] < self.least]
        for sides in product((False, True), repeat=count + 1):
            if not last or len({sides[c] for c in light}) < 2:
                yield np.array(sides)[np.where(gone, count, x).astype(int)]
