"""The figures of a report: what each algorithm had reached by when, a panel a data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from frankboost.report.content import Figure, Series
from frankboost.report.selection import LABELS, Run, Runs, by_algorithm, by_set, done, label, nus, part

SOONEST = 1e-4  # seconds; a clock may say 0, which has no logarithm
LEAST_GAP = 1e-6

Curve = tuple[Sequence[float | None], Sequence[float | None]]
Points = Callable[[Run], Curve]
Panels = dict[str, tuple[Series, ...]]

SECONDS = "CPU time (s)"
SOFT_MARGIN = "soft margin"
MLPBOOST = ("LEVEL", "MLPB-SS", "MLPB-PFW")
LEAST_NU = "at the least nu of the study"
OPEN = "A line that reaches the time limit ends there, its gap open."
FRANK_WOLFE = ("FW", "PFW", *MLPBOOST)


def figures(runs: Runs) -> tuple[Figure, ...]:
    """Those that there are runs for."""
    return tuple(figure for figure in _figures(runs) if figure.panels)


def _figures(runs: Runs) -> tuple[Figure, ...]:
    timed, curves = part(runs, "times"), part(runs, "curves")
    return (
        Figure(
            "soft-margin",
            "Soft margin against CPU time",
            f"The soft margin of the best ensemble so far, {LEAST_NU}, on the whole set. {OPEN}",
            SECONDS,
            SOFT_MARGIN,
            True,
            False,
            _panels(timed, LABELS, _soft_margin),
        ),
        Figure(
            "test-error",
            "Test error against CPU time",
            "The fraction of the test rows of split 0 that the best ensemble so far, by its soft margin, "
            f"gets wrong, {LEAST_NU}. {OPEN}",
            SECONDS,
            "test error",
            True,
            False,
            _panels(curves, LABELS, _test_error),
        ),
        Figure(
            "gap",
            "Gap against CPU time",
            "bound - soft margin, by which the best ensemble so far is at most short of the best there is, "
            f"{LEAST_NU}. A fit stops at tol. {OPEN} LevelBoost's line starts after its draft, whose bound "
            f"is about fewer trees. Gaps under {LEAST_GAP:g} are drawn there.",
            SECONDS,
            "gap",
            True,
            True,
            _panels(timed, LABELS, _gap),
        ),
        Figure(
            "secondary-updates",
            "Secondary updates against rounds",
            "How many of MLPBoost's updates so far took the secondary rule's weights, which is LPBoost's, "
            f"and not Frank-Wolfe's, {LEAST_NU}. On the dotted line it is all of them, as it is for "
            "LevelBoost, which has one rule only.",
            "rounds",
            "secondary updates",
            False,
            False,
            _panels(timed, MLPBOOST, _secondary),
            diagonal=True,
        ),
        Figure(
            "frank-wolfe",
            "Frank-Wolfe alone and with a secondary rule",
            "The soft margin of the best ensemble so far of Frank-Wolfe with short steps (SS) and pairwise "
            "steps (PFW), alone and with LPBoost's rule beside it, and of LevelBoost, "
            f"{LEAST_NU}. {OPEN}",
            SECONDS,
            SOFT_MARGIN,
            True,
            False,
            _panels(timed, FRANK_WOLFE, _soft_margin),
        ),
    )


def _panels(runs: list[Run], algorithms: Collection[str], points: Points) -> Panels:
    least = nus(runs)[:1]
    shown = [run for run in runs if done(run) and run["algorithm"] in algorithms and run["nu"] in least]
    panels = {}
    for name, its in by_set(shown).items():
        series = [_series(same[-1], points) for same in by_algorithm(its).values()]
        panels[name] = tuple(line for line in series if line.x)
    return {name: lines for name, lines in panels.items() if lines}


def _series(run: Run, points: Points) -> Series:
    finite = [
        (float(x), float(y))
        for x, y in zip(*points(run), strict=True)
        if x is not None and y is not None and math.isfinite(x) and math.isfinite(y)
    ]
    return Series(
        label(run["algorithm"]), tuple(x for x, _ in finite), tuple(y for _, y in finite), run["key"]
    )


def _seconds(records: Run) -> list[float]:
    return [max(time, SOONEST) for time in records["cpu_seconds"]]


def _soft_margin(run: Run) -> Curve:
    return _seconds(run["trace"]), run["trace"]["soft_margin"]


def _gap(run: Run) -> Curve:
    trace = run["trace"]
    both = zip(trace["bound"], trace["soft_margin"], strict=True)
    gaps = [None if a is None or b is None else max(a - b, LEAST_GAP) for a, b in both]
    return _seconds(trace), gaps


def _secondary(run: Run) -> Curve:
    return run["trace"]["round"], run["trace"]["secondary"]


def _test_error(run: Run) -> Curve:
    curve = run["test_curve"] or {"cpu_seconds": [], "test_error": []}
    return _seconds(curve), curve["test_error"]


FIGURES = tuple(figure.name for figure in _figures({}))
