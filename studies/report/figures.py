"""The figures of a report: the progress of each algorithm over time, one panel per data set."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from studies.algorithms import OURS
from studies.report.content import Figure, Series, title_and_caption
from studies.report.results import LABELS, Outcomes, label
from studies.running.outcome import Outcome

MLPBOOST = (OURS, "MLPB-SS", "MLPB-PFW")
AXES = {
    "cpu_seconds": "CPU time (s)",
    "round": "rounds",
    "soft_margin": "soft margin",
    "test_error": "test error",
    "gap": "gap",
    "secondary": "secondary updates",
}
# The least values on logarithmic axes; a time may be 0, which has no logarithm.
LEAST = {"cpu_seconds": 1e-4, "gap": 1e-6}


class Drawing(NamedTuple):
    """The definition of a figure: which fits it shows, and its axes."""

    part: str
    algorithms: Collection[str]
    x: str
    y: str


DRAWINGS = {
    "soft-margin": Drawing("times", LABELS, "cpu_seconds", "soft_margin"),
    "test-error": Drawing("curves", LABELS, "cpu_seconds", "test_error"),
    "gap": Drawing("times", LABELS, "cpu_seconds", "gap"),
    "secondary-updates": Drawing("times", MLPBOOST, "round", "secondary"),
    "frank-wolfe": Drawing("times", ("FW", "PFW", *MLPBOOST), "cpu_seconds", "soft_margin"),
}


def figures(outcomes: Outcomes) -> tuple[Figure, ...]:
    """All figures that have outcomes."""
    made = (_figure(name, drawing, outcomes) for name, drawing in DRAWINGS.items())
    return tuple(figure for figure in made if figure.panels)


def _figure(name: str, drawing: Drawing, outcomes: Outcomes) -> Figure:
    """A figure of the last fit of each algorithm at the smallest nu."""
    known = outcomes.where(part=drawing.part)
    shown = known.where(nu=min(known.nus, default=None)).done
    panels = {}
    for dataset, same in shown.by_set().items():
        last = [group[-1] for each, group in same.by_algorithm().items() if each in drawing.algorithms]
        panels[dataset] = tuple(line for line in (_series(outcome, drawing) for outcome in last) if line.x)
    return Figure(
        name,
        *title_and_caption(name),
        AXES[drawing.x],
        AXES[drawing.y],
        x_log=drawing.x in LEAST,
        y_log=drawing.y in LEAST,
        diagonal=drawing.y == "secondary",
        panels={dataset: lines for dataset, lines in panels.items() if lines},
    )


def _series(outcome: Outcome, drawing: Drawing) -> Series:
    """The line of a fit; values below the least value of a logarithmic axis are raised to it."""
    curve = vars(outcome.fit.test_curve if drawing.part == "curves" else outcome.fit.trace)
    left, low = LEAST.get(drawing.x, -math.inf), LEAST.get(drawing.y, -math.inf)
    pairs = zip(curve[drawing.x], _gaps(curve) if drawing.y == "gap" else curve[drawing.y], strict=True)
    known = [(float(x), float(y)) for x, y in pairs if y is not None and math.isfinite(x + y)]
    xs, ys = tuple(max(x, left) for x, _ in known), tuple(max(y, low) for _, y in known)
    return Series(label(outcome.trial.algorithm), xs, ys, outcome.key)


def _gaps(curve: Mapping[str, Any]) -> list[float | None]:
    pairs = zip(curve["bound"], curve["soft_margin"], strict=True)
    return [None if bound is None else bound - soft_margin for bound, soft_margin in pairs]
