"""What the results say: means over the splits of a set, and ratios over the sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, geometric_mean
from typing import Literal

from studies.accuracy.rivals import REFERENCE
from studies.accuracy.trial import DONE
from studies.running.line_file import Line

Quantity = Literal["error", "log_loss", "fit_seconds", "predict_seconds"]


@dataclass(frozen=True)
class Cell:
    """A contestant on a set: means over its splits.

    An error or a log-loss of less than half a mistake on all test rows together is raised to that: the rows
    cannot tell smaller ones apart, and ratios are finite.
    """

    error: float
    auc: float
    log_loss: float
    fit_seconds: float
    predict_seconds: float
    trees: float | None


@dataclass(frozen=True, eq=False)
class Summary:
    """The cells by set and contestant; only those with a result on every split of the reference."""

    cells: dict[str, dict[str, Cell]]

    @property
    def models(self) -> list[str]:
        """Those with a cell, the smallest errors against the reference first."""
        names = {model for row in self.cells.values() for model in row}
        return sorted(names, key=lambda model: (self.ratio(model, "error"), model))

    def ratio(self, model: str, quantity: Quantity) -> float:
        """The geometric mean over the sets of a contestant's quantity over the reference's."""
        rows = [row for row in self.cells.values() if model in row]
        return geometric_mean(
            getattr(row[model], quantity) / getattr(row[REFERENCE], quantity) for row in rows
        )

    def against_best(self, model: str, rivals: Iterable[str]) -> float:
        """The geometric mean over the sets of its error over the least error of the rivals."""
        names = list(rivals)
        rows = [row for row in self.cells.values() if model in row]
        return geometric_mean(row[model].error / row[best(row, names)].error for row in rows)

    def mean(self, model: str, quantity: Literal["auc", "trees"]) -> float | None:
        """The mean over the sets; None where there is none."""
        values = [getattr(row[model], quantity) for row in self.cells.values() if model in row]
        return None if None in values else fmean(values)

    def count(self, model: str) -> int:
        """On how many sets it has a cell."""
        return sum(model in row for row in self.cells.values())


def summary_of(lines: Iterable[Line]) -> Summary:
    """Means over splits; sets without the reference are left out."""
    done: dict[str, dict[str, dict[int, Line]]] = {}
    for line in lines:
        if line["status"] == DONE:
            done.setdefault(line["set"], {}).setdefault(line["model"], {})[line["split"]] = line
    cells = {}
    for name, models in sorted(done.items()):
        splits = set(models.get(REFERENCE, ()))
        whole = {model: each for model, each in models.items() if splits and splits <= set(each)}
        if whole:
            cells[name] = {model: _cell([each[k] for k in splits]) for model, each in whole.items()}
    return Summary(cells)


def best(row: dict[str, Cell], names: Iterable[str]) -> str:
    """The one of the named with the least error on a set."""
    return min((name for name in names if name in row), key=lambda name: row[name].error)


def _cell(lines: list[Line]) -> Cell:
    means = {name: fmean(line[name] for line in lines) for name in ("auc", "fit_seconds", "predict_seconds")}
    half = 0.5 / sum(line["m_test"] for line in lines)
    trees = [line["trees"] for line in lines]
    return Cell(
        error=max(half, fmean(line["error"] for line in lines)),
        log_loss=max(half, fmean(line["log_loss"] for line in lines)),
        trees=None if None in trees else fmean(trees),
        **means,
    )
