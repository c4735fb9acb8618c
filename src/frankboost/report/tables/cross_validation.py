"""Validation errors, and the nu that they choose."""

from __future__ import annotations

from statistics import fmean

from frankboost.experiments.paper import best_nu
from frankboost.report.content import Cell, Table
from frankboost.report.selection import (
    Run,
    Runs,
    by_algorithm,
    by_set,
    done,
    endings,
    grouped,
    keys,
    label,
    nus,
    part,
    partition,
)
from frankboost.report.tables.cells import ERROR, decimal, several

CAPTION = (
    "Mean validation error (fraction of the rows) at each nu, over the folds of all splits, and the nu "
    "chosen for each split in turn: the one of least mean validation error over the split's own folds, the "
    "larger of two that tie; - until they are all done. Notes tell of fits that were ended early."
)


def cross_validation(runs: Runs) -> Table | None:
    """A row for each set and algorithm."""
    validated = part(runs, "cv")
    if not validated:
        return None
    every = nus(validated)
    rows = [
        (Cell(name, name), Cell(label(algorithm), label(algorithm)), *_cells(same, every))
        for name, its in by_set(validated).items()
        for algorithm, same in by_algorithm(its).items()
    ]
    columns = ("set", "algorithm", *(f"error at nu = {nu:g}" for nu in every), "nu chosen, by split")
    return Table("cross-validation", "Cross-validation", CAPTION, columns, tuple(rows))


def chosen_nu(folds: list[Run], every_nu: list[float]) -> float | None:
    """The nu of least mean validation error over a split's folds, ties to the larger; None before the end."""
    return best_nu({nu: _errors([run for run in folds if run["nu"] == nu]) for nu in every_nu})


def _cells(its: list[Run], every_nu: list[float]) -> list[Cell]:
    at = grouped(its, lambda run: float(run["nu"]))
    splits = grouped(its, partition)
    chosen = [chosen_nu(splits[split], every_nu) for split in sorted(splits)]
    known = [nu for nu in chosen if nu is not None]
    note = "some folds are missing" if len(known) < len(chosen) else ""
    choice = Cell(several(chosen), fmean(known) if known else None, note=note)
    return [*(_mean(at.get(nu, [])) for nu in every_nu), choice]


def _mean(its: list[Run]) -> Cell:
    errors = _errors(its)
    return decimal(fmean(errors) if errors else None, ERROR, keys(its), endings(its))


def _errors(its: list[Run]) -> list[float]:
    return [float(run["test_error"]) for run in its if done(run)]
