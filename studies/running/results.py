"""The file of a study's results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from studies.algorithms import OURS
from studies.problems import WORST_CASE
from studies.running.line_file import Line, LineFile, open_lines, read_lines
from studies.running.outcome import Outcome
from studies.running.trial import Trial

NAME = "runs.jsonl"


def read(path: Path) -> dict[str, Outcome]:
    """The outcomes by key, the last line of each; a line that was cut off while it was written is left out.

    A ValueError names the file if another line is not a result, or lacks something.
    """
    return _outcomes(path, read_lines(path, itemgetter("key")))


@dataclass(eq=False)
class ResultsFile:
    """An open file of results, and the outcomes in it by key."""

    lines: LineFile[str]
    known: dict[str, Outcome]

    def add(self, outcome: Outcome) -> None:
        """Append a line; when this returns, it is on the disk. If it raises, nothing is there of it."""
        self.lines.add(outcome.to_json())
        self.known[outcome.key] = outcome

    def check_same(self, trials: Iterable[Trial], settings: Iterable[str]) -> None:
        """A ValueError if the file has outcomes of other settings, with which these cannot be compared.

        LevelBoost and the worst case have settings of their own.
        """
        planned = {_kind(trial): trial for trial in trials}
        for there in (outcome.trial for outcome in self.known.values()):
            asked = planned.get(_kind(there), there)
            for name in settings:
                old, new = getattr(there, name), getattr(asked, name)
                if old != new:
                    holds = f"{self.lines.file.name} holds results with {name} = {old}, not {new}"
                    raise ValueError(f"{holds}; choose another folder with --out")


@contextmanager
def open_results(path: Path) -> Iterator[ResultsFile]:
    """Open a file that one study at a time may add to."""
    with open_lines(path, itemgetter("key")) as lines:
        yield ResultsFile(lines, _outcomes(path, lines.known))


def _kind(trial: Trial) -> tuple[bool, bool]:
    return trial.algorithm == OURS, trial.dataset == WORST_CASE


def _outcomes(path: Path, lines: dict[str, Line]) -> dict[str, Outcome]:
    try:
        return {key: Outcome.from_json(line) for key, line in lines.items()}
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
