"""What the commands that run studies share: options, the file of results, and how far a study is."""

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
from studies.running.runner import Do, Study, run_all
from studies.running.trial import Trial

WIDTH = 24
SCORED = """\
Each trial has a process of its own, and its result is a line of DIR/runs.jsonl as soon as it ends. Stop the
study at any moment and give the same command again: what is finished is not repeated. At the end it writes"""
OTHERWISE = 60.0  # seconds between lines where nothing can be taken back


def add_algorithms(parser: Parser, algorithms: str) -> None:
    """The options for algorithms and weak learners, those of other packages included."""
    add = parser.add_argument
    add("--algorithms", metavar="LIST", type=names(algorithm_names(), or_all=True), default=list(ALGORITHMS),
        help=algorithms)  # fmt: skip
    add("--learner", metavar="NAME", choices=learner_names(), default=TREE,
        help="a weak learner that an installed package adds, instead of trees")  # fmt: skip


def add_scored(parser: Parser, part: str, *, limit: float, test_rows: int, data_needed: bool) -> None:
    """The options of the studies of a part whose results are scores."""
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
    """Say at once what every trial would say of a package that does not work: an end with status 2."""
    try:
        load_plugins(algorithms, learner)
    except PluginError as error:
        parser.error(str(error))


def opened(parser: Parser, stack: ExitStack, folder: Path) -> ResultsFile:
    """The file of results in a folder, or an end with status 2."""
    try:
        return stack.enter_context(open_results(folder / NAME))
    except (FileExistsError, NotADirectoryError):
        parser.error(f"argument --out: must be a folder; {folder} is a file, or is in one")
    except (OSError, ValueError) as error:
        parser.error(f"argument --out: {error}")


def study(
    part: str,
    trials: Sequence[Trial],
    file: ResultsFile,
    do: Do,
    *,
    jobs: int = 1,
    resumable: bool = True,
    shown: Callable[[Outcome], str] | None = None,
    **settings: Any,
) -> None:
    """Run trials, tell on standard error how far it is, and say how to go on after an interrupt."""
    progress = StudyProgress(part, sys.stderr, jobs, shown)
    try:
        run_all(trials, file, progress, do, jobs=jobs, **settings)
    except KeyboardInterrupt:
        if resumable:
            where = f"what is finished is in {file.name}"
            print(f"{where}: the same command goes on from there", file=sys.stderr)
        raise
    finally:
        progress.close()


def scored_study(
    parser: Parser,
    args: Namespace,
    part: str,
    planned: Callable[[Namespace], list[Trial]],
    *,
    conditions: Iterable[str],
    write: Callable[[Outcomes, Path], Path],
    **settings: Any,
) -> int:
    """Run trials that end with scores, and write a page of all that are known; the exit status."""
    with ExitStack() as stack:
        try:
            trials = planned(args)
            file = opened(parser, stack, args.out)
            file.check_same(trials, conditions)
        except (ValueError, OSError) as error:
            parser.error(str(error))
        study(part, trials, file, folder=args.data, **settings)
        try:
            page = write(Outcomes(file.known.values()), args.out)
        except ValueError as error:
            parser.error(str(error))
    print(page)
    return 0


def installed(packages: Mapping[str, Sequence[str]]) -> list[str]:
    """The names whose packages are installed; the others are told of."""
    lacking = {name: [each for each in needed if not find_spec(each)] for name, needed in packages.items()}
    for name, missing in lacking.items():
        if missing:
            print(f"{name} is left out: it needs the package {' and '.join(missing)}", file=sys.stderr)
    return [name for name, missing in lacking.items() if not missing]


def numbers(text: str) -> list[float]:
    """A comma list of numbers in (0, 1], each once."""
    return list(dict.fromkeys(map(number(at_most=1.0), _words(text))))


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()] or [text]


def names(known: Iterable[str], *, or_all: bool = False) -> Callable[[str], list[str]]:
    """A comma list of known names, in any case, each once; or the word "all"."""
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
    """An observer that tells a stream how far a part of a study is, and how long the rest may take.

    `shown` says what is told of a trial that is done; None: nothing.
    """

    def __init__(
        self,
        part: str,
        stream: TextIO,
        jobs: int = 1,
        shown: Callable[[Outcome], str] | None = None,
    ) -> None:
        self._part, self._jobs, self._shown = part, jobs, shown
        self._terminal = is_terminal(stream)
        self._live = Live(stream, stream) if self._terminal else Live(stream, every=OTHERWISE, lines=True)
        self._told = 0  # of those that ended
        self._text = ""

    def __call__(self, study: Study) -> None:
        """Tell of trials that ended since the last time, and of the whole if it is time."""
        for outcome, _ in study.ended[self._told :]:
            if outcome.failure:
                self._live.line(f"{outcome.key} failed: {outcome.failure.message}")
            elif self._shown:
                self._live.line(self._shown(outcome))
        self._told = len(study.ended)
        self._text = text = self._bar(study)
        running = f"  {', '.join(each.trial.key for each in study.running)}" if self._terminal else ""
        if study.running:
            self._live.show(lambda: text + running)

    def close(self) -> None:
        """All done, or interrupted."""
        self._live.line(self._text)

    def _bar(self, study: Study) -> str:
        finished = study.before + len(study.ended)
        total = finished + len(study.running) + len(study.waiting)
        done = int(WIDTH * finished / total) if total else WIDTH
        failures = sum(not outcome.done for outcome, _ in study.ended)
        failed = f", {failures} failed" if failures else ""
        took = ((outcome.trial, seconds) for outcome, seconds in study.ended)
        left = time_left(took, study.waiting) / self._jobs
        rest = f", about {duration(left)} left" if study.waiting and not math.isnan(left) else ""
        return f"{self._part:<10} [{'#' * done:.<{WIDTH}}] {finished}/{total}{failed}{rest}"


def time_left(took: Iterable[tuple[Trial, float]], waiting: Sequence[Trial]) -> float:
    """Seconds for trials one after the other, from those that others took; NaN if nothing is known yet.

    A trial takes as long as those of its part and algorithm did on average, or as all did.
    """
    seconds: dict[tuple[str, str], list[float]] = {}
    for trial, each in took:
        seconds.setdefault((trial.part, trial.algorithm), []).append(each)
    if not seconds:
        return math.nan
    mean = fmean(each for same in seconds.values() for each in same)
    return sum(fmean(seconds.get((trial.part, trial.algorithm), [mean])) for trial in waiting)


def duration(seconds: float) -> str:
    """To the precision that a guess has."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"
