"""Validation errors, and the nu that they choose."""

from __future__ import annotations

from statistics import fmean

from frankboost.experiments.paper import best_nu, errors_aside
from frankboost.report.content import Cell, ReportTable
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import ERROR, number, several, word

CAPTION = (
    "Mean validation error (fraction of the rows) at each nu, over the folds of all splits, and the nu "
    "chosen for each split in turn: the one of least mean validation error over the split's own folds, the "
    "larger of two that tie; - until they are all done. Notes tell of fits that were ended early."
)


def cross_validation(outcomes: Outcomes) -> ReportTable | None:
    """One row for each set and algorithm."""
    validated = outcomes.where(part="cv")
    if not validated:
        return None
    nus = validated.nus
    rows = [
        (word(name), word(label(algorithm)), *_cells(same, nus))
        for name, of_set in validated.by_set().items()
        for algorithm, same in of_set.by_algorithm().items()
    ]
    columns = ("set", "algorithm", *(f"error at nu = {nu:g}" for nu in nus), "nu chosen, by split")
    return ReportTable("cross-validation", "Cross-validation", CAPTION, columns, tuple(rows))


def chosen_nu(folds: Outcomes, nus: list[float]) -> float | None:
    """The nu of least mean validation error over a split's folds, ties to the larger; None before the end."""
    return best_nu({nu: errors_aside(folds.where(nu=nu)) for nu in nus})


def _cells(outcomes: Outcomes, nus: list[float]) -> list[Cell]:
    splits = outcomes.by("partition")
    chosen = [chosen_nu(splits[split], nus) for split in sorted(splits)]
    known = [nu for nu in chosen if nu is not None]
    note = "some folds are missing" if len(known) < len(chosen) else ""
    choice = Cell(several(chosen), fmean(known) if known else None, note=note)
    return [*(_mean(outcomes.where(nu=nu)) for nu in nus), choice]


def _mean(folds: Outcomes) -> Cell:
    errors = errors_aside(folds)
    return number(fmean(errors) if errors else None, ERROR, folds.keys, folds.endings)
