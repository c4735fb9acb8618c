"""Common parts of the commands that run studies: options, the file of results, and progress."""

from __future__ import annotations

import math
import os
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any, TextIO

from frankboost.cli.arguments import Parser, count, number
from frankboost.plugins import PluginError
from frankboost.progress import Live, is_terminal
from studies.algorithms import ALGORITHMS, TREE, algorithm_names, learner_names, load_plugins
from studies.report.results import Outcomes
from studies.running.outcome import Outcome
from studies.running.results import NAME, ResultsFile, open_results
from studies.running.runner import RunTrial, Study, run_missing
from studies.running.trial import Trial

WIDTH = 24
SCORED = """\
Each trial has a process of its own, and its result is a line of DIR/runs.jsonl as soon as it ends. Stop the
study at any moment and give the same command again: what is finished is not repeated. At the end it writes"""
LINE_SECONDS = 60.0  # between lines of progress, if the output is not a terminal


def add_algorithm_options(parser: Parser, algorithms: str) -> None:
    """Add the options for algorithms and weak learners; `algorithms` is the help text of the first."""
    add = parser.add_argument
    known = name_list(algorithm_names(), or_all=True)
    add("--algorithms", metavar="LIST", type=known, default=list(ALGORITHMS), help=algorithms)
    add("--learner", metavar="NAME", choices=learner_names(), default=TREE,
        help="a weak learner that an installed package adds, instead of trees")  # fmt: skip


def add_scored_options(parser: Parser, part: str, *, limit: float, test_rows: int, data_needed: bool) -> None:
    """Add the options of a study whose results are scores."""
    add, data = parser.add_argument, os.environ.get("FRANKBOOST_DATA")
    add("--data", type=Path, metavar="DIR", required=data_needed and not data, default=data and Path(data),
        help="folder with .npz files, or with folders of them (default: $FRANKBOOST_DATA)")  # fmt: skip
    add("--out", type=Path, default=Path("build", part), metavar="DIR",
        help="where results go (default: %(default)s)")  # fmt: skip
    add("--sets", nargs="+", metavar="NAME", help="some of the sets (default: all)")
    add("--test-rows", metavar="N", type=count(), default=test_rows,
        help="the largest number of test rows, drawn at random (default: %(default)s)")  # fmt: skip
    add("--limit", metavar="SECONDS", type=number(), default=limit,
        help="the largest number of wall-clock seconds per trial (default: %(default)g)")  # fmt: skip
    add("--retry", action="store_true", help="repeat the trials that failed")


def check_plugins(parser: Parser, algorithms: Sequence[str], learner: str) -> None:
    """End the program with status 2 if a plugin fails, before every trial fails for that reason."""
    try:
        load_plugins(algorithms, learner)
    except PluginError as error:
        parser.error(str(error))


def open_results_file(parser: Parser, stack: ExitStack, folder: Path) -> ResultsFile:
    """Open the file of results in a folder; a failure ends the program with status 2."""
    try:
        return stack.enter_context(open_results(folder / NAME))
    except (FileExistsError, NotADirectoryError):
        parser.error(f"argument --out: must be a folder; {folder} is a file, or is in one")
    except (OSError, ValueError) as error:
        parser.error(f"argument --out: {error}")


def run_study(
    part: str,
    trials: Sequence[Trial],
    file: ResultsFile,
    run_trial: RunTrial,
    *,
    jobs: int = 1,
    resumable: bool = True,
    describe: Callable[[Outcome], str] | None = None,
    **settings: Any,
) -> None:
    """Run trials, show the progress on standard error, and say how to continue after an interrupt."""
    progress = StudyProgress(part, sys.stderr, jobs, describe)
    try:
        run_missing(trials, file, progress, run_trial, jobs=jobs, **settings)
    except KeyboardInterrupt:
        if resumable:
            where = f"what is finished is in {file.name}"
            print(f"{where}: the same command goes on from there", file=sys.stderr)
        raise
    finally:
        progress.close()


def run_scored_study(
    parser: Parser,
    args: Namespace,
    part: str,
    plan: Callable[[Namespace], list[Trial]],
    *,
    conditions: Iterable[str],
    write: Callable[[Outcomes, Path], Path],
    **settings: Any,
) -> int:
    """Run trials whose results are scores, and write a page of all results; returns the exit status.

    Results in the file must have the same `conditions`, which are names of settings of a trial.
    """
    with ExitStack() as stack:
        try:
            trials = plan(args)
            file = open_results_file(parser, stack, args.out)
            file.check_same(trials, conditions)
        except (ValueError, OSError) as error:
            parser.error(str(error))
        run_study(part, trials, file, folder=args.data, **settings)
        try:
            page = write(Outcomes(file.known.values()), args.out)
        except ValueError as error:
            parser.error(str(error))
    print(page)
    return 0


