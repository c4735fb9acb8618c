"""Small games of many classes, whose certificates are held to rational arithmetic over all trees."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

import reference
from frankboost import SoftMarginClassifier


@dataclass(frozen=True, eq=False)
class JointProblem:
    """Rows of few values, with gaps and categories, and the settings of a fit to them."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    categorical: tuple[int, ...]
    depth: int
    nu: float
    settings: dict[str, Any]

    @classmethod
    def random(cls, seed: int) -> JointProblem:
        rng = np.random.default_rng(seed)
        classes, m = int(rng.integers(3, 6)), int(rng.integers(8, 15))
        n = int(rng.integers(1, 4))
        X = rng.integers(0, int(rng.integers(2, 5)), (m, n)).astype(float)
        categorical = tuple(f for f in range(n) if rng.random() < 0.3)
        X[rng.random(X.shape) < rng.choice([0.0, 0.15])] = np.nan
        y = np.concatenate([np.arange(classes), rng.integers(0, classes, m - classes)])
        weight = {0: np.ones(m), 1: rng.integers(1, 4, m).astype(float), 2: rng.uniform(0.1, 2.0, m)}
        return cls(
            X=X,
            y=y,
            weight=weight[int(rng.integers(3))],
            categorical=categorical,
            depth=int(rng.integers(1, 3)),
            nu=float(rng.choice([1e-3, 0.1, 0.3, 0.5, 0.8, 1.0])),
            settings={
                "tol": float(rng.choice([0.1, 0.02, 1e-3])),
                "columns_per_round": int(rng.choice([1, 20])),
            },
        )

    def fit(self, classifier: Any = SoftMarginClassifier, **settings: Any) -> Any:
        clf = classifier(
            nu=self.nu,
            max_depth=self.depth,
            max_bins=None,
            multi_class="joint",
            categorical_features=list(self.categorical),
            **{**self.settings, **settings},
        )
        return clf.fit(self.X, self.y, self.weight)

    def trees(self) -> np.ndarray:
        """What every tree of the class says of the rows."""
        X = self.X.copy()
        for f in self.categorical:  # numbered as the fit numbers them
            known = np.unique(X[~np.isnan(X[:, f]), f])
            X[:, f] = np.where(np.isnan(X[:, f]), np.nan, np.searchsorted(known, X[:, f]))
        return reference.tree_values(X, self.depth, categorical=self.categorical)

    def optimum(self, H: np.ndarray) -> float:
        """max over a vote of these trees for each class of the soft margin, by one linear program.

        Maximises rho - sum_i c_i xi_i with rho - xi_i <= (f_y(x_i) - f_k(x_i)) / 2 for every k but y.
        """
        m, classes, n = len(self.y), int(self.y.max()) + 1, len(H)
        caps = self.weight / self.weight.sum() / self.nu
        A, size = [], classes * n + 1 + m
        for i, own in enumerate(self.y):
            for k in range(classes):
                if k != own:
                    row = np.zeros(size)
                    row[own * n : own * n + n] -= H[:, i] / 2
                    row[k * n : k * n + n] += H[:, i] / 2
                    row[classes * n], row[classes * n + 1 + i] = 1.0, -1.0
                    A.append(row)
        sums = np.zeros((classes, size))
        for k in range(classes):
            sums[k, k * n : k * n + n] = 1.0
        cost = np.concatenate([np.zeros(classes * n), [-1.0], caps])
        bounds = [*[(0, None)] * (classes * n), (None, None), *[(0, None)] * m]
        found = linprog(cost, np.array(A), np.zeros(len(A)), sums, np.ones(classes), bounds)
        assert found.status == 0
        return -float(found.fun)

    def ends(self, clf: SoftMarginClassifier, H: np.ndarray) -> tuple[Fraction, Fraction]:
        """The soft margin of the fitted votes, and the largest edge of trees, one per class, as rationals."""
        s = [Fraction(w) for w in self.weight]
        room = Fraction(clf.nu_) * sum(s)
        votes = [[Fraction(0)] * (int(self.y.max()) + 1) for _ in self.y]
        for w, together in zip(clf.estimator_weights_, clf.estimators_, strict=True):
            for k, tree in enumerate(together.members):
                for i, value in enumerate(tree(self._numbered(clf)).tolist()):
                    votes[i][k] += Fraction(w) * Fraction(value)
        margins = [
            (row[own] - max(v for k, v in enumerate(row) if k != own)) / 2
            for row, own in zip(votes, self.y.tolist(), strict=True)
        ]
        left, low = room, Fraction(0)
        for margin, weight in sorted(zip(margins, s, strict=True)):
            low += min(weight, left) * margin
            left -= min(weight, left)
        D = [[Fraction(x) for x in row] for row in clf.distribution_.tolist()]
        assert sum(map(sum, D)) == 1
        high = Fraction(0)
        for k in range(len(votes[0])):
            u = [sum(row) if own == k else -row[k] for row, own in zip(D, self.y.tolist(), strict=True)]
            scaled = np.array([int(x * 2**52) for x in u], dtype=object)
            high += Fraction(int(max(H.astype(int).astype(object) @ scaled)), 2**53)
        over = sum(max(sum(row) - weight / room, Fraction(0)) for row, weight in zip(D, s, strict=True))
        return low / room, high + 2 * over

    def _numbered(self, clf: SoftMarginClassifier) -> np.ndarray:
        from frankboost.export import to_numbers  # noqa: PLC0415

        return to_numbers(clf, self.X)


def check(seed: int) -> str:
    """Hold a fit to the proofs; its status."""
    problem = JointProblem.random(seed)
    clf, H = problem.fit(), problem.trees()
    low, high = problem.ends(clf, H)
    found = clf.certificate_
    assert Fraction(found.soft_margin) <= low, seed
    assert high <= Fraction(found.bound), seed
    best = problem.optimum(H)
    assert found.soft_margin - 1e-9 <= best <= found.bound + 1e-9, (seed, found, best)
    assert found.status == "optimal", (seed, found)
    assert found.gap <= found.tol
    return found.status
