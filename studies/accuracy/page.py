"""The scores as tables in Markdown, and a figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from studies.accuracy import figure
from studies.accuracy.rivals import DEFAULTS, EARLY, HELD_OUT, PATIENCE, REFERENCE, RIVALS, ROUNDS
from studies.accuracy.summary import MeanScore, Summary, best, summary_of
from studies.report.content import Cell, ReportTable
from studies.report.render.markdown import markdown
from studies.report.results import Outcomes
from studies.report.tables.cells import NOTHING, number, pivot, word
from studies.report.tables.endings import failures

NAME = "accuracy.md"
FIGURE = "accuracy.svg"


def write(outcomes: Outcomes, folder: Path) -> None:
    """Write the page and the figure beside the results."""
    summary = summary_of(outcomes)
    if not summary.sets:
        raise ValueError(f"{folder} has no set with a result of {REFERENCE}, to which all are compared")
    (folder / NAME).write_text(text(outcomes, summary), encoding="utf-8")
    figure.draw(summary, folder / FIGURE)


def text(outcomes: Outcomes, summary: Summary) -> str:
    """All tables, with the conditions under which they were made."""
    first, *others = [
        _overview(summary),
        _by_set("accuracy-errors", summary, lambda score: number(score.error, 4)),
        _against_best(summary),
        _by_set("accuracy-log-loss", summary, lambda score: number(score.log_loss, 4)),
        _by_set("accuracy-seconds", summary, lambda score: Cell(f"{score.fit_seconds:.3g}")),
        failures(outcomes),
    ]
    conditions = "\n".join(f"* {note}" for note in _conditions(outcomes))
    picture = f"![Errors against times of a fit]({FIGURE})"
    parts = [conditions, markdown(first), picture, *map(markdown, others)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _overview(summary: Summary) -> ReportTable | None:
    return pivot("accuracy", summary.models, {
        "contestant": word,
        "sets": lambda model: number(summary.count(model)),
        "error": lambda model: number(summary.ratio(model, "error"), 3),
        "best rival at its defaults": lambda model: number(summary.against_best(model, DEFAULTS), 3),
        "best rival": lambda model: number(summary.against_best(model, RIVALS), 3),
        "log-loss": lambda model: number(summary.ratio(model, "log_loss"), 3),
        "time of a fit": lambda model: number(summary.ratio(model, "fit_seconds"), 3),
        "time of predict": lambda model: number(summary.ratio(model, "predict_seconds"), 3),
        "AUC, mean": lambda model: number(summary.mean(model, "auc"), 4),
        "trees, mean": lambda model: number(summary.mean(model, "trees")),
    })  # fmt: skip


def _by_set(name: str, summary: Summary, cell: Callable[[MeanScore], Cell]) -> ReportTable | None:
    def column(model: str) -> Callable[[str], Cell]:
        return lambda dataset: (
            cell(summary.sets[dataset][model]) if model in summary.sets[dataset] else NOTHING
        )

    return pivot(name, summary.sets, {"set": word, **{model: column(model) for model in summary.models}})


def _against_best(summary: Summary) -> ReportTable | None:
    """Ours alone."""
    rivals = {dataset: best(row, RIVALS) for dataset, row in summary.sets.items()}

    def error(dataset: str) -> float:
        return summary.sets[dataset][rivals[dataset]].error

    def column(model: str) -> Callable[[str], Cell]:
        def cell(dataset: str) -> Cell:
            row = summary.sets[dataset]
            return number(row[model].error / error(dataset), 3) if model in row else NOTHING

        return cell

    ours = {model: column(model) for model in summary.models if model not in RIVALS}
    return pivot("accuracy-best", summary.sets, {
        "set": word,
        "best rival": lambda dataset: word(rivals[dataset]),
        "its error": lambda dataset: number(error(dataset), 4),
        **ours,
    })  # fmt: skip


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
