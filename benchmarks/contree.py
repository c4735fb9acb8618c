"""The exact search for a depth-3 tree against ConTree's, on the same rows and thresholds.

ConTree (Brita, van der Linden, Demirovic: Optimal classification trees for continuous feature data using
dynamic programming with branch-and-bound, AAAI 2025; package pycontree) takes no weights, so that rows are
drawn with replacement: evenly, and by the distribution at which a fit of depth 2 ended, which is what a
boosting round searches. Both get the bins of the features and one thread.

    python benchmarks/contree.py --data FOLDER [--bins 63] [--limit 120]
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sets import SEED

from frankboost import BestTree, SoftMarginClassifier
from frankboost.datasets import load, twonorm
from frankboost.learners.binning import BinnedFeatures

SETS = ("image", "splice", "waveform", "banana")


def main() -> None:
    """Print one line per set and kind of rows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with the paper's 13 sets")
    parser.add_argument("--bins", type=int, default=63)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds that ConTree gets for a tree")
    args = parser.parse_args()
    print(f"{'set':10} {'rows':>6} {'drawn':>8} {'errors':>7} {'ours':>8} {'ConTree':>9} {'theirs/ours':>11}")
    for data in [*(load(name, args.data) for name in SETS), twonorm(20_000, SEED)]:
        X, y = np.asarray(data.X, dtype=np.float64), np.where(np.asarray(data.y) > 0, 1.0, -1.0)
        for drawn in ("evenly", "boosted"):
            rows = _drawn(X, y, drawn)
            print(f"{data.name:10} {len(y):6} {drawn:>8} {_compared(X[rows], y[rows], args)}", flush=True)


def _drawn(X: np.ndarray, y: np.ndarray, how: str) -> np.ndarray:
    d = np.full(len(y), 1.0 / len(y))
    if how == "boosted":
        d = SoftMarginClassifier(nu=0.3, tol=0.05, max_bins=63).fit(X, y).distribution_
    return np.random.default_rng(SEED).choice(len(y), len(y), p=d / d.sum())


def _compared(X: np.ndarray, y: np.ndarray, args: argparse.Namespace) -> str:
    start = time.perf_counter()
    oracle = BestTree(3, args.bins, exact=True, n_jobs=1).prepare(X, y, np.ones(len(y)))
    answer = oracle(y / len(y))
    ours, errors = time.perf_counter() - start, int((answer.hypotheses[0](X) != y).sum())
    if answer.bound is None or abs((1.0 - answer.bound) / 2.0 * len(y) - errors) > 1e-6 * len(y):
        raise AssertionError(f"the bound {answer.bound} is not the edge of a tree with {errors} errors")
    codes = BinnedFeatures.from_rows(X, np.ones(len(y)), args.bins).codes.T.astype(np.float64)
    theirs, found = _contree(codes, (y > 0.0).astype(int), args.limit)
    late = theirs >= args.limit
    if found < errors or (found > errors and not late):
        raise AssertionError(f"ConTree has {found} errors, ours {errors}")
    sign = ">" if late else " "
    return f"{errors:7} {ours:8.3f} {sign}{theirs:8.2f} {sign}{theirs / ours:10.1f}"


def _contree(codes: np.ndarray, labels: np.ndarray, limit: float) -> tuple[float, int]:
    """Seconds and errors."""
    tree = _class()(max_depth=3, time_limit=limit)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the time limit
        tree.fit(codes, labels)
    return time.perf_counter() - start, int((tree.predict(codes) != labels).sum())


def _class() -> Any:
    try:
        from pycontree import ConTree  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise SystemExit("this comparison needs ConTree: pip install pycontree") from error
    return ConTree


if __name__ == "__main__":
    main()
