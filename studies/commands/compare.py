"""`python -m studies compare`: the algorithms of the paper side by side."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import Namespace
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from joblib import effective_n_jobs

from frankboost.cli.arguments import DEEPEST, Parser, count, number, printable
from frankboost.cli.files import FILES
from frankboost.estimators.parameters import MOST_JOBS
from frankboost.native import MOST_THRESHOLDS
from studies.algorithms import FAMILY, OURS_ONE_TREE, TREE
from studies.commands import own_sets
from studies.commands.study import add_algorithm_options, check_plugins, open_results_file, run_study
from studies.fits import fit_trial
from studies.report.content import title_and_caption
from studies.report.render.text import plain
from studies.report.results import Outcomes
from studies.report.tables.comparison import comparison, problem
from studies.running.outcome import Outcome
from studies.running.results import ResultsFile
from studies.running.trial import TOL, Trial
from studies.sets import SMALL_SETS, WORST_CASE

WIDTH = 110
SECONDS = 30.0
SLOW_SECONDS = 1.0  # for algorithms that would need thousands of rounds, or never reach the optimum
SLOW = ["FW", "PFW", *(name for name in FAMILY if name not in (OURS_ONE_TREE, "SOFTBOOST", "IN-OUT"))]
OWN_NU = 0.2
ALL_THRESHOLDS = 0
WORST_CASE_ROWS = 64

DESCRIPTION = """\
Run LevelBoost and the algorithms of "Boosting as Frank-Wolfe" and print what each one proved:
soft margin <= optimum <= bound.

