"""Random problems of 2 to 14 rows, and estimators for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import frankboost as fb
from frankboost.rules import names

FW_RULES = ("classic", "short-step", "line-search", "away", "pairwise", "blended-pairwise", None)
SECONDARIES = (*names.SECONDARIES, None)
ALONE = (fb.SoftMarginClassifier, fb.SoftBoostClassifier, fb.LPBoostClassifier)
SMOOTHED = (fb.ERLPBoostClassifier, fb.CERLPBoostClassifier)


@dataclass(frozen=True, eq=False)
class Problem:
    """What `fit` is given, and an estimator that it is given to; `first` is fitted before, to start from."""

    X: NDArray[Any]
    y: NDArray[Any]
    weight: NDArray[np.float64] | None
    categorical: tuple[int, ...]
    estimator: Any
    first: dict[str, Any] | None
    matrix: NDArray[np.float64] | None  # of a finite class

    def fitted(self) -> Any:
        """The estimator after its fit, or after both of them."""
        if self.first is not None:
            last = {name: getattr(self.estimator, name) for name in self.first}
            self.estimator.set_params(**self.first).fit(self.X, self.y, self.weight)
            self.estimator.set_params(**last)
        return self.estimator.fit(self.X, self.y, self.weight)

    def __str__(self) -> str:
        weight = None if self.weight is None else self.weight.tolist()
        told = f"{self.estimator!r}\nX = {self.X.tolist()}\ny = {self.y.tolist()}\nsample_weight = {weight}"
        matrix = "" if self.matrix is None else f"\nH = {self.matrix.tolist()}"
        return told + matrix + f"\nfirst = {self.first}"


def problem(seed: int) -> Problem:
    """The problem of a seed."""
    rng = np.random.default_rng([2026, seed])
    m = int(rng.integers(2, 15))
    X, categorical = _table(rng, m, int(rng.integers(1, 4)))
    y = _labels(rng, m)
    if rng.random() < 0.4:  # equal rows, with the same label and with another
        copies = rng.integers(m, size=m)
        X = np.where((rng.random(m) < 0.5)[:, None], X[copies], X)
        y = np.where(rng.random(m) < 0.3, y[copies], y)
        y = y if len(np.unique(y)) > 1 else _labels(rng, m)
    weight = _weights(rng, y)
    parameters = _parameters(rng, y, categorical)
    matrix = None
    carries = np.ones(m, dtype=bool) if weight is None else weight > 0.0
    if rng.random() < 0.2:
        matrix = _matrix(rng, int(carries.sum()))
        parameters |= {"estimator": fb.Columns(matrix), "categorical_features": None}
        X, categorical = np.arange(m, dtype=np.float64)[:, None], ()
    wide = weight is not None and float(weight.max()) > 1e6 * float(weight[carries].min())
    kind, rules = _algorithm(rng, wide=wide)
    first = None
    if rng.random() < 0.2 and matrix is None:
        parameters["warm_start"] = True
        first = {"nu": _nu(rng), "tol": _tol(rng), "max_bins": _max_bins(rng)}
    return Problem(X, y, weight, categorical, kind(**parameters, **rules), first, matrix)


def _table(rng: Generator, m: int, n: int) -> tuple[NDArray[Any], tuple[int, ...]]:
    """Columns of numbers, of few distinct ones, and of categories, with gaps."""
    kinds = rng.integers(4, size=n)
    columns = []
    for kind in kinds:
        if kind == 0:
            column = rng.standard_normal(m) * 10.0 ** rng.integers(-300, 300)
        elif kind == 1:
            column = np.nextafter(1.0, 2.0) * rng.integers(0, 3, m)
        elif kind == 2:
            column = rng.integers(0, 2, m) / 3.0
        else:
            column = rng.integers(0, int(rng.integers(1, 12)), m).astype(np.float64)
        if rng.random() < 0.4:
            column[rng.random(m) < rng.choice([0.1, 0.5, 1.0])] = np.nan
        columns.append(column)
    return np.column_stack(columns), tuple(np.flatnonzero(kinds == 3).tolist())


def _labels(rng: Generator, m: int) -> NDArray[Any]:
    count = 3 if m > 3 and rng.random() < 0.1 else 2
    y = rng.integers(0, count, m)
    y[rng.permutation(m)[:count]] = np.arange(count)
    return y


def _weights(rng: Generator, y: NDArray[Any]) -> NDArray[np.float64] | None:
    m, kind = len(y), rng.integers(6)
    if kind == 0:
        return np.full(m, 10.0 ** rng.integers(-9, 9))
    if kind == 1:
        return rng.integers(1, 5, m).astype(np.float64)
    if kind == 2:
        return 10.0 ** rng.uniform(-9, 9, m)
    if kind == 3:
        weight = rng.random(m) * (rng.random(m) < 0.8)
        return weight if len(np.unique(y[weight > 0.0])) == len(np.unique(y)) else None
    return None


def _parameters(rng: Generator, y: NDArray[Any], categorical: tuple[int, ...]) -> dict[str, Any]:
    classes = np.unique(y).tolist()
    factors = {label: float(10.0 ** rng.uniform(-3, 3)) for label in classes if rng.random() < 0.7}
    return {
        "nu": _nu(rng),
        "tol": _tol(rng),
        "max_depth": int(rng.integers(1, 3)),
        "max_bins": _max_bins(rng),
        "columns_per_round": int(rng.choice([1, 2, 20])),
        "class_weight": [None, None, "balanced", factors][rng.integers(4)],
        "categorical_features": list(categorical) if categorical else None,
    }


def _nu(rng: Generator) -> float:
    edge = [1.0, float(np.nextafter(1.0, 0.0)), 0.5, 1e-9, 1e-30, 5e-324]
    return float(rng.choice(edge)) if rng.random() < 0.2 else float(10.0 ** rng.uniform(-9 * rng.random(), 0))


def _tol(rng: Generator) -> float:
    return 0.0 if rng.random() < 0.15 else float(10.0 ** rng.uniform(-12, -1))


def _max_bins(rng: Generator) -> int | None:
    return None if rng.random() < 0.3 else int(rng.choice([1, 2, 3, 5, 255]))


def _matrix(rng: Generator, m: int) -> NDArray[np.float64]:
    """Columns of -1 and +1, or of other numbers."""
    shape = (m, int(rng.integers(1, 12)))
    if rng.random() < 0.4:
        return rng.choice([-1.0, 1.0], shape)
    if rng.random() < 0.3:
        return rng.choice([-1.0, -0.5, 0.0, 1 / 3, 1.0], shape)
    return np.clip(rng.uniform(-1, 1, shape) * 10.0 ** rng.uniform(-20, 0, shape), -1.0, 1.0)


def _algorithm(rng: Generator, *, wide: bool) -> tuple[Any, dict[str, Any]]:
    """An algorithm and how long it runs: rounds over weights that lie far apart may be slow, and many."""
    few = {"max_iter": int(rng.choice([1, 3, 10] if wide else [1, 5, 30, 60]))}
    k = int(rng.integers(8))
    if k < 3:
        return ALONE[k], few if wide or rng.random() < 0.1 else {"max_iter": 300}
    if k < 5:
        return SMOOTHED[k - 3], few
    rules = {"fw_rule": FW_RULES[rng.integers(7)], "secondary": SECONDARIES[rng.integers(len(SECONDARIES))]}
    if rules["fw_rule"] is None and rules["secondary"] is None:
        rules["secondary"] = "level"
    return fb.MLPBoostClassifier, rules | few
