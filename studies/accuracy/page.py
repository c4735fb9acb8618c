"""The page of the study: tables in Markdown, and a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from studies.accuracy.contestants import EARLY, HELD_OUT, PATIENCE, REFERENCE, RIVALS, ROUNDS
from studies.accuracy.summary import DIFFERENCES, errors, groups, mean_scores, summary
from studies.report.numbers import count
from studies.report.render.scatter import draw_points, plain_ticks, save
from studies.report.render.text import page
from studies.report.results import Outcomes
from studies.report.tables.cells import frame_table
from studies.report.tables.endings import failures

NAME = "accuracy.md"
FIGURE = "accuracy.svg"
SUMMARY = {
    "sets": ("sets", ".0f"), "test_error": ("error", ".3f"), "record": ("wins, ties, losses", ""),
    "log_loss": ("log-loss", ".3f"), "auc": ("AUC", "+.4f"), "average_precision": ("PR-AUC", "+.4f"),
    "brier": ("Brier score", "+.4f"), "calibration_error": ("calibration error", "+.4f"),
    "fit_seconds": ("time of a fit", ".3f"), "predict_seconds": ("time of predict", ".3f"),
    "trees": ("trees", ".0f"),
}  # fmt: skip
RIVALRY = {"best_default": ("best rival at its defaults", ".3f"), "best_rival": ("best rival", ".3f")}


def write(outcomes: Outcomes, folder: Path) -> Path:
    """Write the page and the figure beside the results; returns the path of the page."""
    if not any(each.done and each.trial.algorithm == REFERENCE for each in outcomes):
        raise ValueError(f"{folder} has no set with a result of {REFERENCE}, to which all are compared")
    means = mean_scores(outcomes)
    (folder / NAME).write_text(_text(outcomes, means), encoding="utf-8")
    draw(summary(means), folder / FIGURE)
    return folder / NAME


def _text(outcomes: Outcomes, means: Any) -> str:
    whole = summary(means)
    order = list(whole.index)
    by_set = {
        "errors": ("test_error", ".4f"),
        "log-loss": ("log_loss", ".4f"),
        "seconds": ("fit_seconds", ".3g"),
    }
    scores = [
        frame_table(f"accuracy-{name}", "set", means[score].unstack()[order], form)
        for name, (score, form) in by_set.items()
    ]
    return page(
        _conditions(outcomes),
        *(
            frame_table(name, "contestant", _summary_in_words(some), SUMMARY)
            for name, some in groups(means).items()
        ),
        f"![Errors against times of a fit]({FIGURE})",
        frame_table("accuracy-rivals", "contestant", whole, RIVALRY),
        frame_table("accuracy-best", "set", _against_best(means, order), ".3f"),
        *scores,
        failures(outcomes),
    )


def _summary_in_words(means: Any) -> Any:
    """The summary of some means; the row of the reference has its scores instead of differences."""
    table = summary(means).astype(object)
    table["record"] = table[["wins", "ties", "losses"]].astype(int).astype(str).agg(", ".join, axis=1)
    table.loc[REFERENCE, "record"] = float("nan")
    for name in DIFFERENCES:
        if table.notna().loc[REFERENCE, name]:
            table.loc[REFERENCE, name] = f"{table.loc[REFERENCE, name]:.4f}"
    return table


def _against_best(means: Any, order: list[str]) -> Any:
    """The best rival on each set, its error, and the ratios of our errors to it."""
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
        f"At most {trial.train_rows:,} training rows and {trial.test_rows:,} test rows, up to "
        f"{count(splits, 'split')} per set, {count(trial.threads, 'thread')} per fit; seconds by the wall "
        "clock.",
        f'All are at their defaults, with settings as shown. "{EARLY}": {HELD_OUT:.0%} of the training rows '
        f"are held out, and a fit of up to {ROUNDS} rounds ends after {PATIENCE} without a gain there.",
        "A set counts for a contestant that has a result on all its splits. An error or a log-loss of less "
        "than half a mistake on all test rows counts as that.",
    ]


def draw(overview: Any, path: Path) -> None:
    """Draw errors against times, both as geometric means over the sets of ratios to the reference."""
    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log")
    axes.axhline(1, color="0.8", zorder=0)
    axes.axvline(1, color="0.8", zorder=0)
    axes.margins(x=0.25, y=0.1)
    axes.set(xlabel=f"time of a fit / {REFERENCE}", ylabel=f"error / {REFERENCE}")
    axes.set_title(f"Geometric means over {overview['sets'].max()} sets; lower left is better", fontsize=10)
    plain_ticks(axes.xaxis, (1, 2, 5))
    plain_ticks(axes.yaxis, (1, 1.2, 1.5, 2, 3, 5, 7, 8, 9))
    draw_points(axes, overview[["fit_seconds", "test_error"]], set(overview.index) - set(RIVALS))
    save(figure, path)
