"""The scores as tables in Markdown, and a figure."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from studies.accuracy import figure
from studies.accuracy.rivals import EARLY, HELD_OUT, PATIENCE, REFERENCE, RIVALS, ROUNDS
from studies.accuracy.summary import errors, mean_scores, overview
from studies.report.captions import title_and_caption
from studies.report.content import Cell, ReportTable
from studies.report.render.text import markdown
from studies.report.results import Outcomes
from studies.report.tables.endings import failures

NAME = "accuracy.md"
FIGURE = "accuracy.svg"
OVERVIEW = {
    "sets": ("sets", ".0f"), "test_error": ("error", ".3f"),
    "best_default": ("best rival at its defaults", ".3f"), "best_rival": ("best rival", ".3f"),
    "log_loss": ("log-loss", ".3f"), "fit_seconds": ("time of a fit", ".3f"),
    "predict_seconds": ("time of predict", ".3f"), "auc": ("AUC, mean", ".4f"),
    "trees": ("trees, mean", ".0f"),
}  # fmt: skip


def write(outcomes: Outcomes, folder: Path) -> None:
    """Write the page and the figure beside the results."""
    if not any(each.done and each.trial.algorithm == REFERENCE for each in outcomes):
        raise ValueError(f"{folder} has no set with a result of {REFERENCE}, to which all are compared")
    means = mean_scores(outcomes)
    (folder / NAME).write_text(text(outcomes, means), encoding="utf-8")
    figure.draw(overview(means), folder / FIGURE)


def text(outcomes: Outcomes, means: Any) -> str:
    """All tables, with the conditions under which they were made."""
    whole = overview(means)
    first = whole[list(OVERVIEW)].rename(columns={name: shown for name, (shown, _) in OVERVIEW.items()})
    order = list(whole.index)
    parts = [
        "\n".join(f"* {note}" for note in _conditions(outcomes)),
        markdown(_table("accuracy", "contestant", first, [form for _, form in OVERVIEW.values()])),
        f"![Errors against times of a fit]({FIGURE})",
        markdown(_table("accuracy-errors", "set", means["test_error"].unstack()[order], ".4f")),
        markdown(_table("accuracy-best", "set", _against_best(means, order), ".3f")),
        markdown(_table("accuracy-log-loss", "set", means["log_loss"].unstack()[order], ".4f")),
        markdown(_table("accuracy-seconds", "set", means["fit_seconds"].unstack()[order], ".3g")),
        markdown(failures(outcomes)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(name: str, corner: str, frame: Any, form: str | list[str]) -> ReportTable:
    """A frame as a table: numbers in a form, one for all columns or one for each."""
    forms = [form] * frame.shape[1] if isinstance(form, str) else form
    rows = tuple(
        (Cell(str(row)), *(_cell(value, each) for value, each in zip(values, forms, strict=True)))
        for row, values in zip(frame.index, frame.to_numpy(dtype=object), strict=True)
    )
    return ReportTable(name, *title_and_caption(name), (corner, *frame.columns), rows)


def _cell(value: Any, form: str) -> Cell:
    if isinstance(value, str):
        return Cell(value)
    return Cell("-") if math.isnan(value) else Cell(f"{value:{form}}")


def _against_best(means: Any, order: list[str]) -> Any:
    """The best rival on each set, its error, and the errors of ours over it."""
    rivals = errors(means, RIVALS)
    least = rivals.min(axis="columns")
    table = errors(means, [name for name in order if name not in RIVALS]).div(least, axis="index")
    table.insert(0, "best rival", rivals.idxmin(axis="columns"))
    table.insert(1, "its error", least.map("{:.4f}".format))
    return table


def _conditions(outcomes: Outcomes) -> list[str]:
    trial = outcomes[0].trial
    splits = 1 + max(each.trial.split or 0 for each in outcomes)
    return [
        f"{outcomes.date}. {outcomes.machine}.",
        f"At most {trial.train_rows:,} training rows and {trial.test_rows:,} test rows, up to {splits} "
        f"splits a set, {trial.threads} threads; seconds by the wall clock, one fit at a time.",
        f'All are at their defaults, with settings as shown. "{EARLY}": {HELD_OUT:.0%} of the training rows '
        f"are held out, and a fit of up to {ROUNDS} rounds ends after {PATIENCE} without a gain there.",
        "A set counts for a contestant that has a result on all its splits. An error or a log-loss of less "
        "than half a mistake on all test rows counts as that.",
    ]
