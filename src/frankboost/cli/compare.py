"""`frankboost compare`: the algorithms of the paper side by side."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from joblib import effective_n_jobs

from frankboost.cli.arguments import Parser, threads
from frankboost.cli.compare_options import DESCRIPTION, EPILOG, OWN_NU, add_options, time_limit
from frankboost.cli.comparison_table import COLUMNS, RunningRow, finished_row, row
from frankboost.cli.summary import summary
from frankboost.datasets.tables import read_dataset
from frankboost.experiments.comparison import ComparisonRow, compared
from frankboost.experiments.problems import Problem, embedded_problems, tree_learner
from frankboost.learners.binning import MOST_THRESHOLDS
from frankboost.progress import Live, is_terminal
from frankboost.version import __version__

__all__ = ["DESCRIPTION", "EPILOG", "add_options", "run"]


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    problems = _problems(parser, args)
    out = sys.stderr if args.json else sys.stdout
    terminal = next((stream for stream in (out, sys.stderr) if is_terminal(stream)), None)
    live = Live(out, terminal)
    results: list[ComparisonRow] = []
    interrupted = False
    try:
        _compare(problems, args, live, results)
    except KeyboardInterrupt:
        live.clear()
        interrupted = True
    if args.json:
        print(json.dumps(_report(args, results), indent=2), flush=True)
    if interrupted:
        raise KeyboardInterrupt
    if not args.json:
        live.line(summary(results))
    return 0


def _problems(parser: Parser, args: Namespace) -> Iterable[Problem]:
    if (args.data is None) != (args.target is None):
        given, missing = ("--data", "--target") if args.target is None else ("--target", "--data")
        parser.error(f"argument {missing}: must be given with {given}")
    if args.data is None:
        if args.ignore:
            parser.error("argument --ignore: must be given with --data")
        return embedded_problems(args.nu, args.tol, args.max_depth, args.max_bins)
    try:
        dataset, categorical = read_dataset(args.data, args.target, args.ignore)
    except ValueError as error:
        parser.error(f"argument --data: {error}")
    learner = tree_learner(args.max_depth, args.max_bins or MOST_THRESHOLDS)
    learner = replace(learner, categorical=categorical)
    return [Problem(dataset, args.nu or OWN_NU, learner, args.tol)]


def _compare(problems: Iterable[Problem], args: Namespace, live: Live, results: list[ComparisonRow]) -> None:
    for problem in problems:
        live.line(_title(problem))
        live.line(row(list(COLUMNS)))
        for name in args.algorithms:
            limit, running = time_limit(args, name), RunningRow(name, live)
            result = compared(name, problem, time_limit=limit, n_jobs=threads(args), callback=running)
            results.append(result)
            live.line(finished_row(result))
            if result.status == "interrupted":
                raise KeyboardInterrupt
        live.line()


def _title(problem: Problem) -> str:
    m, n = problem.dataset.X.shape
    settings = f"m = {m}, n = {n}, nu = {problem.nu:g}, tol = {problem.tol:g}"
    return f"{problem.dataset.name}: {settings}, {problem.hypothesis_class()}"


def _report(args: Namespace, results: list[ComparisonRow]) -> dict[str, Any]:
    settings = {
        "data": args.data,
        "target": args.target,
        "ignore": args.ignore,
        "algorithms": args.algorithms,
        "nu": args.nu,  # None: chosen for each data set, see the results
        "tol": args.tol,
        "time_limit": {name: time_limit(args, name) for name in args.algorithms},
        "max_depth": args.max_depth,
        "max_bins": args.max_bins,
        "jobs": effective_n_jobs(threads(args)),
    }
    return {"version": __version__, "settings": settings, "results": [asdict(result) for result in results]}
