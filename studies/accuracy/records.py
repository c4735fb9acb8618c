"""The file of results, one line per trial."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from studies.accuracy.trial import Trial
from studies.running.line_file import Line, LineFile, open_lines, read_lines

NAME = "results.jsonl"
CONDITIONS = ("train_rows", "test_rows", "threads")

Key = tuple[str, int, str]
Records = LineFile[Key]


def open_records(path: Path) -> AbstractContextManager[Records]:
    """Open a file that one run at a time may add to."""
    return open_lines(path, key_of)


def read(path: Path) -> list[Line]:
    """The last line of each trial; one that was cut off while it was written is left out."""
    return list(read_lines(path, key_of).values())


def missing(records: Records, trials: list[Trial]) -> list[Trial]:
    """Those without a line; a ValueError if the lines were made under other conditions."""
    for line in records.known.values() if trials else ():
        for name in CONDITIONS:  # which all trials of a run share
            there, asked = line[name], getattr(trials[0], name)
            if there != asked:
                raise ValueError(
                    f"{records.file.name} has {name} = {there}, not {asked}; choose another folder"
                )
    return [trial for trial in trials if trial.key not in records.known]


def key_of(line: Line) -> Key:
    """The trial of a line."""
    return line["set"], line["split"], line["model"]
