"""`python -m studies accuracy`: errors and times of our classifiers and of other libraries'."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from frankboost.cli.arguments import Parser, count
from studies import sets
from studies.accuracy import page
from studies.accuracy.contestants import OURS, PACKAGES, RIVALS, parse_classifier
from studies.accuracy.scoring import score_trial
from studies.commands.study import SCORED, add_scored_options, run_scored_study, select_installed
from studies.running.outcome import ACCURACY, Outcome
from studies.running.trial import Trial

DESCRIPTION = f"""\
Fit every contestant to every split of every set in a folder, and test it: SoftMarginClassifier,
SoftMarginClassifierCV and other libraries' classifiers, those that are installed (pip install
frankboost[rivals]), at their defaults and, where they have it, with early stopping.

{SCORED}
  DIR/accuracy.md      tables of errors, log-losses, rankings, calibration and times over all sets of two
                       classes, over those with a rare class and over those of more classes, and for each set
  DIR/accuracy.svg     errors against times"""

EPILOG = """\
examples:
  python -m studies accuracy --data sets
  python -m studies accuracy --data sets --sets german heart --only 'SoftMarginClassifier()' 'XGBoost()'
  python -m studies accuracy --data sets --ours 'SoftMarginClassifier(max_depth=1)' --out build/stumps
  python -m studies accuracy --data sets --forget 'SoftMarginClassifier()'

A set is a file NAME.npz with X (m x d) and y (-1 or 1, or 0 to k - 1 of k > 2 classes). It may have `kind`,
a letter for each column, of which c means codes of categories; and `n_train`, the number of the first rows,
which are for training, or `train` with row numbers of official splits. `python benchmarks/r_sets.py DIR` and
`python benchmarks/many_classes.py DIR` make such files."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add_scored_options(parser, ACCURACY, limit=600.0, test_rows=20_000, data_needed=True)
    add("--only", nargs="+", default=[], metavar="MODEL",
        help="some of the contestants, such as 'LightGBM()' (default: all)")  # fmt: skip
    add("--ours", nargs="+", default=[], metavar="MODEL",
        help="further classifiers of ours, with their settings")  # fmt: skip
    add("--splits", metavar="N", type=count(), default=5,
        help="splits per set; a set with fewer official splits has these (default: %(default)s)")  # fmt: skip
    add("--train-rows", metavar="N", type=count(), default=20_000,
        help="the largest number of training rows, drawn at random (default: %(default)s)")  # fmt: skip
    add("--threads", metavar="N", type=count(), default=2, help="threads per fit (default: %(default)s)")
    add("--jobs", metavar="N", type=count(), default=1,
        help="fits side by side; each takes longer than alone (default: %(default)s)")  # fmt: skip
    add("--forget", nargs="+", default=[], metavar="MODEL", help="repeat the fits of these contestants")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    return run_scored_study(
        parser, args, ACCURACY, _trials, conditions=("train_rows", "test_rows", "threads"),
        run_trial=score_trial, write=page.write, describe=_describe, packages=PACKAGES, jobs=args.jobs,
        repeat=lambda known: known.trial.algorithm in args.forget or (args.retry and not known.done),
    )  # fmt: skip


def _trials(args: Namespace) -> list[Trial]:
    """The trials, split by split, so that an interrupted study has results on all sets."""
    names = select_installed(_packages(args.ours, args.only))
    paths = sets.find(args.data, args.sets)
    counts = {name: sets.split_count(path, args.splits, args.train_rows) for name, path in paths.items()}
    like = Trial(ACCURACY, "", "", 0.0, train_rows=args.train_rows, test_rows=args.test_rows,
                 threads=args.threads, time_limit=args.limit, memory_limit=0.0, clock="wall")  # fmt: skip
    return [
        replace(like, dataset=name, algorithm=model, split=split)
        for split in range(args.splits)
        for name in paths
        if split < counts[name]
        for model in names
    ]


def _packages(further: list[str], only: list[str]) -> dict[str, list[str]]:
    """The packages that each contestant needs, by name; `only` selects some of the contestants."""
    ours = [parse_classifier(text) for text in (*OURS, *further)]
    contestants = {each.name: each for each in ours} | RIVALS
    unknown = set(only) - set(contestants)
    if unknown:
        raise ValueError(f"--only must be among {', '.join(contestants)}; got {', '.join(sorted(unknown))}")
    return {name: [each.package] for name, each in contestants.items() if not only or name in only}


def _describe(outcome: Outcome) -> str:
    score = outcome.score
    figures = f"error {score.test_error:.4f}, log-loss {score.log_loss:.4f}, {score.fit_seconds:.3g} s"
    return f"{outcome.key}: {figures}"
