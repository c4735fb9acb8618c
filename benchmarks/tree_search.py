"""BestTree against scikit-learn's greedy DecisionTreeClassifier, and two threads against one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from contest import Runs, alternate, failure, median, merged, plain, say_runs, shown
from report import Asked, Result, Row
from sets import SEED, THREADS, Scope
from sklearn.tree import DecisionTreeClassifier

from frankboost import BestTree
from frankboost.datasets import Dataset, twonorm

Search = Callable[[np.ndarray], object]


@dataclass(frozen=True)
class Size:
    """Rows to search, the number of thresholds, the distributions to try and the ratio to reach."""

    data: Dataset
    max_bins: int
    draws: int
    asked: float

    def __str__(self) -> str:
        rows, features = self.data.X.shape
        return f"{rows} x {features}, {self.max_bins} bins"


def sizes(scope: Scope) -> list[Size]:
    """The paper's twonorm, and a larger one with fewer bins."""
    return [Size(scope.twonorm(), 255, 21, 3), Size(twonorm(100_000, SEED), 63, 3 if scope.quick else 9, 25)]


def against_scikit_learn(scope: Scope) -> Result:
    """One search on one thread against one greedy fit with the same weights."""
    result = Result(raw=[])
    for size in sizes(scope):
        runs = _contest(size, _oracle(size, 1), _greedy(size))
        row = _row(
            f"BestTree depth 2, one thread, {size}",
            "DecisionTreeClassifier(max_depth=2).fit",
            runs,
            size.asked,
        )
        _record(result, size, row, runs)
    return result


def against_one_thread(scope: Scope) -> Result:
    """One search on two threads against the same on one."""
    result = Result(raw=[])
    for size in sizes(scope):
        runs = _contest(size, _oracle(size, THREADS), _oracle(size, 1))
        row = _row(f"BestTree depth 2, {THREADS} threads, {size}", "one thread", runs, 1.7)
        _record(result, size, row, runs)
    return result


def _oracle(size: Size, threads: int) -> Search:
    """A search, prepared; preparing is not on the clock."""
    learner = BestTree(max_depth=2, max_bins=size.max_bins, columns_per_round=1, n_jobs=threads)
    X, y = np.asarray(size.data.X, dtype=np.float64), np.asarray(size.data.y, dtype=np.float64)
    return learner.prepare(X, y, np.ones(len(y)))


def _greedy(size: Size) -> Search:
    """scikit-learn's fit."""

    def fit(d: np.ndarray) -> object:
        return DecisionTreeClassifier(max_depth=2).fit(size.data.X, size.data.y, sample_weight=d)

    return fit


def _contest(size: Size, ours: Search, theirs: Search) -> Runs:
    """Both on the same random distributions; the first is a warm-up."""
    rng = np.random.default_rng(SEED)
    draws = rng.dirichlet(np.ones(len(size.data.y)), size=size.draws + 1)
    parts = [alternate({"ours": partial(ours, d), "theirs": partial(theirs, d)}, 1) for d in draws]
    return merged(parts[1:])


def _row(what: str, against: str, runs: Runs, asked: float) -> Row:
    ours, theirs = median(runs["ours"]), median(runs["theirs"])
    ratio = None if ours is None or theirs is None else theirs / ours
    say_runs(what, runs)
    return Row(what, against, shown(ours), shown(theirs), ratio, Asked("theirs/ours", ">=", asked))


def _record(result: Result, size: Size, row: Row, runs: Runs) -> None:
    result.rows.append(row)
    result.raw.append({"size": str(size), "runs": plain(runs)})
    result.notes.extend(
        f"{row.what}: {name} failed: {error}"
        for name, each in runs.items()
        if (error := failure(each)) is not None
    )
