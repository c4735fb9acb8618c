"""The figures of a report: what each algorithm had reached by when, one panel per data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from frankboost.experiments.comparison import OURS
from frankboost.experiments.outcome import FitSummary, Outcome
from frankboost.report.captions import title_and_caption
from frankboost.report.content import Figure, Series
from frankboost.report.results import LABELS, Outcomes, label

SOONEST = 1e-4  # seconds; a clock may say 0, which has no logarithm
LEAST_GAP = 1e-6

Points = Iterable[tuple[float, float | None]]

SECONDS = "CPU time (s)"
MLPBOOST = (OURS, "MLPB-SS", "MLPB-PFW")


class Drawing(NamedTuple):
    """What is drawn of the fits of a part and some algorithms, and the figure, which has no panels yet."""

    part: str
    algorithms: Collection[str]
    points: Callable[[FitSummary], Points]
    figure: Figure


def _soft_margin(fit: FitSummary) -> Points:
    return zip(fit.trace.cpu_seconds, fit.trace.soft_margin, strict=True) if fit.trace else ()


def _gap(fit: FitSummary) -> Points:
    bounds = fit.trace.bound if fit.trace else ()
    pairs = zip(bounds, _soft_margin(fit), strict=True)
    return ((time, None if bound is None else bound - (low or 0.0)) for bound, (time, low) in pairs)


def _secondary(fit: FitSummary) -> Points:
    return zip(fit.trace.round, fit.trace.secondary, strict=True) if fit.trace else ()


def _test_error(fit: FitSummary) -> Points:
    return zip(fit.test_curve.cpu_seconds, fit.test_curve.test_error, strict=True) if fit.test_curve else ()


def _figure(name: str, x_label: str, y_label: str) -> Figure:
    return Figure(name, *title_and_caption(name), x_label, y_label, x_log=x_label == SECONDS)


DRAWN = (
    Drawing("times", LABELS, _soft_margin, _figure("soft-margin", SECONDS, "soft margin")),
    Drawing("curves", LABELS, _test_error, _figure("test-error", SECONDS, "test error")),
    Drawing("times", LABELS, _gap, replace(_figure("gap", SECONDS, "gap"), y_log=True)),
    Drawing("times", MLPBOOST, _secondary,
            replace(_figure("secondary-updates", "rounds", "secondary updates"), diagonal=True)),
    Drawing("times", ("FW", "PFW", *MLPBOOST), _soft_margin, _figure("frank-wolfe", SECONDS, "soft margin")),
)  # fmt: skip
FIGURES = tuple(drawing.figure.name for drawing in DRAWN)


def figures(outcomes: Outcomes) -> tuple[Figure, ...]:
    """Those that there are outcomes for."""
    made = (replace(drawing.figure, panels=_panels(outcomes, drawing)) for drawing in DRAWN)
    return tuple(figure for figure in made if figure.panels)


def _panels(outcomes: Outcomes, drawing: Drawing) -> dict[str, tuple[Series, ...]]:
    """The last fit of each algorithm at the least nu, by data set."""
    known = outcomes.where(part=drawing.part)
    shown = known.where(nu=min(known.nus, default=None)).done
    panels = {}
    for name, same in shown.by_set().items():
        last = [group[-1] for each, group in same.by_algorithm().items() if each in drawing.algorithms]
        panels[name] = tuple(line for line in (_series(outcome, drawing) for outcome in last) if line.x)
    return {name: lines for name, lines in panels.items() if lines}


def _series(outcome: Outcome, drawing: Drawing) -> Series:
    """A line, on a logarithmic axis from where that begins."""
    left = SOONEST if drawing.figure.x_log else -math.inf
    low = LEAST_GAP if drawing.figure.y_log else -math.inf
    known = ((max(x, left), y) for x, y in drawing.points(outcome.fit) if y is not None)
    points = [(float(x), float(max(y, low))) for x, y in known if math.isfinite(x + y)]
    x, y = tuple(x for x, _ in points), tuple(y for _, y in points)
    return Series(label(outcome.trial.algorithm), x, y, outcome.key)
