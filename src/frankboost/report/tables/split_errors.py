"""Test errors of every algorithm on one split, and the paper's."""

from __future__ import annotations

from statistics import fmean

from frankboost.report.content import Cell, Table
from frankboost.report.selection import (
    Run,
    Runs,
    by_algorithm,
    by_set,
    done,
    endings,
    error_runs,
    keys,
    label,
    paper_set,
    partition,
    same_set,
)
from frankboost.report.tables.cells import ABBREVIATIONS, CHOICE, ERROR, decimal, nothing

PAPERS = ("LPB", "ERLPB", "MLPB-SS")

CAPTION = (
    "Test errors (fractions of the rows) on split 0, a fifth of the rows, at the nu that cross-validation "
    f"chose on the other four. {CHOICE} Then the errors in the paper, whose split is another. All "
    "algorithms maximise the same soft margin; one that was ended early (see its note) need not have "
    "reached it. The last row is the mean over the sets that have every number that others have. "
) + ABBREVIATIONS


def split_errors(runs: Runs) -> Table | None:
    """A row a set."""
    first = [run for run in error_runs(runs) if partition(run) == (0, 0)]
    if not first:
        return None
    algorithms = list(by_algorithm(first))
    rows = [(Cell(name, name), *_ours(its, algorithms), *_theirs(its)) for name, its in by_set(first).items()]
    columns = ("set", *map(label, algorithms), *(f"{label(each)}, paper" for each in PAPERS))
    title = "Test error of every algorithm"
    return Table("errors-algorithms", title, CAPTION, columns, tuple(rows), (_means(rows),))


def _ours(its: list[Run], algorithms: list[str]) -> list[Cell]:
    by_name = by_algorithm(its)
    return [_cell(by_name[name][0]) if name in by_name else nothing() for name in algorithms]


def _cell(run: Run) -> Cell:
    if not done(run):
        return Cell("failed", None, keys([run]), endings([run]))
    note = "; ".join(filter(None, [f"nu = {run['nu']:g}", endings([run])]))
    return decimal(run["test_error"], ERROR, keys([run]), note)


def _theirs(its: list[Run]) -> list[Cell]:
    paper = paper_set(its)
    known = paper.errors if paper and same_set(its, paper) else {}
    return [decimal(known[name], 2) if name in known else nothing() for name in PAPERS]


def _means(rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    columns = [[cell.value for cell in column] for column in zip(*(row[1:] for row in rows), strict=True)]
    used = [column for column in columns if any(_known(value) for value in column)]
    whole = [k for k in range(len(rows)) if all(_known(column[k]) for column in used)]
    note = f"over {len(whole)} of {len(rows)} sets" if len(whole) < len(rows) else ""
    means = [_mean([value for k in whole if isinstance(value := column[k], float)]) for column in columns]
    return (Cell("mean", None, note=note), *(decimal(mean, ERROR, note=note) for mean in means))


def _known(value: float | str | None) -> bool:
    return isinstance(value, float)


def _mean(values: list[float]) -> float | None:
    return fmean(values) if values else None
