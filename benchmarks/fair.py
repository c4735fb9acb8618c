"""What the algorithm, the columns and the search on demand are worth, each on its own.

    OPENBLAS_NUM_THREADS=1 python benchmarks/fair.py DIR --csv fair.csv

SoftMarginClassifier differs from the paper's algorithms in its rule (LevelBoost), in the up to 20 trees that
it takes from a search, and in a search over all thresholds that need not find the best tree of every round.
Here LevelBoost, LPBoost and ERLPBoost get them alike: one tree per round and twenty, and the best tree of
every round, as the paper has it, or good ones, on demand. A fit goes to a gap of 0.01 over the trees of depth
2 and all thresholds, on one thread. Its time is in CPU seconds, the least of two turns if the first takes
less than five; a fit that reaches the limit is ended and shown as >LIMIT. DIR holds the sets as NAME.npz or
raetsch/NAME.npz.

A table of all fits and one of the shares, as Markdown, go to standard output, progress to standard error.
Every run is a line of the CSV file as soon as it ends, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from contest import conditions, say
from fair_tables import ALGORITHMS, COLUMNS, Fit, Time, everything, markdown, shares

from frankboost import BestTree, ERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier
from frankboost.datasets import NAMES, Dataset, breast_cancer, load
from frankboost.estimators.base import SoftMarginBooster
from frankboost.learners.base import Answer, Need, Oracle
from frankboost.typing import Floats
from studies.running.curves import CpuClock

SETS = ("german", "splice", "image", "waveform", "twonorm", "ringnorm")
NUS = (0.3, 0.1)
TURNS, SHORT = 2, 5.0  # a fit of fewer seconds has two turns
MANY = 1_000_000  # rounds; the limit comes first
CLASSES: dict[str, type[SoftMarginBooster]] = {
    "LevelBoost": SoftMarginClassifier,
    "LPBoost": LPBoostClassifier,
    "ERLPBoost": ERLPBoostClassifier,
}


Times = dict[Fit, list[Time]]


class Best(Oracle):
    """An oracle that is asked for the best tree, whatever the round needs."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.exact, self.hypothesis_class = oracle.exact, oracle.hypothesis_class
        self.values, self.recall, self.gains = oracle.values, oracle.recall, oracle.gains  # type: ignore[method-assign]

    def __call__(self, u: Floats, /) -> Answer:
        """The best tree."""
        self._oracle.need = Need()
        return self._oracle(u)


@dataclass(frozen=True)
class BestTreeOfEveryRound(BestTree):
    """The weak learner of the paper."""

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> Any:
        """As that of `BestTree`, but for what is asked of it."""
        return Best(super().prepare(X, y, sample_weight))


def fits(data: Dataset, nu: float, columns: Sequence[int], algorithms: Sequence[str]) -> list[Fit]:
    """Every way to fit a set; with the best trees alone where a search has nothing to save."""
    oracle = BestTree(2, None).prepare(data.X, data.y.astype(float), np.ones(len(data.y)))
    demands = (False, True) if oracle.drives else (False,)
    return [Fit(data.name, len(data.y), nu, *rest) for rest in product(columns, demands, algorithms)]


def timed(fit: Fit, data: Dataset, limit: float) -> Time:
    """One fit on the clock."""
    learner = (BestTree if fit.demand else BestTreeOfEveryRound)(2, None, fit.columns, 1)
    clock = CpuClock(limit)
    clf = CLASSES[fit.algorithm](
        fit.nu, estimator=learner, max_iter=MANY, n_jobs=1, callbacks=[clock]
    ).fit(data.X, data.y)  # fmt: skip
    seconds, status = clock.seconds(), clf.certificate_.status
    if status == "interrupted":  # which a fit survives
        raise KeyboardInterrupt
    return Time(min(seconds, limit), clf.n_iter_, status == "optimal" and seconds < limit)


def measure(
    data: Dataset, ways: Sequence[Fit], times: Times, limit: float, keep: Callable[[Fit, Time], None]
) -> None:
    """Some fits to a set by turns, so that the machine's noise hits all of them."""
    for turn, fit in product(range(TURNS), ways):
        runs = times.setdefault(fit, [])
        if len(runs) <= turn and all(run.seconds < SHORT for run in runs):
            runs.append(timed(fit, data, limit))
            keep(fit, runs[-1])


def recorded(path: Path) -> Times:
    """The runs of a CSV file, if it is there."""
    times: Times = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                fit = Fit(
                    row["set"], int(row["m"]), float(row["nu"]), int(row["columns"]), row["demand"] == "yes",
                    row["algorithm"],
                )  # fmt: skip
                run = Time(float(row["cpu_seconds"]), int(row["rounds"]), row["closed"] == "yes")
                times.setdefault(fit, []).append(run)
    return times


def record(path: Path, fit: Fit, run: Time) -> None:
    """Add a run to a CSV file."""
    demand, closed = (("no", "yes")[flag] for flag in (fit.demand, run.closed))
    seconds = f"{run.seconds:.4f}"
    row = fit._asdict() | {"demand": demand, "cpu_seconds": seconds, "rounds": run.rounds, "closed": closed}
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def tables(times: Times) -> tuple[str, str]:
    """All fits, and the shares, by the least time of each."""
    best = {fit: min(runs) for fit, runs in times.items()}
    return markdown(everything(best)), markdown(shares(best))


def main(words: Sequence[str] | None = None) -> None:
    """Measure what is not in the file yet, and print the tables."""
    options = _arguments(words)
    sets = [load(name, options.data) for name in options.sets]
    times = recorded(options.csv) if options.csv else {}

    def keep(fit: Fit, run: Time) -> None:
        say(f"{', '.join(map(str, fit))}: {run}")
        if options.csv:
            record(options.csv, fit, run)

    timed(Fit("", 0, 0.5, 1, False, "LPBoost"), breast_cancer(), 1.0)  # imports and pages
    for nu, data in product(options.nu, sets):
        measure(data, fits(data, nu, options.columns, options.algorithms), times, options.limit, keep)
    about = conditions()
    print(f"{date.today()}, {about['cpu']}, {about['cores']} cores; CPU seconds (rounds).")
    for table in tables({fit: runs for fit, runs in times.items() if fit.set in options.sets}):
        print(f"\n{table}")


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("data", type=Path, metavar="DIR", help="folder with the sets")
    parser.add_argument(
        "--sets", nargs="+", choices=NAMES, default=SETS, metavar="NAME", help=f"({', '.join(SETS)})"
    )
    parser.add_argument("--nu", type=float, nargs="+", default=NUS, help="(%(default)s)")
    parser.add_argument(
        "--columns", type=int, nargs="+", choices=COLUMNS, default=COLUMNS, help="(%(default)s)"
    )
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=ALGORITHMS, help="(all)")
    parser.add_argument(
        "--limit", type=float, default=60.0, metavar="SECONDS", help="CPU seconds of a fit (%(default)g)"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="where every run goes")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
