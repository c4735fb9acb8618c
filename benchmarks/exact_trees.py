"""The exact search for a depth-2 tree against ConTree's, STreeD's and DL8.5's: as few errors, in less time.

ConTree splits numbers, and gets all thresholds. STreeD and DL8.5 split 0/1 columns, and get one for each of
our thresholds. All count errors, since not all take weights, on one thread; ours pays for its preparation.

References
----------
Brita, van der Linden, Demirovic: Optimal classification trees for continuous feature data using dynamic
programming with branch-and-bound, AAAI 2025.
Van der Linden, de Weerdt, Demirovic: Necessary and sufficient conditions for optimal decision trees using
dynamic programming, NeurIPS 2023.
Aglin, Nijssen, Schaus: Learning optimal decision trees using caching branch-and-bound search, AAAI 2020.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from statistics import geometric_mean
from typing import Any

import numpy as np
from contest import say, shown
from report import Asked, Result, Row
from sets import SEED, Scope

from frankboost import BestTree
from frankboost.datasets import Dataset, twonorm
from frankboost.learners.binning import BinnedFeatures

BINS = 63
LIMIT = 120.0  # seconds; who takes longer may find less


@dataclass(frozen=True)
class Rival:
    """A package, its classifier made, our thresholds per feature (None: all), and the ratio to reach."""

    package: str
    make: Callable[[Any], Any]
    max_bins: int | None
    asked: float


RIVALS = {
    "ConTree": Rival("pycontree", lambda package: package.ConTree(2, time_limit=LIMIT), None, 5),
    "STreeD": Rival(
        "pystreed", lambda package: package.STreeDClassifier(max_depth=2, time_limit=LIMIT), BINS, 1_000
    ),
    "DL8.5": Rival(
        "pydl85", lambda package: package.DL85Classifier(max_depth=2, time_limit=int(LIMIT)), BINS, 1_000
    ),
}


def compare(scope: Scope) -> Result:
    """One row per rival that is installed."""
    sets = [twonorm(1_000, SEED)] if scope.quick else [data for data in scope.sets() if len(data.y) >= 2_000]
    result = Result(raw=[])
    for name, rival in RIVALS.items():
        try:
            package = import_module(rival.package)
        except ImportError:
            result.notes.append(f"{name} is not installed: pip install '.[rivals]'")
            continue
        searches = [_searched(name, rival, rival.make(package), data) for data in sets]
        result.rows.append(_row(name, rival, searches))
        each = ", ".join(map(str, searches))
        result.notes.append(f"{name}, theirs/ours set by set (without our preparation): {each}.")
        result.raw.extend({"rival": name, **asdict(each)} for each in searches)
    return result


@dataclass(frozen=True)
class Search:
    """Both on one set: CPU seconds, and the least number of errors that each found."""

    set: str
    ours: float
    alone: float  # without the preparation, which a fit pays for once
    theirs: float
    errors: int
    found: int

    def __str__(self) -> str:
        return f"{self.set} {self.theirs / self.ours:.3g} ({self.theirs / self.alone:.3g})"


def _searched(name: str, rival: Rival, theirs: Any, data: Dataset) -> Search:
    """A search by both; theirs must not find fewer errors, nor more if it had the time."""
    X, y = np.asarray(data.X, dtype=np.float64), np.where(np.asarray(data.y) > 0, 1.0, -1.0)
    ours, alone, errors = _ours(X, y, rival.max_bins)
    columns = X if rival.max_bins is None else _indicators(X, rival.max_bins)
    start = time.process_time()
    theirs.fit(columns, (y > 0.0).astype(int))
    seconds = time.process_time() - start
    found = int((theirs.predict(columns) != (y > 0.0)).sum())
    say(f"{name}, {data.name}: ours {shown(ours)}, {errors} errors; theirs {shown(seconds)}, {found} errors")
    if found < errors or (found > errors and seconds < LIMIT / 2):
        raise AssertionError(
            f"{name} finds a tree with {found} errors on {data.name}, ours one with {errors}"
        )
    return Search(data.name, ours, alone, seconds, errors, found)


def _row(name: str, rival: Rival, searches: list[Search]) -> Row:
    over = "all thresholds" if rival.max_bins is None else f"{rival.max_bins} thresholds per feature"
    ours, theirs = (
        geometric_mean(times)
        for times in ([each.ours for each in searches], [each.theirs for each in searches])
    )
    agree = sum(each.found == each.errors for each in searches)
    return Row(
        f"BestTree depth 2, one thread, {len(searches)} sets, {over}: geometric mean of CPU times",
        f"{name}; the same least number of errors on {agree}",
        shown(ours),
        shown(theirs),
        theirs / ours,
        Asked("theirs/ours", ">=", rival.asked),
    )


def _ours(X: np.ndarray, y: np.ndarray, max_bins: int | None) -> tuple[float, float, int]:
    """CPU seconds with the preparation and without, the least of three, and errors."""
    whole, alone = [], []
    for _ in range(3):
        start = time.process_time()
        oracle = BestTree(2, max_bins, n_jobs=1).prepare(X, y, np.ones(len(y)))
        prepared = time.process_time()
        answer = oracle(y / len(y))
        whole.append(time.process_time() - start)
        alone.append(time.process_time() - prepared)
    return min(whole), min(alone), int((answer.hypotheses[0](X) != y).sum())


def _indicators(X: np.ndarray, max_bins: int) -> np.ndarray:
    """One 0/1 column per threshold."""
    codes = BinnedFeatures.from_rows(X, np.ones(len(X)), max_bins).codes
    return np.column_stack([row <= code for row in codes for code in range(row.max())]).astype(int)
