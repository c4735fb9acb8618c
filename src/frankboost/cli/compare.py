"""`frankboost compare`: the algorithms of the paper side by side."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from joblib import effective_n_jobs

from frankboost.cli.arguments import Parser, count, names, number
from frankboost.cli.comparison_table import COLUMNS, RunningRow, finished_row, row, summary
from frankboost.cli.files import DATA_HELP, FILES, add_ignore
from frankboost.datasets.tables import read_dataset
from frankboost.experiments.comparison import ALGORITHMS, ComparisonRow, compared
from frankboost.experiments.problems import TOL, Problem, embedded_problems, tree_learner
from frankboost.learners.binning import MOST_THRESHOLDS
from frankboost.progress import Live, is_terminal
from frankboost.version import __version__

SECONDS = 30.0
SLOW = {"FW": 2.0, "PFW": 2.0}  # seconds for those that would need thousands of rounds more
OWN_NU = 0.2
SETTINGS = (
    "data", "target", "ignore", "algorithms", "nu", "tol", "time_limit", "max_depth", "max_bins", "jobs",
)  # fmt: skip

DESCRIPTION = """\
Run LevelBoost and the algorithms of "Boosting as Frank-Wolfe" and print what each one proved:
soft margin <= optimum <= bound.

Without --data: wisconsin (scikit-learn's breast cancer data), twonorm, ringnorm and waveform, then
LPBoost's worst case (hard margin, 64 examples), in about a minute.

  LEVEL     LevelBoost, 20 hypotheses per round (the others: 1)
  LPB       LPBoost                             ERLPB     ERLPBoost
  FW        C-ERLPBoost: short steps only       PFW       pairwise steps only
  MLPB-SS   MLPBoost: short steps and LPBoost   MLPB-PFW  MLPBoost: pairwise steps and LPBoost"""

EPILOG = f"""\
examples:
  frankboost compare
  frankboost compare --algorithms LEVEL,LPB,MLPB-PFW --nu 0.2
  frankboost compare --data churn.csv --target churned --time-limit 60
  frankboost compare --data churn.csv --target churned --max-depth 1 --max-bins all --json > churn.json

{FILES}
Ctrl-C ends the running algorithm with its best ensemble so far, and the comparison (exit status 130)."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add("--data", metavar="FILE", help=f"compare on this instead: {DATA_HELP}")
    add("--target", metavar="COLUMN", help="the column of --data to predict, of two values")
    add_ignore(parser)
    add("--algorithms", metavar="LIST", type=names(ALGORITHMS), default=list(ALGORITHMS),
        help="which, separated by commas (default: all seven)")  # fmt: skip
    add("--nu", metavar="P", type=number(at_most=1.0),
        help="fraction of the examples that may fall short of the margin, in (0, 1]; the worst case has 1/64 "
        f"always (default: {OWN_NU:g} for --data, else 0.1 for wisconsin, 0.3 for others)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(), default=TOL,
        help="stop when bound - soft margin <= GAP (default: %(default)g)")  # fmt: skip
    add("--time-limit", metavar="SECONDS", type=number(),
        help=f"for each fit (default: {SECONDS:g}, but {SLOW['FW']:g} for FW and PFW, which are not expected "
        "to finish)")  # fmt: skip
    add("--max-depth", metavar="N", type=count(), default=2,
        help="depth of the trees; 1 and 2 are searched exactly (default: %(default)d)")  # fmt: skip
    add("--max-bins", metavar="N", type=count(at_most=MOST_THRESHOLDS, all="all"),
        help=f"thresholds per feature, 1 to {MOST_THRESHOLDS} or all (default: {MOST_THRESHOLDS} for --data, "
        "else 15 for wisconsin, 31 for others)")  # fmt: skip
    add("--jobs", metavar="N", type=count(all=-1), default=-1, help="threads (default: all cores)")
    add("--json", action="store_true", help="print JSON; the tables go to standard error")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    problems = _problems(parser, args)
    limits = {name: args.time_limit or SLOW.get(name, SECONDS) for name in args.algorithms}
    out = sys.stderr if args.json else sys.stdout
    live = Live(out, next((stream for stream in (out, sys.stderr) if is_terminal(stream)), None))
    results: list[ComparisonRow] = []
    try:
        _compare(problems, limits, args.jobs, live, results)
    finally:  # Ctrl-C too keeps what there is
        live.clear()
        if args.json:
            print(json.dumps(_report(args, limits, results), indent=2), flush=True)
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


def _compare(
    problems: Iterable[Problem], limits: dict[str, float], jobs: int, live: Live, results: list[ComparisonRow]
) -> None:
    for problem in problems:
        live.line(_title(problem))
        live.line(row(list(COLUMNS)))
        for name, limit in limits.items():
            running = RunningRow(name, live)
            result = compared(name, problem, time_limit=limit, n_jobs=jobs, callbacks=[running])
            results.append(result)
            live.line(finished_row(result))
            if result.status == "interrupted":
                raise KeyboardInterrupt
        live.line()


def _title(problem: Problem) -> str:
    m, n = problem.dataset.X.shape
    settings = f"m = {m}, n = {n}, nu = {problem.nu:g}, tol = {problem.tol:g}"
    return f"{problem.dataset.name}: {settings}, {problem.hypothesis_class()}"


def _report(args: Namespace, limits: dict[str, float], results: list[ComparisonRow]) -> dict[str, Any]:
    """A nu of None was chosen for each data set: see the results."""
    settings = {name: getattr(args, name) for name in SETTINGS}
    settings |= {"time_limit": limits, "jobs": effective_n_jobs(args.jobs)}
    found = [{**asdict(result), "gap": result.gap} for result in results]
    return {"version": __version__, "settings": settings, "results": found}
