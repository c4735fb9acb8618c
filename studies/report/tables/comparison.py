"""The certificate and the cost of each algorithm on one problem."""

from __future__ import annotations

import math
from collections.abc import Callable

from frankboost.certificate import rounded
from studies.report.content import Cell, ReportTable
from studies.report.results import Outcomes
from studies.report.tables.cells import NOTHING, number, pivot, word
from studies.running.outcome import FitSummary, Outcome


def comparison(outcomes: Outcomes) -> ReportTable | None:
    """One row per algorithm; soft margins are rounded down, bounds and gaps up."""
    return pivot("comparison", outcomes, {
        "algorithm": lambda each: word(each.trial.algorithm),
        "rounds": _of(lambda fit: number(fit.rounds)),
        "hypotheses": _of(lambda fit: number(fit.hypotheses)),
        "support": _of(lambda fit: number(fit.support)),
        "soft margin": _of(lambda fit: _rounded(fit.certificate.soft_margin, math.floor)),
        "bound": _of(lambda fit: _rounded(fit.certificate.bound, math.ceil)),
        "gap": _of(lambda fit: _rounded(fit.certificate.gap, math.ceil)),
        "status": _status,
        "oracle s": _of(lambda fit: number(fit.oracle_seconds, 2)),
        "rule s": _of(lambda fit: number(fit.rule_seconds, 2)),
        "wall s": _of(lambda fit: number(fit.wall_seconds, 2)),
        "CPU s": _of(lambda fit: number(fit.cpu_seconds, 2)),
        "limit s": lambda each: Cell(f"{each.trial.time_limit:g}", each.trial.time_limit),
        "train error %": _of(lambda fit: number(100.0 * fit.training_error, 1)),
    })  # fmt: skip


def problem(outcomes: Outcomes) -> str:
    """The problem of these outcomes: the data set, nu and tol, and the hypothesis class if a fit has
    ended."""
    trial = outcomes[0].trial
    settings = f"nu = {trial.nu:g}, tol = {trial.tol:g}"
    if not outcomes.done:
        return f"{trial.dataset}: {settings}"
    fit = outcomes.done[0].fit
    about = f"m = {fit.m}, n = {fit.n_features}, {settings}, {fit.certificate.hypothesis_class}"
    return f"{trial.dataset}: {about}"


def _of(cell: Callable[[FitSummary], Cell]) -> Callable[[Outcome], Cell]:
    return lambda outcome: cell(outcome.fit) if outcome.done else NOTHING


def _rounded(value: float, direction: Callable[[float], int]) -> Cell:
    return Cell(rounded(value, direction), value)


def _status(outcome: Outcome) -> Cell:
    if outcome.failure:
        return Cell("failed", "failed", note=outcome.failure.message)
    return word(outcome.fit.certificate.status)