def select_installed(packages: Mapping[str, Sequence[str]]) -> list[str]:
    """The names whose packages are installed; a message names those that are left out."""
    missing = {name: [each for each in needed if not find_spec(each)] for name, needed in packages.items()}
    for name, lacking in missing.items():
        if lacking:
            print(f"{name} is left out: it needs the package {' and '.join(lacking)}", file=sys.stderr)
    return [name for name, lacking in missing.items() if not lacking]


def number_list(text: str) -> list[float]:
    """Parse numbers in (0, 1], separated by commas; repeated numbers are left out."""
    return list(dict.fromkeys(map(number(at_most=1.0), _words(text))))


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()] or [text]


def name_list(known: Iterable[str], *, or_all: bool = False) -> Callable[[str], list[str]]:
    """A parser of known names, in any case, separated by commas, or of the word "all"."""
    known = list(known)
    by_lower = {name.lower(): name for name in reversed(known)}
    allowed = ", ".join(known) + (" or all" if or_all else "")

    def parse(text: str) -> list[str]:
        if or_all and text.strip().lower() == "all":
            return known
        words = _words(text)
        for word in words:
            if word.lower() not in by_lower:
                raise ArgumentTypeError(f"must be names from {allowed}; got {word!r}")
        return list(dict.fromkeys(by_lower[word.lower()] for word in words))

    return parse


class StudyProgress:
    """An observer that shows the progress of a part of a study, and how long the rest may take.

    `describe` makes the line that is printed after a trial; without it there is no line.
    """

    def __init__(
        self,
        part: str,
        stream: TextIO,
        jobs: int = 1,
        describe: Callable[[Outcome], str] | None = None,
    ) -> None:
        self._part, self._jobs, self._describe = part, jobs, describe
        self._terminal = is_terminal(stream)
        self._live = Live(stream, stream) if self._terminal else Live(stream, every=LINE_SECONDS, lines=True)
        self._reported = 0  # the number of ended trials that have their line
        self._text = ""

    def __call__(self, study: Study) -> None:
        """Print lines for trials that ended since the last call, and the progress if it is time."""
        for outcome, _ in study.ended[self._reported :]:
            if outcome.failure:
                self._live.line(f"{outcome.key} failed: {outcome.failure.message}")
            elif self._describe:
                self._live.line(self._describe(outcome))
        self._reported = len(study.ended)
        self._text = text = self._bar(study)
        running = f"  {', '.join(each.trial.key for each in study.running)}" if self._terminal else ""
        if study.running:
            self._live.show(lambda: text + running)

    def close(self) -> None:
        """Print the last state, after the end or an interrupt."""
        self._live.line(self._text)

    def _bar(self, study: Study) -> str:
        finished = study.before + len(study.ended)
        total = finished + len(study.running) + len(study.waiting)
        done = int(WIDTH * finished / total) if total else WIDTH
        failures = sum(not outcome.done for outcome, _ in study.ended)
        failed = f", {failures} failed" if failures else ""
        took = ((outcome.trial, seconds) for outcome, seconds in study.ended)
        left = estimate_time(took, study.waiting) / self._jobs
        rest = f", about {format_seconds(left)} left" if study.waiting and not math.isnan(left) else ""
        return f"{self._part:<10} [{'#' * done:.<{WIDTH}}] {finished}/{total}{failed}{rest}"


def estimate_time(took: Iterable[tuple[Trial, float]], waiting: Sequence[Trial]) -> float:
    """Estimate the seconds of trials one after the other from those of other trials; NaN if there are none.

    The estimate is the mean over the trials of the same part and algorithm, or else over all trials.
    """
    seconds: dict[tuple[str, str], list[float]] = {}
    for trial, each in took:
        seconds.setdefault((trial.part, trial.algorithm), []).append(each)
    if not seconds:
        return math.nan
    mean = fmean(each for same in seconds.values() for each in same)
    return sum(fmean(seconds.get((trial.part, trial.algorithm), [mean])) for trial in waiting)


def format_seconds(seconds: float) -> str:
    """A duration in words, with the precision of an estimate."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"
