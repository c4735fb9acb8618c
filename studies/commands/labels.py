"""`python -m studies labels`: which method finds labels that were changed on purpose."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from frankboost.cli.arguments import Parser, count
from studies import sets
from studies.commands.study import SCORED, add_scored_options, run_scored_study, select_installed
from studies.labels import page
from studies.labels.noise import NOISES
from studies.labels.scoring import BUILT_IN, FINDERS, score_trial
from studies.running.outcome import LABELS, Outcome
from studies.running.trial import Trial

CLEAN_SETS = ("skin", "image", "letter_am", "htru2", "kddcup99", "shuttle1", "splice", "thyroid")

DESCRIPTION = f"""\
Change labels of data sets whose labels are right, and let label_issues and cleanlab find the changed labels
(pip install "frankboost[rivals]"; cleanlab gets the probabilities of a cross-validation of several models).
The study compares rankings, flags, CPU time, and the test error of a model that is fitted to the rows left.

{SCORED}
  DIR/labels.md        tables, for each kind of noise and each set
  DIR/labels.svg       average precision and F1 against CPU time"""

EPILOG = f"""\
examples:
  python -m studies labels --quick
  python -m studies labels --data sets --seeds 5
  python -m studies labels --only label_issues --noises '10 %' one-sided

Without --data the sets are {", ".join(BUILT_IN)}.
With --data, the study adds those of the following sets that are in the folder, which have hardly any wrong
labels of their own: {", ".join(CLEAN_SETS)}."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add_scored_options(parser, LABELS, limit=1800.0, test_rows=2000, data_needed=False)
    add("--quick", action="store_true", help="two sets, three kinds of noise: some minutes")
    add("--noises", nargs="+", metavar="NAME", choices=list(NOISES), default=list(NOISES),
        help="some of the kinds of noise (default: all)")  # fmt: skip
    add("--only", nargs="+", metavar="NAME", choices=list(FINDERS), default=list(FINDERS),
        help="some of those that find labels (default: all)")  # fmt: skip
    add("--seeds", metavar="N", type=count(), default=1, help="draws of the noise (default: %(default)s)")
    add("--rows", metavar="N", type=count(), default=1000,
        help="the largest number of training rows, drawn at random (default: %(default)s)")  # fmt: skip


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    return run_scored_study(
        parser, args, LABELS, _trials, conditions=("train_rows", "test_rows"),
        run_trial=score_trial, write=page.write, describe=_describe, packages=("cleanlab", "catboost"),
        repeat=lambda known: args.retry and not known.done,
    )  # fmt: skip


def _trials(args: Namespace) -> list[Trial]:
    """The trials, seed by seed, so that an interrupted study has results on all sets."""
    names, finders = _sets(args), select_installed({name: FINDERS[name].packages for name in args.only})
    noises = ("10 %", "one-sided", "none") if args.quick else args.noises
    like = Trial(LABELS, "", "", 0.0, train_rows=args.rows, test_rows=args.test_rows, time_limit=args.limit,
                 memory_limit=0.0, clock="wall")  # fmt: skip
    return [
        replace(like, dataset=dataset, noise=noise, algorithm=name, seed=seed)
        for seed in range(args.seeds)
        for noise in noises
        for dataset in names
        for name in finders
    ]


def _sets(args: Namespace) -> list[str]:
    found = sets.find(args.data) if args.data else {}
    known = [*BUILT_IN, *(name for name in CLEAN_SETS if name in found)]
    unknown = set(args.sets or ()) - set(known)
    if unknown:
        raise ValueError(f"--sets must be among {', '.join(known)}; got {', '.join(sorted(unknown))}")
    return args.sets or (["twonorm", "wisconsin"] if args.quick else known)


def _describe(outcome: Outcome) -> str:
    found = outcome.labels
    figures = f"{found.flagged} flagged, {found.found} of {found.wrong} wrong ones"
    return f"{outcome.key}: {figures}, {found.seconds:.3g} s"
