"""Whether two versions fit the same models, bit for bit.

    python benchmarks/same_fits.py DIR --write before.json      with the one version
    python benchmarks/same_fits.py DIR --compare before.json    with the other

DIR holds the sets of the paper; --sets names some of them. Every classifier is fitted to each of them at nu
0.1 and 0.3, for as many rounds as take seconds; of each fit the digests of its weights, its trees, its
distribution and its certificate are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

import frankboost as fb

CLASSIFIERS: dict[str, tuple[type, dict[str, Any]]] = {
    "level": (fb.SoftMarginClassifier, {}),
    "level, all thresholds": (fb.SoftMarginClassifier, {"max_bins": None}),
    "level, depth 3": (fb.SoftMarginClassifier, {"max_depth": 3, "max_iter": 4}),
    "level, stumps": (fb.SoftMarginClassifier, {"max_depth": 1}),
    "softboost": (fb.SoftBoostClassifier, {"max_iter": 30}),
    "lpboost": (fb.LPBoostClassifier, {"max_iter": 40}),
    "erlpboost": (fb.ERLPBoostClassifier, {"max_iter": 40}),
    "c-erlpboost": (fb.CERLPBoostClassifier, {"max_iter": 40}),
    "mlpboost short-step lp": (fb.MLPBoostClassifier, {"max_iter": 40}),
    "mlpboost pairwise lp": (fb.MLPBoostClassifier, {"fw_rule": "pairwise", "max_iter": 40}),
    "mlpboost pairwise level": (
        fb.MLPBoostClassifier,
        {"fw_rule": "pairwise", "secondary": "level", "max_iter": 40},
    ),
    "mlpboost line-search erlp": (
        fb.MLPBoostClassifier,
        {"fw_rule": "line-search", "secondary": "erlp", "max_iter": 20},
    ),
}
NODE = {"feature": "i4", "threshold": "f8", "missing_left": "u1", "left": "i4", "right": "i4", "value": "f8"}


def digest(*arrays: Any) -> str:
    """Of the bytes of arrays."""
    state = blake2b(digest_size=8)
    for array in arrays:
        state.update(np.ascontiguousarray(array).tobytes())
    return state.hexdigest()


def digests(clf: Any) -> dict[str, str]:
    """Of a fitted classifier of two classes."""
    c = clf.certificate_
    nodes = [
        np.asarray(getattr(tree, name), dtype=kind) for tree in clf.estimators_ for name, kind in NODE.items()
    ]
    return {
        "weights": digest(clf.estimator_weights_),
        "trees": digest(*nodes),
        "distribution": digest(clf.distribution_),
        "certificate": repr((c.soft_margin, c.bound, c.status, c.exact)),
        "rounds": str(clf.n_iter_),
    }


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    known = json.loads(args.compare.read_text()) if args.compare else {}
    found, differ = {}, []
    for path in sorted(args.data.glob("*.npz")):
        if args.sets and path.stem not in args.sets:
            continue
        with np.load(path) as data:
            X, y = data["X"].astype(np.float64), data["y"]
        for nu in (0.1, 0.3):
            for name, (kind, settings) in CLASSIFIERS.items():
                key = f"{path.stem}, nu = {nu}, {name}"
                found[key] = digests(kind(nu=nu, n_jobs=args.threads, **settings).fit(X, y))
                if known and known[key] != found[key]:
                    parts = [part for part in found[key] if known[key][part] != found[key][part]]
                    differ.append(key)
                    print(f"{key}: other {', '.join(parts)}", flush=True)
    if args.write:
        args.write.write_text(json.dumps(found, indent=1))
    print(f"{len(found)} fits" + (f", {len(found) - len(differ)} the same" if known else ""))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
