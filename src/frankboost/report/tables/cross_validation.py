"""Validation errors, and the nu that they choose."""

from __future__ import annotations

from statistics import fmean

from frankboost.report.content import Cell, Table
from frankboost.report.selection import Run, Runs, by_algorithm, by_set, done, grouped, keys, label, part
from frankboost.report.tables.cells import ERROR, decimal, nothing

CAPTION = (
    "Mean validation error (fraction of the rows) at each nu, over the folds of all splits, and the nu "
    "chosen for each split in turn: the one of least mean validation error over the split's own folds, the "
    "larger of two that tie."
)


def cross_validation(runs: Runs) -> Table | None:
    """A row for each set and algorithm."""
    validated = part(runs, "cv")
    if not validated:
        return None
    nus = sorted({float(run["nu"]) for run in validated})
    rows = [
        (Cell(name, name), Cell(label(algorithm), label(algorithm)), *_cells(same, nus))
        for name, its in by_set(validated).items()
        for algorithm, same in by_algorithm(its).items()
    ]
    columns = ("set", "algorithm", *(f"error at nu = {nu:g}" for nu in nus), "nu chosen, by split")
    return Table("cross-validation", "Cross-validation", CAPTION, columns, tuple(rows))


def chosen_nu(folds: list[Run]) -> float | None:
    """The nu of least mean validation error over a split's folds, ties to the larger; None without any."""
    means = {nu: round(fmean(_errors(its)), 12) for nu, its in _by_nu(folds).items() if _errors(its)}
    return min(means, key=lambda nu: (means[nu], -nu), default=None)


def _cells(its: list[Run], nus: list[float]) -> list[Cell]:
    at = _by_nu(its)
    splits = grouped(its, lambda run: int(run["split"] or 0))
    chosen = [chosen_nu(splits[split]) for split in sorted(splits)]
    text = ", ".join("-" if nu is None else f"{nu:g}" for nu in chosen)
    known = [nu for nu in chosen if nu is not None]
    uneven = len({len(_errors(at.get(nu, []))) for nu in nus}) > 1
    choice = Cell(text, fmean(known) if known else None, note="some folds are missing" if uneven else "")
    return [*(_mean(at.get(nu, [])) for nu in nus), choice]


def _mean(its: list[Run]) -> Cell:
    errors = _errors(its)
    missing = len(its) - len(errors)
    note = f"{missing} of {len(its)} failed" if missing else ""
    return decimal(fmean(errors), ERROR, keys(its), note) if errors else nothing(note)


def _by_nu(its: list[Run]) -> dict[float, list[Run]]:
    return grouped(its, lambda run: float(run["nu"]))


def _errors(its: list[Run]) -> list[float]:
    return [float(run["test_error"]) for run in its if done(run)]
