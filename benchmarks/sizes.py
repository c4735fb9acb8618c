"""Seconds of the public call against rows, columns and threads, on generated rows.

python benchmarks/sizes.py 1e5 1e6 1e7 --threads 1 16 --rival        beside HistGradientBoostingClassifier()
python benchmarks/sizes.py 1e4 --features 10 100 1000
python benchmarks/sizes.py 11e6 1e8 --device cuda --max-bins 63      X and y are arrays of CuPy
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from itertools import product
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from frankboost import SoftMarginClassifier
from frankboost.cuda.device import cupy

HEADER = "        rows  features  threads  seconds  rounds  bytes per row  certificate"


def generated(rows: int, features: int, arrays: Any) -> tuple[Any, Any]:
    """Normal features in single precision, labels by a noisy sum with one product."""
    rng = arrays.random.default_rng(0)
    X = rng.standard_normal((rows, features), dtype=np.float32)
    factors = arrays.asarray(np.random.default_rng(1).standard_normal(features).astype(np.float32))
    noise = rng.standard_normal(rows, dtype=np.float32)
    score = X @ factors + 2.0 * X[:, 0] * X[:, 1] + 4.0 * noise
    return X, (score > 0).astype(np.int32)


def nu_of(text: str) -> Any:
    """A number, or "auto"."""
    return text if text == "auto" else float(text)


def peak() -> int:
    """The most bytes that this process had on the host."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    """Print one line per fit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="+", type=float)
    parser.add_argument("--features", nargs="+", type=int, default=[28])
    parser.add_argument("--threads", nargs="+", type=int, default=[1])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--max-bins", type=int, default=255)
    parser.add_argument("--nu", type=nu_of, default=0.3, help='a number, or "auto"')
    parser.add_argument("--tol", type=float, default=0.02)
    parser.add_argument("--rival", action="store_true", help="HistGradientBoostingClassifier() as well")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    arrays = cupy() if args.device == "cuda" else np
    settings = {"nu": args.nu, "tol": args.tol, "max_bins": args.max_bins, "device": args.device}
    if args.device == "cuda":  # until all kernels are compiled
        SoftMarginClassifier(**settings).fit(*generated(100_000, 10, arrays))
    print(HEADER)
    for rows, features in product(map(int, args.rows), args.features):
        X, y = generated(rows, features, arrays)
        if args.rival:
            began = time.perf_counter()
            HistGradientBoostingClassifier().fit(X, y)
            told = f"{time.perf_counter() - began:8.2f}  HistGradientBoostingClassifier()"
            print(f"{rows:12,d} {features:9d} {'':8s} {told}", flush=True)
        for threads in args.threads:
            clf = SoftMarginClassifier(**settings, n_jobs=threads)
            before, began = peak(), time.perf_counter()
            clf.fit(X, y)
            seconds, beside = time.perf_counter() - began, max(peak() - before, 0) / rows
            told = (
                f"{seconds:8.2f} {clf.n_iter_:7d} {beside:14.0f}  {str(clf.certificate_).partition('  ')[0]}"
            )
            print(f"{rows:12,d} {features:9d} {threads:8d} {told}", flush=True)


if __name__ == "__main__":
    main()
