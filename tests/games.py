"""Small games whose whole hypothesis class can be enumerated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import reference
from frankboost import BestTree
from frankboost.game import Game
from frankboost.objective import CappedSimplex

ALGORITHMS = {
    "lpb": {"fw_rule": None, "secondary": "lp"},
    "erlpb": {"fw_rule": None, "secondary": "erlp"},
    "fw-classic": {"fw_rule": "classic", "secondary": None},
    "fw-short": {"fw_rule": "short-step", "secondary": None},
    "fw-line": {"fw_rule": "line-search", "secondary": None},
    "fw-away": {"fw_rule": "away", "secondary": None},
    "fw-pairwise": {"fw_rule": "pairwise", "secondary": None},
    "fw-blended": {"fw_rule": "blended-pairwise", "secondary": None},
    "mlpb-classic": {"fw_rule": "classic", "secondary": "lp"},
    "mlpb-short": {"fw_rule": "short-step", "secondary": "lp"},
    "mlpb-line": {"fw_rule": "line-search", "secondary": "lp"},
    "mlpb-away": {"fw_rule": "away", "secondary": "lp"},
    "mlpb-pairwise": {"fw_rule": "pairwise", "secondary": "lp"},
    "mlpb-blended": {"fw_rule": "blended-pairwise", "secondary": "lp"},
    "level": {"fw_rule": None, "secondary": "level"},
    "mlpb-short-level": {"fw_rule": "short-step", "secondary": "level"},
    "mlpb-short-erlp": {"fw_rule": "short-step", "secondary": "erlp"},
}
CONTESTS = {name: rules for name, rules in ALGORITHMS.items() if None not in rules.values()}


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows, labels, weights, and the margins of every tree over them."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    depth: int

    def optimum(self, nu: float) -> float:
        """The best soft margin over the enumerated class, by an independent linear program."""
        A = (reference.tree_values(self.X, self.depth) * self.y).T
        return reference.game_value(A, self.weight / self.weight.sum() / nu)

    def game(self, nu: float, tol: float) -> Game:
        simplex = CappedSimplex.from_weights(self.weight, nu)
        oracle = BestTree(max_depth=self.depth).prepare(self.X, self.y, self.weight)
        return Game(simplex, oracle, self.X, self.y, eta=simplex.eta(tol))


def problem(m: int, depth: int, seed: int, *, weighted: bool = False, noise: float = 0.25) -> Problem:
    """Two or three features of few values, so that the class stays small; noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (m, 2 if depth == 2 else 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where((np.nan_to_num(X[:, 0]) > 1) ^ (np.nan_to_num(X[:, 1]) > 2), 1.0, -1.0)
    y = np.where(rng.random(m) < noise, -y, y)
    y[:2] = [-1.0, 1.0]
    weight = rng.integers(1, 4, m).astype(float) if weighted else np.ones(m)
    return Problem(X, y, weight, depth)
