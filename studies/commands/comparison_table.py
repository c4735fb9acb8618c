"""The table of a comparison, one row per algorithm, and what it says."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from frankboost.certificate import rounded
from frankboost.cli.arguments import printable
from frankboost.cli.certificates import WHY
from studies.running.outcome import Outcome

COLUMNS = {
    "algorithm": "<13", "rounds": ">6", "hypotheses": ">10", "support": ">7", "soft margin": ">11",
    "bound": ">8", "gap": ">8", "status": "<11", "oracle s": ">8", "rule s": ">7", "total s": ">7",
    "CPU s": ">7", "train error %": ">13",
}  # fmt: skip
LEGEND = (
    "In every row soft margin <= optimum <= bound, where the optimum is the largest soft margin of any "
    "ensemble over the hypothesis class; so this one is at most gap = bound - soft margin short of the best. "
    "A round is one call of the weak learner; hypotheses counts the different ones it found, support those "
    "that the ensemble uses; oracle s and rule s are the seconds in the weak learner and in moving the "
    "weights, total s those of the whole fit, CPU s its CPU seconds; train error is on the same rows."
)
HEURISTIC = "since trees of this depth are searched greedily, which makes the bound a guess"


def title(outcome: Outcome) -> str:
    """The problem of an outcome: a data set, nu, tol and the hypothesis class."""
    fit, trial = outcome.fit, outcome.trial
    settings = f"m = {fit.m}, n = {fit.n_features}, nu = {trial.nu:g}, tol = {trial.tol:g}"
    return f"{printable(trial.dataset)}: {settings}, {fit.certificate.hypothesis_class}"


def finished_row(outcome: Outcome) -> str:
    """The row of an algorithm that has ended."""
    if outcome.failure:
        return f"{outcome.trial.algorithm:<13} failed: {outcome.failure.message}"
    fit = outcome.fit
    low, high = rounded(fit.certificate.soft_margin, math.floor), rounded(fit.certificate.bound, math.ceil)
    seconds = (fit.oracle_seconds or 0.0, fit.rule_seconds or 0.0, fit.wall_seconds, fit.cpu_seconds)
    return row([
        outcome.trial.algorithm,
        *map(str, (fit.rounds, fit.hypotheses, fit.support)),
        low, high, rounded(fit.certificate.gap, math.ceil),
        fit.certificate.status,
        *(f"{value:.2f}" for value in seconds),
        f"{100 * fit.training_error:.1f}",
    ])  # fmt: skip


def row(cells: Sequence[str]) -> str:
    """Cells under their titles."""
    return " ".join(f"{cell:{form}}" for cell, form in zip(cells, COLUMNS.values(), strict=True)).rstrip()


def summary(outcomes: Sequence[Outcome], width: int = 110) -> str:
    """What the columns mean, how many fits are certified, and which are not and why."""
    failed = [outcome for outcome in outcomes if _reason(outcome)]
    number = f"{len(outcomes) - len(failed)} of {len(outcomes)}" if failed else f"All {len(outcomes)}"
    text = f"{LEGEND} {number} fits are certified: gap <= tol."
    for reason in dict.fromkeys(map(_reason, failed)):
        text += f" Not certified, {reason}: {_listed(failed, reason)}."
    if any(outcome.done and outcome.fit.certificate.exact for outcome in failed):
        text += " What the row of a fit that ended early says is true all the same; its gap is just wider."
    return textwrap.fill(text, width, break_on_hyphens=False)


def _reason(outcome: Outcome) -> str:
    """Why a fit is not certified; empty if it is."""
    if outcome.failure:
        return "failed"
    promise = outcome.fit.certificate
    if not promise.exact:
        return HEURISTIC
    return "" if promise.gap <= promise.tol else WHY.get(promise.status, promise.status)


def _listed(outcomes: Sequence[Outcome], reason: str) -> str:
    sets: dict[str, list[str]] = {}
    for outcome in outcomes:
        if _reason(outcome) == reason:
            sets.setdefault(outcome.trial.algorithm, []).append(outcome.trial.dataset)
    return "; ".join(f"{algorithm} on {', '.join(where)}" for algorithm, where in sets.items())