Without --data: wisconsin (scikit-learn's breast cancer data), twonorm, ringnorm and waveform, then
LPBoost's worst case (hard margin, 64 examples), in about a minute.

  LEVEL     LevelBoost, 20 hypotheses per round (the others: 1)
  LPB       LPBoost                             ERLPB     ERLPBoost
  FW        C-ERLPBoost: short steps only       PFW       pairwise steps only
  MLPB-SS   MLPBoost: short steps and LPBoost   MLPB-PFW  MLPBoost: pairwise steps and LPBoost

With --algorithms all, in three minutes, also LEVEL-1, which is LevelBoost with 1 hypothesis per round, and
the algorithms that docs/algorithms.md describes:

  SOFTBOOST      the level always tol below the bound    IN-OUT       LPBoost, stabilised
  ADABOOST       within the caps of nu                   MADABOOST    its weights bounded by the first ones
  ADABOOST-STAR  aiming tol below the bound              LOGISTIC     AdaBoost for the logistic loss
  ARC-GV         aiming at its own soft margin           SMOOTHBOOST  equal steps, bounded weights
  HEDGE          equal steps                             MDBOOST      mean and variance of the margins

and what installed packages add: rules, each alone, and whole algorithms, by their names."""

EPILOG = f"""\
examples:
  python -m studies compare
  python -m studies compare --algorithms LEVEL,LPB,MLPB-PFW --nu 0.2
  python -m studies compare --algorithms all --out build/family
  python -m studies compare --data churn.csv --target churned --time-limit 60
  python -m studies compare --data churn.csv --target churned --max-depth 1 --max-bins all --json > churn.json

{FILES}
Each fit has a process of its own. With --out its result is kept, and the same command goes on after Ctrl-C
(exit status 130) where it was."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    own_sets.add_options(parser)
    add_algorithm_options(
        parser, "the algorithms to run, separated by commas, or all (default: the first seven)"
    )
    add("--nu", metavar="P", type=number(at_most=1.0),
        help="fraction of the examples that count as hard, in (0, 1]; the worst case has 1/64 "
        f"always (default: {OWN_NU:g} for --data, else 0.1 for wisconsin, 0.3 for others)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(), default=TOL,
        help="stop when bound - soft margin <= GAP (default: %(default)g)")  # fmt: skip
    add("--time-limit", metavar="SECONDS", type=number(),
        help=f"CPU seconds for each fit (default: {SECONDS:g}, but {SLOW_SECONDS:g} for those that are not "
        f"expected to finish: {', '.join(SLOW)})")  # fmt: skip
    add("--max-depth", metavar="N", type=count(at_most=DEEPEST), default=2,
        help="depth of the trees; 1 and 2 are searched exactly (default: %(default)d)")  # fmt: skip
    add("--max-bins", metavar="N", type=count(at_most=MOST_THRESHOLDS, all=ALL_THRESHOLDS),
        help=f"thresholds per feature, 1 to {MOST_THRESHOLDS} or all (default: {MOST_THRESHOLDS} for --data, "
        "else 15 for wisconsin, 31 for others)")  # fmt: skip
    add("--jobs", metavar="N", type=count(at_most=MOST_JOBS, all=-1), default=-1,
        help="threads (default: all cores)")  # fmt: skip
    add(
        "--out",
        metavar="DIR",
        type=Path,
        help="keep the results in this folder, and go on from the results in it",
    )
    add("--json", action="store_true", help="print the results as JSON; the tables go to standard error")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    check_plugins(parser, args.algorithms, args.learner)
    sets = own_sets.read_own_sets(parser, args)
    results: list[Outcome] = []
    with ExitStack() as stack:
        folder = args.out or Path(stack.enter_context(TemporaryDirectory()))
        file = open_results_file(parser, stack, folder)
        sets_folder = own_sets.save_own_sets(parser, sets, folder) if sets else None
        try:
            for trials in _trials_of_problems(args, list(sets)):
                _compare(trials, file, sets_folder, args, results)
        finally:  # print the results after Ctrl-C, too
            if args.json:
                print(json.dumps([each.to_json(curves=False) for each in results], indent=2), flush=True)
    certified = sum(each.certified for each in results)
    caption = title_and_caption("comparison")[1]
    text = f"{caption} {certified} of {len(results)} fits are certified: gap <= tol, proved."
    print(textwrap.fill(text, WIDTH, break_on_hyphens=False), file=sys.stderr if args.json else sys.stdout)
    return 0 if all(each.done for each in results) else 1


def _trials_of_problems(args: Namespace, own: list[str]) -> list[list[Trial]]:
    """The trials of all algorithms, one list per problem; `own` has the names of the user's sets."""
    like = Trial("compare", "", "", 0.0, tol=args.tol, max_depth=args.max_depth, memory_limit=0.0,
                 threads=effective_n_jobs(args.jobs), learner=args.learner)  # fmt: skip
    problems = [_over_trees(args, replace(like, dataset=name), OWN_NU, MOST_THRESHOLDS) for name in own]
    for name, rows in () if own else SMALL_SETS:
        # At nu = 0.3 the best ensemble for wisconsin is a single tree. It gets a smaller nu, and, to save
        # time, fewer thresholds.
        usual = (0.1, 15) if name == "wisconsin" else (0.3, 31)
        problems.append(_over_trees(args, replace(like, dataset=name, rows=rows), *usual))
    if not own:
        nu = 1.0 / WORST_CASE_ROWS  # the hard margin
        problems.append(replace(like, dataset=WORST_CASE, rows=WORST_CASE_ROWS, nu=nu, learner=TREE))
    limits = {
        name: args.time_limit or (SLOW_SECONDS if name in SLOW else SECONDS) for name in args.algorithms
    }
    return [
        [replace(problem, algorithm=name, time_limit=limit) for name, limit in limits.items()]
        for problem in problems
    ]


def _over_trees(args: Namespace, trial: Trial, nu: float, bins: int) -> Trial:
    """The trial with the nu and the thresholds of the options, or else with these defaults."""
    thresholds = bins if args.max_bins is None else args.max_bins
    return replace(trial, nu=args.nu or nu, max_bins=thresholds or None)


def _compare(
    trials: list[Trial], file: ResultsFile, folder: Path | None, args: Namespace, results: list[Outcome]
) -> None:
    """Run the trials of a problem, print their table and add their outcomes to the results."""
    try:
        run_study(trials[0].dataset, trials, file, fit_trial, folder=folder, resumable=args.out is not None)
    finally:
        known = [(file.known.get(trial.key), trial) for trial in trials]
        found = Outcomes(each for each, trial in known if each and each.is_of(trial))
        results += found
        if table := comparison(found):
            text = f"{printable(problem(found))}\n{plain(table)}\n"
            print(text, file=sys.stderr if args.json else sys.stdout, flush=True)
