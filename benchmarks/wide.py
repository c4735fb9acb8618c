"""Thousands of columns: seconds and memory of a fit, dense and 0/1, and of single searches against all pairs.

python benchmarks/wide.py                        # 10,000 rows x 5,000 columns, minutes
python benchmarks/wide.py --columns 400 --pairs  # also one search of all pairs, for comparison
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from frankboost import BestTree, SoftMarginClassifier

KINDS = ("dense", "0/1", "sparse 0/1")
INFORMATIVE = 20


def table(kind: str, rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Columns of one kind, of which 20 tell something of the labels."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns), dtype=np.float32)
    if kind != "dense":
        X = ((0.0 if kind == "0/1" else 1.65) < X).astype(np.float32)
    known = X[:, :INFORMATIVE] - X[:, :INFORMATIVE].mean(axis=0)
    score = known @ rng.standard_normal(INFORMATIVE) + known[:, 0] * known[:, 1]
    score += 0.5 * score.std() * rng.standard_normal(rows)
    return X.astype(np.float64), np.where(score > np.median(score), 1.0, -1.0)


def memory() -> float:
    """The most memory so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def search(X: NDArray[np.float64], y: NDArray[np.float64], threads: int) -> None:
    """One search at the uniform distribution, and one of all pairs over the same bins."""
    oracle = BestTree(n_jobs=threads).prepare(X, y, np.ones(len(y)))
    u = np.round(y / len(y) * 2.0**52) * 2.0**-52
    begin = time.perf_counter()
    bound = oracle(u).bound
    middle = time.perf_counter()
    oracle._search.trees(u, 1, threads, None)
    print(
        f"  one search {middle - begin:.2f} s (bound {bound}), all pairs {time.perf_counter() - middle:.2f} s"
    )


def main() -> None:
    """One line for each kind of table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=5_000)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--nu", type=float, default=0.4)
    parser.add_argument("--tol", type=float, default=0.05)
    parser.add_argument("--threads", type=int, default=-1)
    parser.add_argument("--time-limit", type=float)
    parser.add_argument("--pairs", action="store_true", help="compare with one search of all pairs")
    asked = parser.parse_args()
    for kind in asked.kind or KINDS:
        X, y = table(kind, asked.rows, asked.columns)
        if asked.pairs:
            search(X, y, asked.threads)
        clf = SoftMarginClassifier(asked.nu, asked.tol, n_jobs=asked.threads, time_limit=asked.time_limit)
        before, begin = memory(), time.perf_counter()
        clf.fit(csr_array(X) if kind == "sparse 0/1" else X, y)
        seconds = time.perf_counter() - begin
        print(
            f"{kind}, {asked.rows} x {asked.columns}: {seconds:.0f} s, {clf.n_iter_} rounds, "
            f"{memory() - before:.0f} MB beyond the table; {clf.certificate_}",
            flush=True,
        )


if __name__ == "__main__":
    main()
