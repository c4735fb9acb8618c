"""The figures of a report: what each algorithm had reached by when, one panel per data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from frankboost.experiments.comparison import OURS
from frankboost.experiments.outcome import FitSummary, Outcome
from frankboost.report.content import Figure, Series
from frankboost.report.results import LABELS, Outcomes, label

SOONEST = 1e-4  # seconds; a clock may say 0, which has no logarithm
LEAST_GAP = 1e-6

Curve = tuple[Sequence[float], Sequence[float | None]]

SECONDS = "CPU time (s)"
MLPBOOST = (OURS, "MLPB-SS", "MLPB-PFW")
LEAST_NU = "at the least nu of the study"
OPEN = "A line that reaches the time limit ends there, its gap open."


def _soft_margin(fit: FitSummary) -> Curve:
    return (_since(fit.trace.cpu_seconds), fit.trace.soft_margin) if fit.trace else ([], [])


def _gap(fit: FitSummary) -> Curve:
    if fit.trace is None:
        return [], []
    both = zip(fit.trace.bound, fit.trace.soft_margin, strict=True)
    return _since(fit.trace.cpu_seconds), [None if a is None else max(a - b, LEAST_GAP) for a, b in both]


def _secondary(fit: FitSummary) -> Curve:
    return (fit.trace.round, fit.trace.secondary) if fit.trace else ([], [])


def _test_error(fit: FitSummary) -> Curve:
    return (_since(fit.test_curve.cpu_seconds), fit.test_curve.test_error) if fit.test_curve else ([], [])


def _since(times: Sequence[float]) -> list[float]:
    return [max(time, SOONEST) for time in times]


# What is drawn of which part and algorithms, and the figure without its panels.
DRAWN: tuple[tuple[str, Collection[str], Callable[[FitSummary], Curve], Figure], ...] = (
    ("times", LABELS, _soft_margin, Figure(
        "soft-margin", "Soft margin against CPU time",
        f"The soft margin of the best ensemble so far, {LEAST_NU}, on the whole set. {OPEN}",
        SECONDS, "soft margin", x_log=True,
    )),
    ("curves", LABELS, _test_error, Figure(
        "test-error", "Test error against CPU time",
        "The fraction of the test rows of split 0 that the best ensemble so far, by its soft margin, gets "
        f"wrong, {LEAST_NU}. {OPEN}",
        SECONDS, "test error", x_log=True,
    )),
    ("times", LABELS, _gap, Figure(
        "gap", "Gap against CPU time",
        "bound - soft margin, by which the best ensemble so far is at most short of the best there is, "
        f"{LEAST_NU}. A fit stops at tol. {OPEN} LevelBoost's line starts after its draft, whose bound is "
        f"about fewer trees. Gaps under {LEAST_GAP:g} are drawn there.",
        SECONDS, "gap", x_log=True, y_log=True,
    )),
    ("times", MLPBOOST, _secondary, Figure(
        "secondary-updates", "Secondary updates against rounds",
        "How many of MLPBoost's updates so far took the secondary rule's weights, which is LPBoost's, and "
        f"not Frank-Wolfe's, {LEAST_NU}. On the dotted line it is all of them, as it is for LevelBoost, "
        "which has one rule only.",
        "rounds", "secondary updates", diagonal=True,
    )),
    ("times", ("FW", "PFW", *MLPBOOST), _soft_margin, Figure(
        "frank-wolfe", "Frank-Wolfe alone and with a secondary rule",
        "The soft margin of the best ensemble so far of Frank-Wolfe with short steps (SS) and pairwise steps "
        f"(PFW), alone and with LPBoost's rule beside it, and of LevelBoost, {LEAST_NU}. {OPEN}",
        SECONDS, "soft margin", x_log=True,
    )),
)  # fmt: skip
FIGURES = tuple(figure.name for *_, figure in DRAWN)


def figures(outcomes: Outcomes) -> tuple[Figure, ...]:
    """Those that there are outcomes for."""
    made = (
        replace(figure, panels=_panels(outcomes.where(part=part), algorithms, curve))
        for part, algorithms, curve, figure in DRAWN
    )
    return tuple(figure for figure in made if figure.panels)


def _panels(
    outcomes: Outcomes, algorithms: Collection[str], curve: Callable[[FitSummary], Curve]
) -> dict[str, tuple[Series, ...]]:
    shown = outcomes.done.filter(lambda outcome: outcome.trial.algorithm in algorithms)
    at_least_nu = shown.where(nu=min(outcomes.nus, default=None))
    panels = {}
    for name, same in at_least_nu.by_set().items():
        series = [_series(group[-1], curve(group[-1].fit)) for group in same.by_algorithm().values()]
        panels[name] = tuple(line for line in series if line.x)
    return {name: lines for name, lines in panels.items() if lines}


def _series(outcome: Outcome, curve: Curve) -> Series:
    points = [
        (float(x), float(y)) for x, y in zip(*curve, strict=True) if y is not None and math.isfinite(x + y)
    ]
    x, y = tuple(x for x, _ in points), tuple(y for _, y in points)
    return Series(label(outcome.trial.algorithm), x, y, outcome.key)
