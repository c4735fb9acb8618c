"""`python -m studies compare`: the algorithms of the paper side by side."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from joblib import effective_n_jobs

from frankboost.cli.arguments import DEEPEST, Parser, count, number
from frankboost.cli.files import FILES
from frankboost.estimators.parameters import MOST_JOBS
from frankboost.learners.binning import MOST_THRESHOLDS
from frankboost.progress import Live, is_terminal
from studies.algorithms import FAMILY
from studies.commands import own_sets
from studies.commands.comparison_table import COLUMNS, finished_row, row, summary, title
from studies.commands.study import add_algorithms, check_plugins, opened
from studies.fits import fitted
from studies.problems import SMALL_SETS, TOL, TREE, WORST_CASE
from studies.running.outcome import Outcome
from studies.running.results import ResultsFile
from studies.running.runner import Study, run_all
from studies.running.trial import Trial

SECONDS = 30.0
SLOW = 1.0  # seconds for those that would need thousands of rounds more, or never come to the optimum
SLOW_ONES = ["FW", "PFW", *(name for name in FAMILY if name not in ("SOFTBOOST", "IN-OUT"))]
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

With --algorithms all, in three minutes, these too, of which docs/algorithms.md says what they aim at:

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
    add_algorithms(parser, "which, separated by commas, or all (default: the first seven)")
    add("--nu", metavar="P", type=number(at_most=1.0),
        help="fraction of the examples that may fall short of the margin, in (0, 1]; the worst case has 1/64 "
        f"always (default: {OWN_NU:g} for --data, else 0.1 for wisconsin, 0.3 for others)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(), default=TOL,
        help="stop when bound - soft margin <= GAP (default: %(default)g)")  # fmt: skip
    add("--time-limit", metavar="SECONDS", type=number(),
        help=f"CPU seconds for each fit (default: {SECONDS:g}, but {SLOW:g} for those that are not expected "
        f"to finish: {', '.join(SLOW_ONES)})")  # fmt: skip
    add("--max-depth", metavar="N", type=count(at_most=DEEPEST), default=2,
        help="depth of the trees; 1 and 2 are searched exactly (default: %(default)d)")  # fmt: skip
    add("--max-bins", metavar="N", type=count(at_most=MOST_THRESHOLDS, all=ALL_THRESHOLDS),
        help=f"thresholds per feature, 1 to {MOST_THRESHOLDS} or all (default: {MOST_THRESHOLDS} for --data, "
        "else 15 for wisconsin, 31 for others)")  # fmt: skip
    add("--jobs", metavar="N", type=count(at_most=MOST_JOBS, all=-1), default=-1,
        help="threads (default: all cores)")  # fmt: skip
    add("--out", metavar="DIR", type=Path, help="keep the results there, and go on from those that are there")
    add("--json", action="store_true", help="print the results as JSON; the tables go to standard error")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    check_plugins(parser, args.algorithms, args.learner)
    sets = own_sets.own_sets(parser, args)
    out = sys.stderr if args.json else sys.stdout
    live = Live(out, next((stream for stream in (out, sys.stderr) if is_terminal(stream)), None))
    results: list[Outcome] = []
    with ExitStack() as stack:
        folder = args.out or Path(stack.enter_context(TemporaryDirectory()))
        file = opened(parser, stack, folder)
        kept = own_sets.kept(parser, sets, folder) if sets else None
        try:
            for problem in _problems(args, list(sets)):
                _compare(problem, file, kept, live, results)
        finally:  # Ctrl-C too keeps what there is
            live.clear()
            if args.json:
                print(json.dumps([each.to_json(curves=False) for each in results], indent=2), flush=True)
    if not args.json:
        live.line(summary(results))
    return 0 if all(each.done for each in results) else 1


def _problems(args: Namespace, own: list[str]) -> Iterator[list[Trial]]:
    """The trials of each problem, one for each algorithm."""
    like = Trial("compare", "", "", 0.0, tol=args.tol, max_depth=args.max_depth, memory_limit=0.0,
                 threads=effective_n_jobs(args.jobs), learner=args.learner)  # fmt: skip
    for name in own:
        yield _each(args, _with_trees(args, replace(like, dataset=name), OWN_NU, MOST_THRESHOLDS))
    for name, rows in [] if own else SMALL_SETS:
        # At nu = 0.3 the best ensemble for wisconsin is a single tree, so it gets a smaller nu, and coarser
        # thresholds to pay for it.
        nu, bins = (0.1, 15) if name == "wisconsin" else (0.3, 31)
        yield _each(args, _with_trees(args, replace(like, dataset=name, rows=rows), nu, bins))
    if not own:
        nu = 1.0 / WORST_CASE_ROWS  # the hard margin, over a class of its own
        yield _each(args, replace(like, dataset=WORST_CASE, rows=WORST_CASE_ROWS, nu=nu, learner=TREE))


def _with_trees(args: Namespace, trial: Trial, nu: float, bins: int) -> Trial:
    thresholds = bins if args.max_bins is None else args.max_bins
    return replace(trial, nu=args.nu or nu, max_bins=thresholds or None)


def _each(args: Namespace, trial: Trial) -> list[Trial]:
    limits = {name: args.time_limit or (SLOW if name in SLOW_ONES else SECONDS) for name in args.algorithms}
    return [replace(trial, algorithm=name, time_limit=limit) for name, limit in limits.items()]


def _compare(
    trials: list[Trial], file: ResultsFile, folder: Path | None, live: Live, results: list[Outcome]
) -> None:
    """One after the other, each with its row as soon as it ends; the first that is done gives the title."""
    titled = False
    for trial in trials:

        def tell(study: Study, name: str = trial.algorithm) -> None:
            live.show(lambda: f"{name:<13} running")

        run_all([trial], file, tell, fitted, folder=folder)
        outcome = file.known[trial.key]
        results.append(outcome)
        if outcome.done and not titled:
            live.line(title(outcome))
            live.line(row(list(COLUMNS)))
            titled = True
        live.line(finished_row(outcome))
    live.line()
