"""The file of a study's results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from studies.running.line_file import Line, LineFile, open_lines, read_lines
from studies.running.outcome import Outcome

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


@contextmanager
def open_results(path: Path) -> Iterator[ResultsFile]:
    """Open a file that one study at a time may add to."""
    with open_lines(path, itemgetter("key")) as lines:
        yield ResultsFile(lines, _outcomes(path, lines.known))


def _outcomes(path: Path, lines: dict[str, Line]) -> dict[str, Outcome]:
    try:
        return {key: Outcome.from_json(line) for key, line in lines.items()}
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
