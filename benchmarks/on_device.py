"""LevelBoost on a CUDA device: seconds, rounds and bytes for generated rows; times are medians of fits.

python benchmarks/on_device.py 1e6 11e6 100e6        rows, 28 features each, 63 bins
python benchmarks/on_device.py --features 100 1e6
python benchmarks/on_device.py --against-cpu 1e6     the same fit on all cores beside it
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from frankboost.boosting import rounds
from frankboost.cuda.device import cupy
from frankboost.cuda.part import CudaPart
from frankboost.learners.best_tree import BestTree
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree_class import TreeClass
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import local_room
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.questions import PartsHere
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables
from frankboost.rules.level import Level

BINS, COLUMNS = 63, 20


def generated(rows: int, features: int) -> tuple[BinnedFeatures, Any]:
    """Codes on the device: features with common causes, labels by a noisy sum of products."""
    cp = cupy()
    rng = cp.random.default_rng(1)
    codes, score = cp.empty((features, rows), dtype=cp.uint8), cp.zeros(rows, dtype=cp.float32)
    causes = [rng.standard_normal(rows, dtype=cp.float32) for _ in range(3)]
    thresholds = []
    for f in range(features):
        x = rng.standard_normal(rows, dtype=cp.float32) + 0.6 * causes[f % 3]
        cuts = cp.quantile(x[:200_000], cp.linspace(0, 1, BINS + 2)[1:-1]).astype(cp.float32)
        codes[f] = cp.searchsorted(cuts, x).astype(cp.uint8)
        score += (0.6 if f < 8 else 0.1) * x * (causes[0] if f % 2 else 1) - 0.3 * (x > 1) * (f < 5)
        thresholds.append(cp.asnumpy(cuts).astype(np.float64))
    y = cp.where(score + 1.5 * rng.standard_normal(rows, dtype=cp.float32) > 0, 1.0, -1.0)
    del score, causes
    cp.get_default_memory_pool().free_all_blocks()
    bins = np.full(features, BINS + 1, dtype=np.int32)
    none = np.zeros(features, dtype=np.uint8)
    return BinnedFeatures(codes, bins, none, tuple(thresholds), (0,) * features, False), y


def on_device(features: BinnedFeatures, y: Any, nu: float, tol: float, threads: int) -> Room:
    """The room on the device."""
    cp = cupy()
    parts = PartsHere([CudaPart(Examples(features, BinaryMargins(y), cp.ones(len(y))))])
    few = BinnedFeatures(
        cp.asnumpy(features.codes[:, :1]), features.bins, features.missing, features.thresholds,
        features.categories, False,
    )  # fmt: skip
    trees = TreeTables(
        TreeClass(2, features.thresholds, features.categories, False),
        few,
        parts,
        columns=COLUMNS,
        threads=threads,
    )
    return Room(parts, trees, nu=nu, tol=tol, threads=threads)


def here(features: BinnedFeatures, y: Any, nu: float, tol: float, threads: int) -> Room:
    """The same rows on the host."""
    X = np.zeros((len(y), len(features.bins)))
    codes = cupy().asnumpy(features.codes)
    for f, cuts in enumerate(features.thresholds):  # a value in each bin
        X[:, f] = np.append(cuts, cuts[-1] + 1.0)[codes[f]]
    labels, ones = cupy().asnumpy(y), np.ones(len(y))
    learner = BestTree(2, BINS, COLUMNS, n_jobs=threads, thresholds=features.thresholds)
    oracle = learner.prepare(X, labels, ones)
    return local_room(Examples(X, BinaryMargins(labels), ones), oracle, nu=nu, tol=tol, threads=threads)


def play(room: Room, tol: float) -> tuple[float, int, float, float]:
    """Seconds, rounds, and the ends of the certificate."""
    began = time.perf_counter()
    for state in rounds(room, [Level(tol)]):
        if state.gap <= tol or state.round >= 400:
            break
    outcome = room.outcome(state.best_weights)
    return time.perf_counter() - began, state.round, outcome.soft_margin, outcome.bound


def main() -> None:
    """Print one line per number of rows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="+", type=float)
    parser.add_argument("--features", type=int, default=28)
    parser.add_argument("--nu", type=float, default=0.3)
    parser.add_argument("--tol", type=float, default=0.02)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--against-cpu", action="store_true")
    parser.add_argument("--fits", type=int, default=5, help="to take the median of")
    args = parser.parse_args()
    cp = cupy()
    print(
        "        rows  features    tol  seconds  rounds  search  memory GB  soft margin        bound   of all"
    )
    for rows in map(int, args.rows):
        features, y = generated(rows, args.features)
        # Until all kernels are compiled.
        play(on_device(*generated(100_000, 10), args.nu, 0.05, args.threads), 0.05)
        fits = []
        for _ in range(args.fits):
            room = on_device(features, y, args.nu, args.tol, args.threads)
            fits.append((*play(room, args.tol), room.oracle_watch.lap()))
            del room
        seconds, count, low, high, search = sorted(fits)[args.fits // 2]
        memory = cp.get_default_memory_pool().total_bytes() / 1e9
        print(
            f"{rows:12,d} {args.features:9d} {args.tol:6g} {seconds:8.2f} {count:7d} {search:7.2f} "
            f"{memory:10.1f} {low:12.9f} {high:12.9f}   {min(fits)[0]:.2f} to {max(fits)[0]:.2f}",
            flush=True,
        )
        if args.against_cpu:
            found = play(here(features, y, args.nu, args.tol, args.threads), args.tol)
            same = found[1:] == (count, low, high)
            print(
                f"{'on the CPU':>12s} {'':16s} {found[0]:8.2f} {found[1]:7d} {'':18s} "
                f"{found[2]:12.9f} {found[3]:12.9f}  same: {same}",
                flush=True,
            )
        del features, y
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
