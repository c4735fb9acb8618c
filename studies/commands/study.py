"""What the commands that run studies share: options, the file of results, and how far a study is."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from frankboost.cli.arguments import Parser, number
from frankboost.plugins import PluginError
from studies.algorithms import ALGORITHMS, TREE, algorithm_names, learner_names, load_plugins
from studies.commands.progress import StudyProgress
from studies.running.outcome import Outcome
from studies.running.results import NAME, ResultsFile, open_results
from studies.running.runner import run_all
from studies.running.trial import Trial
from studies.running.worker import Do


def add_algorithms(parser: Parser, algorithms: str) -> None:
    """The options for algorithms and weak learners, those of other packages included."""
    add = parser.add_argument
    add("--algorithms", metavar="LIST", type=names(algorithm_names(), or_all=True), default=list(ALGORITHMS),
        help=algorithms)  # fmt: skip
    add("--learner", metavar="NAME", choices=learner_names(), default=TREE,
        help="a weak learner that an installed package adds, instead of trees")  # fmt: skip


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


def numbers(*, at_most: float = math.inf) -> Callable[[str], list[float]]:
    """A comma list of such numbers, each once."""
    one = number(at_most=at_most)

    def parse(text: str) -> list[float]:
        words = [word.strip() for word in text.split(",") if word.strip()]
        return list(dict.fromkeys(one(word) for word in words or [text]))

    return parse


def names(known: Iterable[str], *, or_all: bool = False) -> Callable[[str], list[str]]:
    """A comma list of known names, in any case, each once; or the word "all"."""
    known = list(known)
    by_lower = {name.lower(): name for name in reversed(known)}
    allowed = ", ".join(known) + (" or all" if or_all else "")

    def parse(text: str) -> list[str]:
        if or_all and text.strip().lower() == "all":
            return known
        words = [word.strip() for word in text.split(",") if word.strip()]
        for word in words or [text]:
            if word.lower() not in by_lower:
                raise ArgumentTypeError(f"must be names from {allowed}; got {word!r}")
        return list(dict.fromkeys(by_lower[word.lower()] for word in words))

    return parse
