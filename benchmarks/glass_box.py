"""What shapes and constraints promise, on real sets: sums of terms, orders, times, and EBM beside us.

    OMP_NUM_THREADS=1 python benchmarks/glass_box.py DIR sums time orders costs ebm

DIR holds sets as NAME.npz, see studies/sets.py. A fit is to 5,000 rows, or two thirds if there are fewer, at
1.3 times the error of a tree of depth 2, on one thread, and its time is in CPU seconds. `sums` compares
intercept and terms with decision_function on every row of a set. `time` is that of shapes() for more than 400
trees over 100 features.
`orders` draws pairs of rows that differ by what may only raise the vote, and counts those where it falls.
`costs` fits with constraints and without, to the same nu and tol. `ebm` needs the package interpret. Tables
go to standard output as Markdown, row by row.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from frankboost import SoftMarginClassifier
from frankboost.typing import Floats

sys.path.append(str(Path(__file__).parents[1]))  # where the studies are

from studies.sets import LabelledRows, find, read

ROWS, BLOCK, PAIRS = 5_000, 20_000, 1_000_000
RIVALS = ("adult", "bank_marketing", "coil2000", "credit_default", "eeg_eye_state",
          "higgs11k", "htru2", "phoneme", "sleep2", "spambase")  # fmt: skip


def rows_of(
    data: LabelledRows, count: int = ROWS, seed: int = 0
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Some rows to fit, at most two thirds of all, and the others."""
    order, some = np.random.default_rng(seed).permutation(len(data.y)), min(count, 2 * len(data.y) // 3)
    return order[:some], order[some:]


def fitted(data: LabelledRows, **settings: Any) -> SoftMarginClassifier:
    """A fit to some rows of a set."""
    some, _ = rows_of(data)
    X, y = data.X[some], data.y[some]
    error = 1.0 - DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y).score(X, y)
    known: dict[str, Any] = {
        "nu": max(1.3 * error, 0.02),
        "tol": 0.02,
        "categorical_features": list(data.categorical),
    }
    return SoftMarginClassifier(**known, **settings).fit(X, y)


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def apart(clf: SoftMarginClassifier, fit_rows: Floats, X: Floats, weight: Floats | None = None) -> float:
    """The largest difference between the sum of the terms and the vote, over all rows of X."""
    shapes = clf.shapes(fit_rows, weight)
    found = 0.0
    for begin in range(0, len(X), BLOCK):
        part = X[begin : begin + BLOCK]
        votes = clf.decision_function(part).reshape(len(part), -1)
        for each, vote in zip(shapes if isinstance(shapes, list) else [shapes], votes.T, strict=True):
            found = max(found, float(np.abs(each.intercept + each.effects(part).sum(axis=1) - vote).max()))
    return found


def sums(sets: dict[str, Path]) -> None:
    """Terms against votes."""
    print("| set | rows | trees | largest difference |\n|---|---|---|---|")
    for name, path in sets.items():
        data = read(path)
        X, some = data.X.astype(float), rows_of(data)[0]
        clf = fitted(data)
        print(f"| {name} | {len(X)} | {len(clf.estimators_)} | {apart(clf, X[some], X):.1e} |", flush=True)
    for name, clf, X, weight in made():
        count = np.size(clf.estimator_weights_) if len(clf.classes_) == 2 else "-"
        print(f"| {name} | {len(X)} | {count} | {apart(clf, X, X, weight):.1e} |", flush=True)


def made() -> Iterator[tuple[str, SoftMarginClassifier, Floats, Floats | None]]:
    """Categories, gaps and weights; three classes."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(4_000, 3)), rng.integers(0, 30, 4_000), rng.integers(0, 5, 4_000)])
    X[rng.random(X.shape) < 0.15] = np.nan
    y = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1]) + (X[:, 3] % 3 == 1) + rng.normal(size=4_000) > 0.3
    weight: Floats = np.asarray(rng.integers(0, 4, 4_000), dtype=np.float64) + 0.5
    clf = SoftMarginClassifier(nu=0.3, categorical_features=[3, 4]).fit(X, y, sample_weight=weight)
    yield "categories, gaps, weights", clf, X, weight
    X, y = load_iris(return_X_y=True)
    yield "three classes", SoftMarginClassifier(nu=0.2).fit(X, y), X, None


def times(sets: dict[str, Path]) -> None:
    """That of shapes()."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 100))
    y = X[:, :30].sum(axis=1) + X[:, 0] * X[:, 1] * 3.0 + rng.normal(size=ROWS) > 0
    clf = SoftMarginClassifier(nu=0.2, tol=0.01).fit(X, y)
    seconds = min(cpu(lambda: clf.shapes(X)) for _ in range(3))
    print(f"shapes() of {len(clf.estimators_)} trees, {X.shape[1]} features, {ROWS} rows: {seconds:.2f} s")


