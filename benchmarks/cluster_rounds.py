"""What a round costs the workers of a local cluster, by kind of question: one line more in a table.

    python benchmarks/cluster_rounds.py runs.csv --rows 400000 --features 28 --bins 255 --workers 2
    python benchmarks/cluster_rounds.py runs.csv --file DIR/covtype.npz
    python benchmarks/cluster_rounds.py runs.csv --rows 200000 --threads 2 --role threads

Seconds are processor seconds of a worker for a round, the mean over workers and rounds; what a fit does
once is left out. With more than one thread the columns that end in _one have those of the thread that
answers: others wait for it. `cluster_model.py` reads the table; the role says what a line is to it.
"""

from __future__ import annotations

import argparse
import csv
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from cluster import arrays, generated, read, warmed
from distributed import Client, LocalCluster
from sklearn.exceptions import ConvergenceWarning

from frankboost import BestTree
from frankboost.dask import DaskSoftMarginClassifier

KINDS = {
    "fill_tables": "fill",
    "feature_sums": "features",
    "side_sums": "roots",
    "add": "roots",
    "scan_tables": "share",
}
ONCE = ("least_weight", "weigh", "cap", "prior", "size", "leaf_sums", "proof", "ask_one")
COSTS = ("fill", "features", "roots", "points", "share")
SHAPE = ("rows", "features", "bins", "categories", "cells", "workers", "threads", "rounds")
FIELDS = ("role", *SHAPE, "trees", "points", "columns", "questions")


def noting() -> None:
    """On a worker: note the processor seconds of every answer from now on."""
    import time  # noqa: PLC0415
    from collections import defaultdict  # noqa: PLC0415

    from frankboost.dask import crew  # noqa: PLC0415

    noted: dict[str, float] = defaultdict(float)
    crew.noted = noted  # type: ignore[attr-defined]
    plain = crew.Member.answer

    def answer(self: Any, call: Any) -> Any:
        before = time.process_time(), time.thread_time()
        try:
            return plain(self, call)
        finally:
            asked = [each[0] for each in call.args[0]] if call and call.method == "ask_all" else []
            name = asked[-1] if asked else getattr(call, "method", "none")
            noted[f"{name} seconds"] += time.process_time() - before[0]
            noted[f"{name} one"] += time.thread_time() - before[1]
            noted[f"{name} times"] += 1
            noted["points"] += len({"start", "start_along"} & set(asked))
            if name == "side_sums":  # once in a round
                noted["columns"] += self._made._parts[0]._columns

    crew.Member.answer = answer  # type: ignore[method-assign]


def noted() -> dict[str, float]:
    """On a worker: what was noted."""
    from frankboost.dask import crew  # noqa: PLC0415

    return dict(crew.noted)  # type: ignore[attr-defined]


def line_of(told: list[dict[str, float]], rounds: int) -> dict[str, float]:
    """What workers noted, for a round and a worker."""
    line: dict[str, float] = defaultdict(float)
    for worker in told:
        for key, value in worker.items():
            question, _, what = key.partition(" ")
            share = value / rounds / len(told)
            if not what:
                line[question] += share  # points and columns
            elif question not in ONCE:
                kind = KINDS.get(question, "points")
                line["questions" if what == "times" else f"{kind}_{what}"] += share
    return line


def measured(client: Client, args: argparse.Namespace) -> dict[str, Any]:
    """Fit, and tell what a round took."""
    categorical: tuple[int, ...] = ()
    if args.file:
        X, y, categorical = read(args.file)
        data = arrays(X, y, parts=args.workers)
    else:
        X, y = generated(args.rows, -(-args.rows // args.workers))
        data = [X[:, : args.features], y]
    data = client.persist(data)
    client.gather(client.compute([each.sum() for each in data]))
    client.run(warmed)
    client.run(noting)
    clf = DaskSoftMarginClassifier(
        args.nu,
        args.tol,
        max_iter=args.rounds,
        estimator=BestTree(max_bins=args.bins),
        categorical_features=list(categorical) or None,
        client=client,
    ).fit(*data)
    known = clf.hypothesis_class_
    sizes = np.array(
        [c + 1 if c else len(t) + 2 for t, c in zip(known.thresholds, known.categories, strict=True)]
    )
    n = len(sizes)
    shape = (len(data[1]), n, args.bins, int(any(known.categories)))
    cells = int(sizes.sum() ** 2 - (sizes**2).sum()) // 2
    told = line_of(list(client.run(noted).values()), clf.n_iter_)
    return {
        "role": args.role,
        **dict(zip(SHAPE, (*shape, cells, args.workers, args.threads, clf.n_iter_), strict=True)),
        "trees": clf.columns_per_round,
        **{name: round(value, 6) for name, value in told.items()},
    }


def main() -> None:
    """One line more."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", type=Path, help="a CSV file; it is made if it is not there")
    parser.add_argument("--file", type=Path, help="with X and y; else rows are generated")
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--features", type=int, default=28, help="of generated rows, at most 28")
    parser.add_argument("--bins", type=int, default=255, help="thresholds of a feature")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--rounds", type=int, default=12, help="at the most")
    parser.add_argument("--nu", type=float, default=0.3)
    parser.add_argument("--tol", type=float, default=0.02)
    parser.add_argument("--role", choices=["fit", "check", "threads"], default="fit")
    args = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # rounds are few
    settings = {"threads_per_worker": args.threads, "dashboard_address": "127.0.0.1:0", "memory_limit": 0}
    with LocalCluster(n_workers=args.workers, host="127.0.0.1", **settings) as local, Client(local) as client:
        line = measured(client, args)
    fresh = not args.table.exists()
    with args.table.open("a", newline="") as file:
        fields = [*FIELDS, *(f"{cost}_{what}" for cost in COSTS for what in ("seconds", "one"))]
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerow(line)
    print("  ".join(f"{name} {value}" for name, value in line.items()))


if __name__ == "__main__":
    main()
