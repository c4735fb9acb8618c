"""`python -m studies paper`: the experiments of "Boosting as Frank-Wolfe", again."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from frankboost.cli.arguments import Parser, count, number
from frankboost.datasets import NAMES, load
from studies import plan as paper
from studies.commands import own_sets
from studies.commands.study import (
    add_algorithm_options,
    check_plugins,
    name_list,
    number_list,
    open_results_file,
    run_study,
)
from studies.fits import fit_trial
from studies.running.results import NAME, ResultsFile

SETS = list(dict.fromkeys(name for plan in (paper.FULL, paper.QUICK) for name, _ in plan.sets))
FULL_SETS = textwrap.fill(", ".join(NAMES), 105)
QUICK_DIR, FULL_DIR = "build/paper", "build/paper-full"

DESCRIPTION = """\
Run the experiments of "Boosting as Frank-Wolfe" with the paper's six algorithms and LevelBoost: tol = 0.01,
nu = 0.1 to 0.5 of the rows, the best tree of depth 2 over all thresholds.

  worst-case  LPBoost's worst case                  errors  test errors at that nu
  cv          nu by five-fold cross-validation      curves  how the test error falls with time
  times       CPU seconds to a gap of 0.01, and how the soft margin grows

Without --full: four small data sets that need no file, nu = 0.1 and 0.3, 31 thresholds per feature and
0.75 CPU seconds per fit: two minutes. LevelBoost is timed with one tree per round, too (LEVEL-1).
With --full: the paper's 13 sets, two to three hours with 20 CPU seconds per fit (the paper's limit: 20,000).

A fit ends when bound - soft margin <= tol for the best ensemble so far. The paper's own test asks about the
smoothed soft margin of the last weights, which is up to tol/2 above their soft margin: --stopping paper ends
its algorithms when bound - smoothed soft margin <= tol/2. This test implies the gap, and ends a fit later.
LevelBoost uses no smoothing, and ends as before.

Each run has a process of its own, and its result is a line of DIR/runs.jsonl as soon as it ends. Stop the
study at any moment, and give the same command again: finished runs are not repeated. (Ctrl-C does not reach a
study that a script started in the background; use `kill`.)
Then `python -m studies report` makes a page of it."""

EPILOG = f"""\
examples:
  python -m studies paper && python -m studies report
  python -m studies paper --full --data-dir data --jobs 2 && python -m studies report --results {FULL_DIR}
  python -m studies paper --full --data-dir data --parts times --datasets titanic,heart --time-limit 20000
  python -m studies paper --full --data-dir data --parts times --datasets german --nus 0.05,0.3
  python -m studies paper --full --retry
  python -m studies paper --data churn.csv --target churned --parts times --out build/churn
  python -m studies paper --full --data my-sets --time-limit 60 --jobs 2 --out build/my-sets
  python -m studies paper --parts times --stopping paper --out build/paper-test

