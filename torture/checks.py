"""Odd CSV files that are fitted: `verify` and tools/check_certificate.py accept and reject the same.

But for files that were changed and have certificates as good: a proof is of the data that it was made for,
and the checker says so.
"""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.random import Generator

import frankboost as fb
from torture.checker import refusal
from torture.child import apart
from torture.commands import run
from torture.kind import Failure, Tried, require
from torture.odd_tables import OddTable, odd_table

SECONDS = 60.0
Check = Callable[[Path, Path], str]
OTHER_DATA = "the proof was made for other data"


def attempt(seed: int) -> Tried:
    """One file, its proof, and changed files with the same proof."""
    return apart(checks, seed, seconds=SECONDS)


def checks(seed: int, check: Check = refusal) -> Tried:
    """The same in this process."""
    rng = np.random.default_rng([29, seed])
    table, depth = odd_table(rng), str(rng.integers(1, 3))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, model = str(folder / "data.csv"), str(folder / "model.json")
        Path(data).write_bytes(table.text().encode())
        fit = ["fit", data, "--target", "y", "--model", model, "--nu", "0.5", "--max-depth", depth]
        if run(fit, table.text()).status != 0:
            return Tried({"not fitted": 1})
        verify = ["verify", data, "--model", model, "--exact"]
        whole = run([*verify, "--write", str(folder / "proof.json")], table.text())
        require(whole.status == 0, f"fitted and not verified: {whole.err}\n{table}")
        _agree(folder, table, table, whole.status, check)
        tried = Tried({"proved": 1})
        for what, (changed, must) in _changes(rng, table, fb.load(model)).items():
            Path(data).write_bytes(changed.text().encode())
            status = run(verify, changed.text()).status
            require(not (must and status == 0), f"verify accepts {what}\n{changed}")
            _agree(folder, changed, table, status, check)
            tried[f"{what}: {'proved' if status == 0 else 'rejected'}"] += 1
    return tried


def _agree(folder: Path, table: OddTable, proved: OddTable, status: int, check: Check) -> None:
    reason = check(folder / "data.csv", folder / "proof.json")
    if bool(reason) != bool(status) and not (status == 0 and table != proved and OTHER_DATA in reason):
        shutil.copytree(folder, kept := tempfile.mkdtemp(prefix="torture-"), dirs_exist_ok=True)
        told = f"verify ended with status {status}, and the checker says {reason or 'PROVED'}"
        raise Failure(f"{told}\n{kept}/data.csv: {table}")


def _changes(
    rng: Generator, table: OddTable, model: fb.SoftMarginClassifier
) -> dict[str, tuple[OddTable, bool]]:
    """Changed tables, and whether they must be rejected: others may have certificates as good."""
    rows, k = list(table.rows), int(rng.integers(len(table.rows)))
    other = dict(zip(table.labels, (*table.labels[1:], table.labels[0]), strict=True))
    flipped = [(*row[:-1], other[row[-1]]) for row in rows]
    claims = model.certificate_
    clear = isinstance(claims, fb.Certificate) and claims.soft_margin > 0
    changed = {
        "a row less": ([*rows[:k], *rows[k + 1 :]], True),
        "a row twice": ([*rows, rows[k]], True),
        "another label": ([*rows[:k], flipped[k], *rows[k + 1 :]], False),
        "other labels": (flipped, clear and len(table.labels) == 2),
        "other rows": ([(*a[:-1], b[-1]) for a, b in zip(rows, rows[1:] + rows[:1], strict=True)], False),
    }
    return {
        what: (dataclasses.replace(table, rows=tuple(new)), must) for what, (new, must) in changed.items()
    }
