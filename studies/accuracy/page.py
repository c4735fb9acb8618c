"""The results as Markdown tables and a figure.

cd benchmarks && python -m accuracy.page DIR      # with results.jsonl in it
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from studies.accuracy import figure, records
from studies.accuracy.rivals import DEFAULTS, EARLY, HELD_OUT, PATIENCE, REFERENCE, RIVALS, ROUNDS
from studies.accuracy.summary import Cell, Summary, best, summary_of
from studies.accuracy.trial import DONE
from studies.running.line_file import Line

NAME = "accuracy.md"
FIGURE = "accuracy.svg"


def write(folder: Path) -> None:
    """Write the page and the figure beside the results."""
    lines = records.read(folder / records.NAME)
    summary = summary_of(lines)
    if not summary.cells:
        raise ValueError(f"{folder} has no set with a result of {REFERENCE}, to which all are compared")
    (folder / NAME).write_text(markdown(lines, summary), encoding="utf-8")
    figure.draw(summary, folder / FIGURE)


def markdown(lines: list[Line], summary: Summary) -> str:
    """All tables, with the conditions under which they were made."""
    models = summary.models
    parts = [
        "\n".join(f"* {note}" for note in _conditions(lines)),
        "Geometric means over the sets of what a contestant has over what "
        f"`{REFERENCE}` has; in columns 4 and 5, over the least error of the rivals on each set.",
        _overview(summary, models),
        f"![Errors against times of a fit]({FIGURE})",
        "Errors, means over the splits:",
        _by_set(summary, models, lambda cell: f"{cell.error:.4f}"),
        "Errors of ours over the least of the rivals:",
        _against_best(summary, [model for model in models if model not in RIVALS]),
        "Log-loss:",
        _by_set(summary, models, lambda cell: f"{cell.log_loss:.4f}"),
        "Seconds of a fit:",
        _by_set(summary, models, lambda cell: f"{cell.fit_seconds:.3g}"),
    ]
    failed = [line for line in lines if line["status"] != DONE]
    if failed:
        parts += ["Without a result:", "\n".join(map(_failure, failed))]
    return "\n\n".join(parts) + "\n"


def _overview(summary: Summary, models: list[str]) -> str:
    head = ["", "sets", "error", "best rival at its defaults", "best rival", "log-loss", "time of a fit",
            "time of predict", "AUC, mean", "trees, mean"]  # fmt: skip
    rows = []
    for model in models:
        auc, trees = summary.mean(model, "auc"), summary.mean(model, "trees")
        ratios = [
            summary.ratio(model, "error"),
            summary.against_best(model, DEFAULTS),
            summary.against_best(model, RIVALS),
            summary.ratio(model, "log_loss"),
            summary.ratio(model, "fit_seconds"),
            summary.ratio(model, "predict_seconds"),
        ]
        means = [f"{auc:.4f}", "-" if trees is None else f"{trees:.0f}"]
        rows.append([model, str(summary.count(model)), *(f"{ratio:.3f}" for ratio in ratios), *means])
    return _table(head, rows)


def _by_set(summary: Summary, models: list[str], shown: Callable[[Cell], str]) -> str:
    rows = [
        [name, *(shown(row[model]) if model in row else "-" for model in models)]
        for name, row in summary.cells.items()
    ]
    return _table(["set", *models], rows)


def _against_best(summary: Summary, models: list[str]) -> str:
    rows = []
    for name, row in summary.cells.items():
        rival = best(row, RIVALS)
        ratios = [f"{row[model].error / row[rival].error:.3f}" if model in row else "-" for model in models]
        rows.append([name, rival, f"{row[rival].error:.4f}", *ratios])
    return _table(["set", "best rival", "its error", *models], rows)


def _conditions(lines: list[Line]) -> list[str]:
    days = sorted({line["date"][:10] for line in lines})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    machines = {"{cpu}, {cores} cores, {memory}; {os}".format(**line["machine"]) for line in lines}
    versions = {f"{name} {each}" for line in lines for name, each in line["versions"].items()}
    first = lines[0]
    splits = max(line["split"] for line in lines) + 1
    return [
        f"{when}. {' | '.join(sorted(machines))}. {', '.join(sorted(versions, key=str.lower))}.",
        f"At most {first['train_rows']:,} training rows and {first['test_rows']:,} test rows, up to {splits} "
        f"splits a set, {first['threads']} threads; seconds by the wall clock, one fit at a time.",
        f'All are at their defaults, with settings as shown. "{EARLY}": {HELD_OUT:.0%} of the training rows '
        f"are held out, and a fit of up to {ROUNDS} rounds ends after {PATIENCE} without a gain there.",
        "A set counts for a contestant that has a result on all its splits. An error or a log-loss of less "
        "than half a mistake on all test rows counts as that.",
    ]


def _failure(line: Line) -> str:
    return f"* {line['set']}, split {line['split']}, {line['model']}: {line['status']}, {line['message']}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
