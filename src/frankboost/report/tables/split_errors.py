"""Test errors of every algorithm on one split, and the paper's."""

from __future__ import annotations

from statistics import fmean

from frankboost.report.content import Cell, ReportTable
from frankboost.report.results import Outcomes, label
from frankboost.report.tables import cells

PAPERS = ("LPB", "ERLPB", "MLPB-SS")

CAPTION = (
    "Test errors (fractions of the rows) on split 0, a fifth of the rows, at the nu that cross-validation "
    f"chose on the other four. {cells.CHOICE} Then the errors in the paper, whose split is another. All "
    "algorithms maximise the same soft margin; one that was ended early (see its note) need not have "
    "reached it. The last row is the mean over the sets that have every number that others have. "
) + cells.ABBREVIATIONS


def split_errors(outcomes: Outcomes) -> ReportTable | None:
    """One row per set."""
    first = outcomes.tests().where(partition=(0, 0))
    if not first:
        return None
    algorithms = list(first.by_algorithm())
    rows = [
        (cells.word(name), *(_cell(same.where(algorithm=each)) for each in algorithms), *_paper_cells(same))
        for name, same in first.by_set().items()
    ]
    columns = ("set", *map(label, algorithms), *(f"{label(each)}, paper" for each in PAPERS))
    title = "Test error of every algorithm"
    return ReportTable("errors-algorithms", title, CAPTION, columns, tuple(rows), (_means(rows),))


def _cell(outcomes: Outcomes) -> Cell:
    if not outcomes:
        return cells.NOTHING
    if not outcomes.done:
        return Cell("failed", None, outcomes.keys, outcomes.endings)
    note = cells.joined([f"nu = {outcomes[0].trial.nu:g}", outcomes.endings])
    return cells.number(outcomes[0].fit.test_error, cells.ERROR, outcomes.keys, note)


def _paper_cells(outcomes: Outcomes) -> list[Cell]:
    paper = outcomes.same_as_paper
    known = paper.errors if paper else {}
    return [cells.number(known[name], 2) if name in known else cells.NOTHING for name in PAPERS]


def _means(rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Means over the rows that have a number in every column that has numbers."""
    columns = list(zip(*(row[1:] for row in rows), strict=True))
    used = [column for column in columns if any(map(_is_number, column))]
    whole = [k for k in range(len(rows)) if all(_is_number(column[k]) for column in used)]
    note = cells.some_of(len(whole), len(rows), "sets")
    numbers = ([value for k in whole if isinstance(value := column[k].value, float)] for column in columns)
    means = (cells.number(fmean(each) if each else None, cells.ERROR, note=note) for each in numbers)
    return (Cell("mean", note=note), *means)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.value, float)
