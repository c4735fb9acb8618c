"""What the commands that run studies share: the file of results, and a study that tells how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from frankboost.cli.arguments import Parser
from frankboost.plugins import PluginError
from studies.algorithms import ALGORITHMS, algorithm_names, load_plugins
from studies.commands.arguments import names
from studies.commands.progress import StudyProgress
from studies.problems import TREE, learner_names
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
    shown: Callable[[Outcome], str] | None = None,
    **settings: Any,
) -> None:
    """Run trials, tell on standard error how far it is, and say how to go on after an interrupt."""
    progress = StudyProgress(part, sys.stderr, jobs, shown)
    try:
        run_all(trials, file, progress, do, jobs=jobs, **settings)
    except KeyboardInterrupt:
        where = file.lines.file.name
        print(f"what is finished is in {where}: the same command goes on from there", file=sys.stderr)
        raise
    finally:
        progress.close()