--quick has the sets wisconsin, twonorm, ringnorm and waveform; --full has
{FULL_SETS}.
Those of --data are read once and kept in DIR/sets; text is split by its categories.
--data-dir (or the environment's FRANKBOOST_DATA) holds the 13 sets as NAME.npz; without it they are fetched
through scikit-datasets, if that is installed: pip install "frankboost[datasets]"."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small data sets, two minutes (the default)")
    size.add_argument("--full", action="store_true", help="the paper's protocol")
    add("--data-dir", metavar="DIR", type=Path, help="folder with the 13 sets, for --full")
    add("--out", metavar="DIR", type=Path,
        help=f"where results go (default: {QUICK_DIR}, with --full {FULL_DIR})")  # fmt: skip
    add("--parts", metavar="LIST", type=name_list(paper.PARTS), default=list(paper.PARTS),
        help="some of the parts above, separated by commas (default: all)")  # fmt: skip
    add("--datasets", metavar="LIST", type=name_list(SETS),
        help="some of the data sets (default: all)")  # fmt: skip
    own_sets.add_options(parser)
    add_algorithm_options(parser, "some of those that `python -m studies compare --help` names, or all "
                          "(default: the paper's six and LevelBoost)")  # fmt: skip
    add("--nus", metavar="LIST", type=number_list,
        help=f"values of nu, but for the worst case (default: {_listed(paper.QUICK.nus)}, "
        f"with --full {_listed(paper.FULL.nus)})")  # fmt: skip
    add("--time-limit", metavar="SECONDS", type=number(),
        help=f"CPU seconds per fit (default: {paper.QUICK.time_limit:g}, "
        f"with --full {paper.FULL.time_limit:g})")  # fmt: skip
    add("--memory-limit", metavar="GB", type=number(), default=paper.FULL.memory_limit,
        help="memory of each run's process (default: %(default)g)")  # fmt: skip
    add("--stopping", choices=("gap", "paper"), default="gap",
        help="what ends a fit of the paper's algorithms, see above (default: %(default)s)")  # fmt: skip
    add("--jobs", metavar="N", type=count(), default=1,
        help="the number of processes for cross-validations; timed fits run alone (default: 1)")  # fmt: skip
    add("--seeds", metavar="N", type=count(), default=1,
        help="for LevelBoost's test errors, shuffle and split the rows N times (default: 1)")  # fmt: skip
    add("--cv-each", action="store_true", help="let each algorithm choose its own nu, as in the paper")
    add("--retry", action="store_true", help="repeat the runs that failed")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    sets = own_sets.read_own_sets(parser, args)
    plan = _make_plan(parser, args, list(sets))
    check_plugins(parser, plan.algorithms, plan.learner)
    if set(args.parts) - {"worst-case"} and not sets:
        _check_data(parser, plan, args.data_dir)
    out: Path = args.out or Path(FULL_DIR if args.full else QUICK_DIR)
    with ExitStack() as stack:
        file = open_results_file(parser, stack, out)
        trials = [*paper.plan_times(plan, {}), *paper.plan_worst_case(plan, {})]
        try:  # fits that ended by different tests, or over different classes, cannot be compared
            file.check_same(trials, ("stopping", "learner"))
        except ValueError as error:
            parser.error(f"argument --out: {error}")
        folder = own_sets.save_own_sets(parser, sets, out) if sets else args.data_dir
        _run_parts(plan, file, folder, args)
    failures = sum(not outcome.done for outcome in file.known.values())
    failed = f", {failures} of them failed (see there, or --retry)" if failures else ""
    print(f"{len(file.known)} results in {out / NAME}{failed}")
    print(f"a page of them: python -m studies report{'' if str(out) == QUICK_DIR else f' --results {out}'}")
    return 1 if failures else 0


def _check_data(parser: Parser, plan: paper.Plan, data_dir: Path | None) -> None:
    """End the program if a data set cannot be loaded, before every run fails for that reason."""
    for name, rows in plan.sets:
        if rows is None:
            try:
                load(name, data_dir)
            except (LookupError, OSError, ValueError) as error:
                parser.error(f"argument --data-dir: {error}")


def _run_parts(plan: paper.Plan, file: ResultsFile, folder: Path | None, args: Namespace) -> None:
    """Run the parts of the study one after the other."""
    for part in paper.PARTS:
        if part in args.parts:
            trials = paper.TRIALS_OF[part](plan, file.known)
            if part == "errors" and (waiting := paper.count_splits_without_nu(plan, file.known)):
                print(f"errors     {waiting} splits have no nu yet: finish --parts cv first", file=sys.stderr)
            jobs = args.jobs if part == "cv" else 1
            run_study(part, trials, file, fit_trial, folder=folder, jobs=jobs,
                      repeat=lambda known: args.retry and not known.done)  # fmt: skip


def _make_plan(parser: Parser, args: Namespace, own: Sequence[str]) -> paper.Plan:
    """The plan that the options ask for; `own` has the names of the user's sets."""
    plan = paper.FULL if args.full else paper.QUICK
    if own and args.datasets is not None:
        parser.error("argument --datasets: cannot be given with --data, which names its own")
    known = [name for name, _ in plan.sets]
    for name in args.datasets or []:
        if name not in known:
            size = "--full" if args.full else "--quick"
            parser.error(f"argument --datasets: {size} has {', '.join(known)}; got {name!r}")
    return replace(
        plan,
        sets=tuple((name, None) for name in own)
        or tuple(each for each in plan.sets if args.datasets is None or each[0] in args.datasets),
        algorithms=tuple(args.algorithms),
        nus=tuple(args.nus or plan.nus),
        seeds=args.seeds,
        cv_each=args.cv_each,
        stopping=args.stopping,
        learner=args.learner,
        time_limit=args.time_limit or plan.time_limit,
        memory_limit=args.memory_limit,
    )


def _listed(values: Sequence[float]) -> str:
    return ",".join(f"{each:g}" for each in values)
