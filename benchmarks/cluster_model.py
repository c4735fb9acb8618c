"""What a round costs on a cluster: a model fitted to measured runs, checked on others, and what it predicts.

    python benchmarks/cluster_model.py                               the runs of cluster_rounds.csv, 10^9 rows
    python benchmarks/cluster_model.py runs.csv --rows 1e8 --workers 20 --threads 8 --bins 63

`cluster_rounds.py` writes the table. Runs whose role is "fit" give the coefficients, by least squares of
relative errors; those with "threads" tell how much of each kind of work one thread does, however many there
are; those with "check" have no part in the fit, and stand beside what the model says of them.

    fill      a P m / W + 8 C / Z               tables of P pairs, of C cells in all, emptied and filled
    features  b n m / W                         sums by the bins of each of n features
    roots     g K m / W                         sums below roots, and columns, for K trees
    points    (c + e T) p m / W                 p distributions, their edges and soft margins, T columns
    share     8 C / W (1 / S + (W - 1) / R)     a share of the tables scanned, those of others got and added
    clock     (Q + 2 k) (L + 1e-4 W) + k L      questions one after the other, and shares of tables that
                                                come in k = C / 2^22 chunks; L is a round trip

m rows are on W workers. a depends on the bins; a, b and g are others where features hold categories.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

COSTS = ("fill", "features", "roots", "points", "share")
SIZES = (
    *("rows", "features", "bins", "categories", "cells", "workers", "threads"),
    *("trees", "points", "columns", "questions"),
)
ASKING = 1e-4  # seconds of the client for each worker that it asks
CHUNK = 2**22  # cells of tables that are filled at a time, by one question, and scanned after another
CHILD = 24  # bytes that a worker tells of each bin
ALONE = ("1/Z", "1/R")  # tables are emptied, and shares got, by one thread
TABLE = Path(__file__).with_name("cluster_rounds.csv")


@dataclass(frozen=True)
class Run:
    """A fit: its size, and what a round took each worker."""

    role: str
    seconds: dict[str, float]
    one: dict[str, float]  # of the thread that answers
    rows: float
    features: float
    bins: float
    categories: float
    cells: float
    workers: float
    threads: float
    trees: float
    points: float
    columns: float
    questions: float

    @classmethod
    def of(cls, line: dict[str, str]) -> Run:
        """A line of the table."""
        numbers = {name: float(value) for name, value in line.items() if name != "role"}
        seconds, one = ({cost: numbers[f"{cost}_{what}"] for cost in COSTS} for what in ("seconds", "one"))
        return cls(line["role"], seconds, one, **{name: numbers[name] for name in SIZES})

    def __str__(self) -> str:
        rows = f"{self.rows:,.0f} rows of {self.features:.0f} features"
        return f"{rows}, {self.kinds()[1]}, {self.workers:.0f} workers"

    def kinds(self) -> tuple[str, str]:
        """What b and g depend on, and what a does."""
        return ("categories", "categories") if self.categories else ("numbers", f"{self.bins:.0f} bins")

    def terms(self) -> dict[str, dict[str, float]]:
        """For each cost what its coefficients are multiplied by."""
        m, pairs = self.rows / self.workers, self.features * (self.features - 1) / 2
        tables = 8.0 * self.cells
        kind, bins = self.kinds()
        return {
            "fill": {f"a, {bins}": pairs * m, "1/Z": tables},
            "features": {f"b, {kind}": self.features * m},
            "roots": {f"g, {kind}": self.trees * m},
            "points": {"c": self.points * m, "e": self.columns * self.points * m},
            "share": {"1/S": tables / self.workers, "1/R": tables * (self.workers - 1) / self.workers},
        }

    @property
    def chunks(self) -> float:
        """Of tables, in a round."""
        return float(np.ceil(self.cells / CHUNK))


def fitted(runs: Sequence[Run]) -> dict[str, float]:
    """The coefficients, none of them negative."""
    found: dict[str, float] = {}
    for cost in COSTS:
        names = list(dict.fromkeys(name for run in runs for name in run.terms()[cost]))
        rows = [[run.terms()[cost].get(name, 0.0) / run.seconds[cost] for name in names] for run in runs]
        scale = np.max(rows, axis=0)
        scale[scale == 0.0] = 1.0
        values, _ = nnls(np.array(rows) / scale, np.ones(len(runs)))
        found |= dict(zip(names, (values / scale).tolist(), strict=True))
    return found


def said(run: Run, known: dict[str, float]) -> dict[str, dict[str, float]]:
    """Processor seconds of a worker for a round: for each cost, by its coefficients."""
    terms = run.terms()
    lacking = [name for each in terms.values() for name in each if name not in known]
    if lacking:
        raise SystemExit(f"the table must have a run whose role is fit for {lacking[0]!r}; it has none")
    return {cost: {name: known[name] * size for name, size in each.items()} for cost, each in terms.items()}


def alone(runs: Sequence[Run], known: dict[str, float]) -> dict[str, float]:
    """The share of each cost that one thread does alone; of tables, but for emptying them."""
    shares = {}
    for cost in COSTS:
        each = []
        for run in runs:
            emptied = said(run, known)["fill"]["1/Z"] if cost == "fill" else 0.0
            part = (run.one[cost] - emptied) / (run.seconds[cost] - emptied)
            each.append((part * run.threads - 1.0) / (run.threads - 1.0))
        shares[cost] = float(np.clip(np.mean(each), 0.0, 1.0)) if each else 0.0
    return shares


def predicted(
    run: Run, known: dict[str, float], shares: dict[str, float], latency: float, bandwidth: float
) -> dict[str, float]:
    """Seconds of a round by the clock, where every worker has cores and a link of its own."""
    at_work = {
        cost: sum(
            value if name in ALONE else value * (shares[cost] + (1.0 - shares[cost]) / run.threads)
            for name, value in each.items()
        )
        for cost, each in said(run, known).items()
    }
    shares_of = 8.0 * run.cells * (run.workers - 1) / run.workers  # to each worker
    told = CHILD * run.features * (run.bins + 1) * run.chunks * run.workers  # to the client
    asked = run.questions * (latency + ASKING * run.workers) + run.chunks * latency
    sent = {"tables sent": shares_of / bandwidth, "children sent": told / bandwidth}
    return {**at_work, **sent, "questions": asked}


def report(runs: Sequence[Run], target: Run, latency: float, bandwidth: float) -> None:
    """Coefficients, checks and the prediction."""
    by_role = {role: [run for run in runs if run.role == role] for role in ("fit", "threads", "check")}
    known = fitted(by_role["fit"])
    shares = alone(by_role["threads"], known)
    print("fitted, in seconds")
    for name, value in known.items():
        rate = f"   {name[2:]} = {1 / value:.2g} bytes a second" if name.startswith("1/") and value else ""
        print(f"  {name:14} {value:.2g}{rate}")
    questions = float(np.mean([run.questions - 2.0 * run.chunks for run in by_role["fit"]]))
    print(f"  {'Q':14} {questions:.1f} questions")
    print("one thread does", ", ".join(f"{share:.0%} of {cost}" for cost, share in shares.items()))
    for role, title in (("fit", "fitted to"), ("check", "checked on")):
        for run in by_role[role]:
            told = {cost: sum(each.values()) for cost, each in said(run, known).items()}
            print(f"{title} {run}: {sum(told.values()):.3f} said, {sum(run.seconds.values()):.3f} measured")
            print("  " + ", ".join(f"{cost} {told[cost]:.3f} ({run.seconds[cost]:.3f})" for cost in COSTS))
    target = replace(target, questions=questions + 2.0 * target.chunks)
    seconds = predicted(target, known, shares, latency, bandwidth)
    total = sum(seconds.values())
    print(f"predicted for {target} with {target.threads:.0f} threads each: {total:.1f} s a round")
    print("  " + ", ".join(f"{name} {value:.2f}" for name, value in seconds.items()))


def main() -> None:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("table", type=Path, nargs="?", default=TABLE)
    add("--rows", type=float, default=1e9)
    add("--features", type=int, default=28)
    add("--bins", type=int, default=255)
    add("--workers", type=int, default=100)
    add("--threads", type=int, default=16, help="of each worker")
    add("--trees", type=int, default=20, help="new ones in a round")
    add("--points", type=float, default=2.0, help="distributions in a round")
    add("--columns", type=float, default=300.0, help="known so far")
    add("--latency", type=float, default=5e-4, help="of a round trip, in seconds")
    add("--bandwidth", type=float, default=10.0, help="in Gbit a second")
    args = parser.parse_args()
    with args.table.open(newline="") as file:
        runs = [Run.of(line) for line in csv.DictReader(file)]
    cells = args.features * (args.features - 1) // 2 * (args.bins + 2) ** 2
    given = {name: float(value) for name, value in vars(args).items() if name in SIZES}
    target = Run("", {}, {}, categories=0.0, cells=cells, questions=0.0, **given)
    report(runs, target, args.latency, args.bandwidth * 1e9 / 8.0)


if __name__ == "__main__":
    main()