def signs_of(data: LabelledRows, some: NDArray[np.intp]) -> list[int]:
    """The sign of the covariance with the label, for each column of numbers."""
    X, y = data.X[some].astype(float), data.y[some]
    found = np.sign(((X - X.mean(axis=0)) * (y - y.mean())[:, None]).sum(axis=0)).astype(int)
    found[list(data.categorical)] = 0
    signs: list[int] = found.tolist()
    return signs


def orders(sets: dict[str, Path]) -> None:
    """Pairs of rows, the second at least as good in every column that has a sign."""
    print("| set | signs | trees | pairs | of them apart | violations |\n|---|---|---|---|---|---|")
    for name, path in sets.items():
        data = read(path)
        signs = signs_of(data, rows_of(data)[0])
        clf = fitted(data, monotonic_cst=signs)
        rng, X, sign = np.random.default_rng(1), data.X.astype(float), np.array(signs)
        pairs = higher = violations = 0
        for _ in range(PAIRS // BLOCK):
            one, other = (X[rng.integers(0, len(X), BLOCK)] for _ in range(2))
            moved = (sign != 0) & (rng.random(one.shape) < 0.5)
            better = np.where(moved & (sign * (other - one) > 0.0), other, one)
            low, high = clf.decision_function(one), clf.decision_function(better)
            pairs, higher = pairs + BLOCK, higher + int((high > low).sum())
            violations += int((high < low).sum())
        count = f"{(sign > 0).sum()} up, {(sign < 0).sum()} down"
        print(
            f"| {name} | {count} | {len(clf.estimators_)} | {pairs} | {higher} | {violations} |", flush=True
        )


def costs(sets: dict[str, Path]) -> None:
    """A fit with constraints over one without, in turns."""
    print("| set | free (s) | signs | half the columns | no_interactions | leaves of 20 rows | rounds |")
    print("|---|---|---|---|---|---|---|")
    ratios = []
    for name, path in sets.items():
        data = read(path)
        n = data.X.shape[1]
        kinds: list[dict[str, Any]] = [{}, {"monotonic_cst": signs_of(data, rows_of(data)[0])},
                 {"interaction_cst": [list(range(n // 2)) or [0]]},
                 {"interaction_cst": "no_interactions"},
                 {"min_samples_leaf": 20}]  # fmt: skip
        taken, rounds = np.full((2, len(kinds)), np.inf), []
        for turn in range(2):
            for k, settings in enumerate(kinds):
                start = time.process_time()
                clf = fitted(data, **settings)
                taken[turn, k] = time.process_time() - start
                rounds.append(str(clf.n_iter_))
        least = taken.min(axis=0)
        ratios.append(least[1:] / least[0])
        cells = " | ".join(f"{ratio:.2f}" for ratio in ratios[-1])
        print(f"| {name} | {least[0]:.2f} | {cells} | {', '.join(rounds[: len(kinds)])} |", flush=True)
    mean = " | ".join(f"{each:.2f}" for each in np.exp(np.log(ratios).mean(axis=0)))
    print(f"| geometric mean | | {mean} | |")


def ebm(sets: dict[str, Path]) -> None:
    """Explainable boosting machines with their defaults, and ours with its own."""
    make = import_module("interpret.glassbox").ExplainableBoostingClassifier
    from sklearn.metrics import log_loss  # noqa: PLC0415

    print("| set | ours (s) | EBM (s) | ratio | log-loss, ours | log-loss, EBM | error, ours | error, EBM |")
    print("|---|---|---|---|---|---|---|---|")
    for name in RIVALS:
        data = read(sets[name])
        some, rest = rows_of(data)
        rest, kinds = rest[:BLOCK], ["continuous"] * data.X.shape[1]
        for f in data.categorical:
            kinds[f] = "nominal"
        ours = SoftMarginClassifier(categorical_features=list(data.categorical))
        theirs = make(feature_types=kinds, n_jobs=1, random_state=0)
        found = []
        for clf in (ours, theirs):
            seconds = cpu(partial(clf.fit, data.X[some], data.y[some]))
            p = clf.predict_proba(data.X[rest])
            found.append(
                (
                    seconds,
                    log_loss(data.y[rest], p),
                    float((clf.predict(data.X[rest]) != data.y[rest]).mean()),
                )
            )
        (a, loss, error), (b, their_loss, their_error) = found
        times_cells = f"{a:.2f} | {b:.1f} | {a / b:.3f}"
        print(
            f"| {name} | {times_cells} | {loss:.4f} | {their_loss:.4f} | {error:.4f} | {their_error:.4f} |",
            flush=True,
        )


PARTS = {"sums": sums, "time": times, "orders": orders, "costs": costs, "ebm": ebm}


if __name__ == "__main__":
    found = find(Path(sys.argv[1]))
    for part in sys.argv[2:] or PARTS:
        print(f"\n## {part}\n", flush=True)
        PARTS[part](found)
