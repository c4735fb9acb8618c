"""`frankboost compare`: the algorithms of the paper side by side."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from joblib import effective_n_jobs

from frankboost.cli.arguments import DEEPEST, Parser, count, names, number, printable
from frankboost.cli.comparison_table import COLUMNS, RunningRow, finished_row, row, summary
from frankboost.cli.files import DATA_HELP, FILES, add_ignore
from frankboost.estimators.parameters import MOST_JOBS
from frankboost.experiments.algorithms import ALGORITHMS, FAMILY, algorithm_names
from frankboost.experiments.comparison import ComparisonRow, compared, load_plugins
from frankboost.experiments.problems import (
    TOL,
    TREE,
    WORST_CASE,
    Problem,
    embedded_problems,
    learner_names,
    plugin_learner,
    tree_learner,
)
from frankboost.learners.binning import MOST_THRESHOLDS
from frankboost.plugins import PluginError
from frankboost.progress import Live, is_terminal
from frankboost.tables.reading import read_dataset
from frankboost.version import __version__

SECONDS = 30.0
SLOW = 1.0  # seconds for those that would need thousands of rounds more, or never come to the optimum
SLOW_ONES = ["FW", "PFW", *(name for name in FAMILY if name not in ("SOFTBOOST", "IN-OUT"))]
OWN_NU = 0.2
SETTINGS = (
    "data", "target", "ignore", "algorithms", "learner", "nu", "tol", "time_limit", "max_depth", "max_bins",
    "jobs",
)  # fmt: skip

DESCRIPTION = """\
Run LevelBoost and the algorithms of "Boosting as Frank-Wolfe" and print what each one proved:
soft margin <= optimum <= bound.

Without --data: wisconsin (scikit-learn's breast cancer data), twonorm, ringnorm and waveform, then
LPBoost's worst case (hard margin, 64 examples), in about a minute.

  LEVEL     LevelBoost, 20 hypotheses per round (the others: 1)
  LPB       LPBoost                             ERLPB     ERLPBoost
  FW        C-ERLPBoost: short steps only       PFW       pairwise steps only
  MLPB-SS   MLPBoost: short steps and LPBoost   MLPB-PFW  MLPBoost: pairwise steps and LPBoost

With --algorithms all, in three minutes, these too, of which docs/algorithms.md says what they aim at:

  SOFTBOOST      the level always tol below the bound    IN-OUT       LPBoost, stabilised
  ADABOOST       within the caps of nu                   MADABOOST    its weights bounded by the first ones
  ADABOOST-STAR  aiming tol below the bound              LOGISTIC     AdaBoost for the logistic loss
  ARC-GV         aiming at its own soft margin           SMOOTHBOOST  equal steps, bounded weights
  HEDGE          equal steps                             MDBOOST      mean and variance of the margins

and what installed packages add: rules, each alone, and whole algorithms, by their names."""

EPILOG = f"""\
examples:
  frankboost compare
  frankboost compare --algorithms LEVEL,LPB,MLPB-PFW --nu 0.2
  frankboost compare --algorithms all --json > family.json
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
    add("--algorithms", metavar="LIST", type=names(algorithm_names(), or_all=True), default=list(ALGORITHMS),
        help="which, separated by commas, or all (default: the first seven)")  # fmt: skip
    add("--learner", metavar="NAME", choices=learner_names(), default=TREE,
        help="a weak learner that an installed package adds, instead of trees")  # fmt: skip
    add("--nu", metavar="P", type=number(at_most=1.0),
        help="fraction of the examples that may fall short of the margin, in (0, 1]; the worst case has 1/64 "
        f"always (default: {OWN_NU:g} for --data, else 0.1 for wisconsin, 0.3 for others)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(), default=TOL,
        help="stop when bound - soft margin <= GAP (default: %(default)g)")  # fmt: skip
    add("--time-limit", metavar="SECONDS", type=number(),
        help=f"for each fit (default: {SECONDS:g}, but {SLOW:g} for those that are not expected to finish: "
        f"{', '.join(SLOW_ONES)})")  # fmt: skip
    add("--max-depth", metavar="N", type=count(at_most=DEEPEST), default=2,
        help="depth of the trees; 1 and 2 are searched exactly (default: %(default)d)")  # fmt: skip
    add("--max-bins", metavar="N", type=count(at_most=MOST_THRESHOLDS, all="all"),
        help=f"thresholds per feature, 1 to {MOST_THRESHOLDS} or all (default: {MOST_THRESHOLDS} for --data, "
        "else 15 for wisconsin, 31 for others)")  # fmt: skip
    add("--jobs", metavar="N", type=count(at_most=MOST_JOBS, all=-1), default=-1,
        help="threads (default: all cores)")  # fmt: skip
    add("--json", action="store_true", help="print JSON; the tables go to standard error")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    try:
        load_plugins(args.algorithms, args.learner)
    except PluginError as error:
        parser.error(str(error))
    problems = map(partial(_with_learner, args.learner), _problems(parser, args))
    limits = {name: args.time_limit or (SLOW if name in SLOW_ONES else SECONDS) for name in args.algorithms}
    out = sys.stderr if args.json else sys.stdout
    live = Live(out, next((stream for stream in (out, sys.stderr) if is_terminal(stream)), None))
    results: list[ComparisonRow] = []
    try:
        _compare(problems, limits, args.jobs, live, results)
    except PluginError as error:
        live.clear()
        parser.error(str(error))
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
    if categorical and args.learner != TREE and not plugin_learner(args.learner).splits_features:
        parser.error(f"argument --learner: {args.learner} takes numbers, but --data has categories")
    learner = tree_learner(args.max_depth, args.max_bins or MOST_THRESHOLDS)
    learner = replace(learner, categorical=categorical)
    return [Problem(dataset, args.nu or OWN_NU, learner, args.tol)]


def _with_learner(name: str, problem: Problem) -> Problem:
    """The problem over the class of another learner, unless it has a class of its own."""
    if name == TREE or problem.dataset.name == WORST_CASE:
        return problem
    return replace(problem, learner=plugin_learner(name), learner_name=name)


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
    return f"{printable(problem.dataset.name)}: {settings}, {problem.hypothesis_class()}"


def _report(args: Namespace, limits: dict[str, float], results: list[ComparisonRow]) -> dict[str, Any]:
    """A nu of None was chosen for each data set: see the results."""
    settings = {name: getattr(args, name) for name in SETTINGS}
    settings |= {"time_limit": limits, "jobs": effective_n_jobs(args.jobs)}
    found = [{**result.facts(), "gap": result.gap} for result in results]
    return {"version": __version__, "settings": settings, "results": found}
