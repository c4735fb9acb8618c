"""The page of the study: tables in Markdown, and a figure."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from studies.labels.scoring import FINDERS, OURS
from studies.report.content import ReportTable
from studies.report.render.scatter import draw_points, plain_ticks, save
from studies.report.render.text import page
from studies.report.results import Outcomes
from studies.report.tables.cells import frame_table
from studies.report.tables.endings import failures

NAME, FIGURE = "labels.md", "labels.svg"
SCORES = {
    "ap": ("average precision", ".3f"), "at_k": ("precision at k", ".3f"), "f1": ("F1 of the flags", ".3f"),
    "ratio": ("flagged over wrong", ".2f"), "error": ("test error over no cleaning", ".3f"),
    "perfect": ("over perfect cleaning", ".3f"), "seconds": ("CPU s", ".2f"),
}  # fmt: skip
LEAST = 0.001  # the least error in a ratio


def write(outcomes: Outcomes, folder: Path) -> Path:
    """Write the page and the figure beside the results; returns the path of the page."""
    frame = make_frame(outcomes)
    if frame.empty:
        raise ValueError(f"{folder} has no set and noise with results of all methods")
    (folder / NAME).write_text(_text(outcomes, frame), encoding="utf-8")
    draw(means(frame), folder / FIGURE)
    return folder / NAME


def make_frame(outcomes: Outcomes) -> Any:
    """A data frame with one row per trial, for the sets, noises and seeds with results of all methods."""
    where = {"set": "dataset", "noise": "noise", "finder": "algorithm", "seed": "seed"}
    frame = pd.DataFrame(
        {name: getattr(each.trial, field) for name, field in where.items()} | asdict(each.labels)
        for each in outcomes.done
    )
    if frame.empty:
        return frame
    wrong = frame["wrong"].where(frame["wrong"] > 0)
    errors = {name: frame[f"{name}_error"].clip(lower=LEAST) for name in ("cleaned", "dirty", "clean")}
    frame = frame.rename(columns={"average_precision": "ap"}).assign(
        f1=2.0 * frame["found"] / (frame["flagged"] + wrong),
        ratio=frame["flagged"] / wrong,
        error=errors["cleaned"] / errors["dirty"],
        perfect=errors["cleaned"] / errors["clean"],
        flagged=frame["flagged"] / frame["m"],
    )
    known = len(outcomes.by("algorithm"))
    return frame.groupby(["set", "noise", "seed"]).filter(lambda group: len(group) == known)


def means(frame: Any) -> Any:
    """A data frame with one row per method: means over the sets, the kinds of noise and the seeds."""
    return _ordered(_noisy(frame).groupby("finder")[list(SCORES)].mean())


def _noisy(frame: Any) -> Any:
    return frame[frame["noise"] != "none"]


def _ordered(table: Any) -> Any:
    return table.reindex([name for name in FINDERS if name in table.index])


def _text(outcomes: Outcomes, frame: Any) -> str:
    by_noise = [_pivot(f"labels-{name}", frame, "noise", name) for name in ("ap", "f1", "ratio", "error")]
    by_set = [_pivot(f"labels-{name}-sets", frame, "set", name) for name in ("ap", "f1")]
    return page(
        _conditions(outcomes, frame),
        frame_table("labels", "finder", means(frame), SCORES),
        f"![Average precision and F1 against CPU time]({FIGURE})",
        *by_noise,
        *by_set,
        _clean(frame),
        failures(outcomes),
    )


def _pivot(name: str, frame: Any, corner: str, column: str) -> ReportTable:
    table = _ordered(_noisy(frame).pivot_table(column, "finder", corner, sort=False)).T
    return frame_table(name, corner, table, SCORES[column][1])


def _clean(frame: Any) -> ReportTable | None:
    """The share of the rows that are flagged without noise."""
    none = frame[frame["noise"] == "none"]
    if none.empty:
        return None
    table = _ordered(none.groupby("finder")[["flagged", "flagged_right"]].mean())
    table.columns = ["of all rows", "of rows that the Bayes rule gets right"]
    return frame_table("labels-none", "finder", table, ".2%")


def _conditions(outcomes: Outcomes, frame: Any) -> list[str]:
    trial = outcomes[0].trial
    return [
        f"{outcomes.date}. {outcomes.machine}.",
        f"{frame['set'].nunique()} sets, {frame['noise'].nunique()} kinds of noise, "
        f"{frame['seed'].nunique()} draws; at most {trial.train_rows:,} rows, and {trial.test_rows:,} to "
        "test on. One thread, CPU seconds.",
        "cleanlab has its defaults, with probabilities of a cross-validation in 5 shuffled folds of a random "
        "forest of 200 trees and of the others at their defaults. label_issues has its defaults.",
        "Test errors are HistGradientBoosting's, fitted to the rows that are not flagged.",
    ]


def draw(table: Any, path: Path) -> None:
    """Draw average precision and F1 against CPU time."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    for axes, name in zip(figure.subplots(1, 2, sharex=True), ("ap", "f1"), strict=True):
        axes.set(xscale="log", xlabel="CPU seconds", ylabel=SCORES[name][0])
        axes.margins(x=0.35, y=0.2)
        plain_ticks(axes.xaxis, (1, 2, 5))
        draw_points(axes, table[["seconds", name]], [OURS])
    save(figure, path)
