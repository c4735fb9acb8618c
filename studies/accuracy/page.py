"""The scores: means over the splits of a set, ratios over the sets, tables in Markdown, and a figure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from studies.accuracy.contestants import DEFAULTS, EARLY, HELD_OUT, PATIENCE, REFERENCE, RIVALS, ROUNDS
from studies.report.render.text import page
from studies.report.results import Outcomes
from studies.report.tables.cells import frame_table
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

OURS, OTHERS = "#b5282d", "#3b5b7a"
AXES = ["fit_seconds", "test_error"]
PLACES = [(side, 3 + 10 * step) for step in (0, -1, 1, -2, 2, -3, 3, -4, 4) for side in ("left", "right")]


def write(outcomes: Outcomes, folder: Path) -> Path:
    """Write the page and the figure beside the results; where the page is."""
    if not any(each.done and each.trial.algorithm == REFERENCE for each in outcomes):
        raise ValueError(f"{folder} has no set with a result of {REFERENCE}, to which all are compared")
    means = mean_scores(outcomes)
    whole = overview(means)
    (folder / NAME).write_text(_text(outcomes, means, whole), encoding="utf-8")
    draw(whole, folder / FIGURE)
    return folder / NAME


def _text(outcomes: Outcomes, means: Any, whole: Any) -> str:
    order, (names, forms) = list(whole.index), zip(*OVERVIEW.values(), strict=True)
    scores = {name: means[name].unstack()[order] for name in ("test_error", "log_loss", "fit_seconds")}
    return page(
        _conditions(outcomes),
        frame_table("accuracy", "contestant", whole[list(OVERVIEW)].set_axis(names, axis=1), forms),
        f"![Errors against times of a fit]({FIGURE})",
        frame_table("accuracy-errors", "set", scores["test_error"], ".4f"),
        frame_table("accuracy-best", "set", _against_best(means, order), ".3f"),
        frame_table("accuracy-log-loss", "set", scores["log_loss"], ".4f"),
        frame_table("accuracy-seconds", "set", scores["fit_seconds"], ".3g"),
        failures(outcomes),
    )


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


def mean_scores(outcomes: Outcomes) -> Any:
    """A frame of means over the splits, by set and contestant.

    A contestant has a row if it has a score on every split of the reference. An error or a log-loss of less
    than half a mistake on all test rows together is raised to that: the rows cannot tell smaller ones apart,
    and ratios are finite.
    """
    where = {"set": "set_name", "contestant": "algorithm", "split": "split"}
    scores = pd.DataFrame(
        {name: getattr(each.trial, field) for name, field in where.items()} | asdict(each.score)
        for each in outcomes.done
    ).astype({"trees": float})  # None where there are none
    asked = scores.loc[scores["contestant"] == REFERENCE, ["set", "split"]]
    grouped = scores.merge(asked).groupby(["set", "contestant"])
    means = grouped.mean().drop(columns="split")
    half = 0.5 / grouped["m_test"].sum()
    for name in ("test_error", "log_loss"):
        means[name] = np.maximum(means[name], half)
    whole = grouped.size() == asked.groupby("set").size().reindex(means.index, level="set")
    return means[whole]


def overview(means: Any) -> Any:
    """A frame with a row for each contestant, geometric means over the sets, the smallest error first.

    Ratios are to the reference, and the errors also to the least of the rivals on each set.
    """
    ratios = means.div(means.xs(REFERENCE, level="contestant"), level="set")
    frame = _geometric_means(ratios)
    frame["sets"] = means.groupby("contestant").size()
    for column, names in {"best_default": DEFAULTS, "best_rival": RIVALS}.items():
        least = errors(means, names).min(axis="columns")
        frame[column] = _geometric_means(means["test_error"].div(least, level="set"))
    for column in ("auc", "trees"):
        frame[column] = means[column].groupby("contestant").mean()
    return frame.sort_values("test_error", kind="stable")


def errors(means: Any, names: Collection[str]) -> Any:
    """A frame of errors, sets by contestants of these names."""
    table = means["test_error"].unstack()
    return table[[name for name in table.columns if name in names]]


def _geometric_means(ratios: Any) -> Any:
    return np.exp(np.log(ratios.astype(float)).groupby("contestant").mean())


def draw(overview: Any, path: Path) -> None:
    """Write a figure whose axes are ratios to the reference, both geometric means over the sets."""
    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log")
    points = dict(zip(overview.index, overview[AXES].to_numpy().tolist(), strict=True))
    for model, at in points.items():
        axes.plot(*at, "o", color=_colour(model))
    axes.axhline(1, color="0.8", zorder=0)
    axes.axvline(1, color="0.8", zorder=0)
    axes.margins(x=0.25, y=0.1)
    axes.set(xlabel=f"time of a fit / {REFERENCE}", ylabel=f"error / {REFERENCE}")
    axes.set_title(f"Geometric means over {overview['sets'].max()} sets; lower left is better", fontsize=10)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 1.2, 1.5, 2, 3, 5, 7, 8, 9)))
    axes.yaxis.set_minor_locator(NullLocator())
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    figure.draw_without_rendering()  # settles where the points are
    taken: list[Any] = []
    for model, at in points.items():
        taken.append(_label(axes, model, at, taken))
    with mpl.rc_context({"svg.hashsalt": "accuracy"}):  # the same bytes for the same results
        figure.savefig(path, metadata={"Date": None})


def _label(axes: Any, model: str, at: list[float], taken: list[Any]) -> Any:
    """Write a name beside its point, where no other is if there is such a place; the box it takes."""
    for side, up in PLACES:
        away = 7 if side == "left" else -7
        text = axes.annotate(
            model, at, (away, up), textcoords="offset points", ha=side, fontsize=8, color=_colour(model)
        )
        box = text.get_window_extent()
        if not any(box.overlaps(other) for other in taken) or (side, up) == PLACES[-1]:
            break
        text.remove()
    return box


def _colour(model: str) -> str:
    return OTHERS if model in RIVALS else OURS
