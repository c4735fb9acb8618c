"""Every comparison of the library's speed, one after the other: `make bench`.

    python benchmarks/run.py [--quick] [--data DIR] [--out DIR] [--only NAME ...]

Prints progress on standard error and a Markdown table on standard output; writes the table, every single
time, the settings and the machine to --out, after each comparison. The full run takes up to an hour, --quick
up to five minutes. Times are wall seconds of `fit` alone, medians of runs by turns.
"""

from __future__ import annotations

import argparse
import os
import textwrap
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import boosters
import covtype
import exact_trees
import growth
import histogram_boosting
import linear_programs
import nu_path
import prediction
import report
import tree_search
from contest import conditions, say
from sets import SAFETY, SEED, THREADS, Scope

COMPARISONS: dict[str, Callable[[Scope], report.Result]] = {
    "lpboost": boosters.against_lpboost,
    "mlpboost": boosters.against_mlpboost,
    "histgb": histogram_boosting.compare,
    "tree": tree_search.against_scikit_learn,
    "threads": tree_search.against_one_thread,
    "exact": exact_trees.compare,
    "programs": linear_programs.compare,
    "predict": prediction.compare,
    "path": nu_path.compare,
    "covtype": covtype.compare,
    "growth": growth.compare,
}


def main(words: Sequence[str] | None = None) -> None:
    """Run what was asked for."""
    options = _arguments(words)
    scope = Scope(options.quick, options.data)
    names = [name for name in COMPARISONS if name in (options.only or COMPARISONS)]
    date, about, settings = datetime.now().strftime("%Y-%m-%d %H:%M"), conditions(), _settings(scope)
    results: report.Results = {}
    table = ""
    for name in names:
        start = time.perf_counter()
        results[name] = _guarded(name, scope)
        say(f"{name}: done in {time.perf_counter() - start:.0f} s")
        table = report.write(options.out, date, about, settings, results)
    print(table, end="")


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the library's speed with others'.")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller sets: five minutes")
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("FRANKBOOST_DATA") or None,
        metavar="DIR",
        help="folder with raetsch/*.npz and large/covtype.npz (default: $FRANKBOOST_DATA; "
        "without it, sets that can be generated or that scikit-learn brings)",
    )
    parser.add_argument("--out", type=Path, default=Path("build/bench"), metavar="DIR", help="%(default)s")
    parser.add_argument(
        "--only", nargs="+", choices=COMPARISONS, metavar="NAME", help=f"some of {', '.join(COMPARISONS)}"
    )
    options = parser.parse_args(words)
    if options.data is not None and not list(options.data.glob("raetsch/*.npz")):
        parser.error(f"--data must be a folder with raetsch/*.npz; got {options.data}")
    return options


def _settings(scope: Scope) -> dict[str, Any]:
    return {
        "quick": scope.quick,
        "data": "generated or scikit-learn's" if scope.data is None else str(scope.data),
        "nu": scope.nus,
        "limit of the slower algorithms in s": scope.limit,
        "limit of ours in s": SAFETY,
        "threads": THREADS,
        "seed": SEED,
    }


def _guarded(name: str, scope: Scope) -> report.Result:
    """One comparison; if it breaks down, the others go on."""
    try:
        return COMPARISONS[name](scope)
    except Exception as error:  # an hour's work must not be lost to it
        say(traceback.format_exc())
        text = textwrap.shorten(f"{type(error).__name__}: {error}", 120, placeholder=" ...")
        row = report.Row(name, "-", "failed", "-", None, None)
        return report.Result([row], [f"{name} failed: {text}"], {"error": traceback.format_exc()})


if __name__ == "__main__":
    main()
