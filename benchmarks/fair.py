"""What the algorithm, the columns and the draft are worth, each on its own.

    OPENBLAS_NUM_THREADS=1 python benchmarks/fair.py DIR --csv fair.csv

SoftMarginClassifier differs from the paper's algorithms in three things: in its rule (LevelBoost), in the up
to 20 trees that it takes from a search and, for all thresholds, in first rounds over 255 thresholds a feature
(the draft). Here LevelBoost, LPBoost and ERLPBoost get them alike: one tree a round and twenty, with a draft
and without. A fit goes to a gap of 0.01 over the best trees of depth 2 and all thresholds, on one thread. Its
time is in CPU seconds, the least of two turns if the first takes less than five; a fit that reaches the limit
is ended and shown as >LIMIT. DIR holds the sets as NAME.npz or raetsch/NAME.npz.

A table of all fits and one of the shares, as Markdown, go to standard output, progress to standard error.
Every run is a line of the CSV file as soon as it ends, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from datetime import date
from itertools import product
from pathlib import Path

from contest import conditions, say
from fair_tables import ALGORITHMS, COLUMNS, Fit, Time, everything, markdown, shares

from frankboost import BestTree, ERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier
from frankboost.datasets import NAMES, Dataset, breast_cancer, load
from frankboost.estimators.base import SoftMarginBooster
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


def fits(data: Dataset, nu: float) -> list[Fit]:
    """Every way to fit a set; without the draft alone where there is none to make."""
    drafts = (False,) if BestTree(2, None).draft(data.X) is None else (False, True)
    return [Fit(data.name, len(data.y), nu, *rest) for rest in product(COLUMNS, drafts, ALGORITHMS)]


def timed(fit: Fit, data: Dataset, limit: float) -> Time:
    """One fit on the clock."""
    base = CLASSES[fit.algorithm]
    variant = type(base.__name__, (base,), {"drafts": fit.draft})  # no parameter: users have no need of it
    clock = CpuClock(limit)
    clf = variant(
        fit.nu, max_bins=None, columns_per_round=fit.columns, max_iter=MANY, n_jobs=1, callbacks=[clock]
    ).fit(data.X, data.y)
    seconds, status = clock.seconds(), clf.certificate_.status
    if status == "interrupted":  # which a fit survives
        raise KeyboardInterrupt
    return Time(min(seconds, limit), clf.n_iter_, status == "optimal" and seconds < limit)


def measure(data: Dataset, nu: float, times: Times, limit: float, keep: Callable[[Fit, Time], None]) -> None:
    """Every fit to a set by turns, so that the machine's noise hits all of them."""
    for turn, fit in product(range(TURNS), fits(data, nu)):
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
                    row["set"], int(row["m"]), float(row["nu"]), int(row["columns"]), row["draft"] == "yes",
                    row["algorithm"],
                )  # fmt: skip
                run = Time(float(row["cpu_seconds"]), int(row["rounds"]), row["closed"] == "yes")
                times.setdefault(fit, []).append(run)
    return times


def record(path: Path, fit: Fit, run: Time) -> None:
    """Add a run to a CSV file."""
    draft, closed = (("no", "yes")[flag] for flag in (fit.draft, run.closed))
    seconds = f"{run.seconds:.4f}"
    row = fit._asdict() | {"draft": draft, "cpu_seconds": seconds, "rounds": run.rounds, "closed": closed}
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
    for nu, data in product(NUS, sets):
        measure(data, nu, times, options.limit, keep)
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
    parser.add_argument(
        "--limit", type=float, default=60.0, metavar="SECONDS", help="CPU seconds of a fit (%(default)g)"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="where every run goes")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
