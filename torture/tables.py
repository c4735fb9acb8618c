"""Odd CSV, Parquet and Feather files through the command line: done, or one line that says what is wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.random import Generator

from torture.child import apart
from torture.commands import run
from torture.kind import Tried
from torture.mutations import of_bytes
from torture.odd_tables import odd_table, write_typed

SECONDS = 60.0  # of CPU time for the commands of one seed, which take about one
SHOWN = 3000  # bytes of a file in a report


def attempt(seed: int) -> Tried:
    """Two files: one is fitted, and both are predicted, evaluated and verified with that model."""
    return apart(tables, seed, seconds=SECONDS)


def tables(seed: int) -> Tried:
    """The same in this process."""
    rng, tried = np.random.default_rng([23, seed]), Tried()
    ending = str(rng.choice([".csv", ".parquet", ".feather"], p=[0.7, 0.2, 0.1]))
    with tempfile.TemporaryDirectory() as folder:
        data, other, model = (str(Path(folder, name)) for name in ("d" + ending, "o" + ending, "m.json"))
        about = "\n".join(f"{path}: {_write(rng, Path(path))[:SHOWN]!r}" for path in (data, other))
        depth = str(rng.integers(1, 3))
        fitted = run(
            ["fit", data, "--target", "y", "--model", model, "--nu", "0.5", "--max-depth", depth], about
        )
        tried[f"{ending} fit: status {fitted.status}"] += 1
        if not Path(model).exists():
            return tried
        for path in (data, other):
            for words in (
                ["predict", path],
                ["predict", path, "--proba"],
                ["evaluate", path],
                ["verify", path],
            ):
                ended = run([*words, "--model", model], about)
                tried[f"{ending} {words[0]}: status {ended.status}"] += 1
    return tried


def _write(rng: Generator, path: Path) -> bytes:
    """Write a file; the result is what it holds."""
    if path.suffix != ".csv":
        write_typed(rng, path)
        return path.read_bytes()
    data = odd_table(rng).text().encode()
    if rng.random() < 0.1:
        data = of_bytes(rng, data)
    path.write_bytes(data)
    return data
