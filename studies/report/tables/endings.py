"""How trials ended: closed gaps, rounds on LPBoost's worst case, and failures."""

from __future__ import annotations

from statistics import median

from studies.report.content import Cell, ReportTable
from studies.report.results import Outcomes, label
from studies.report.tables.cells import ALGORITHM, NOTHING, SECONDS, number, pivot, where, word
from studies.running.outcome import Outcome

GAP = 5  # decimals


def closed_gaps(outcomes: Outcomes) -> ReportTable | None:
    """One row per algorithm."""
    groups = outcomes.where(part="times").by_algorithm().values()
    return pivot("closed", groups, {
        **ALGORITHM,
        "runs": lambda same: number(len(same)),
        "closed": lambda same: number(len(same.closed), runs=same.closed.keys),
        "open": lambda same: number(len(same.done) - len(same.closed)),
        "failed": lambda same: number(len(same) - len(same.done)),
        "CPU time, all (s)": lambda same: number(same.cpu_seconds, SECONDS, same.keys),
        "median gap": lambda same: number(median(map(_gap, same.done)) if same.done else None, GAP),
        "largest gap": _largest_gap,
    })  # fmt: skip


def _gap(outcome: Outcome) -> float:
    return outcome.fit.certificate.gap


def _largest_gap(outcomes: Outcomes) -> Cell:
    widest = max(outcomes.done, key=_gap, default=None)
    return number(_gap(widest), GAP, (widest.key,)) if widest else NOTHING


def worst_case(outcomes: Outcomes) -> ReportTable | None:
    """One row for each N."""
    known = outcomes.where(part="worst-case")
    sizes = [same for _, same in sorted(known.by("rows").items())]
    return pivot("worst-case", sizes, {
        "N": lambda same: number(same[0].trial.rows),
        **{f"{label(name)} (rounds)": where(_rounds, algorithm=name) for name in known.by_algorithm()},
        "LPB, paper (rounds)": lambda same: number((same[0].trial.rows or 0) / 2),
        "MLPB and ERLPB, paper (rounds)": lambda _: number(2),
    })  # fmt: skip


def _rounds(outcomes: Outcomes) -> Cell:
    last = Outcomes(outcomes[-1:])
    if not last.done:
        return Cell("failed", None, last.keys, last.endings)
    rounds = last[0].fit.rounds
    return Cell(f"{'' if last[0].closed else '>'}{rounds}", float(rounds), last.keys, last.endings)


def failures(outcomes: Outcomes) -> ReportTable | None:
    """One row per failed trial; no table if there is none."""
    failed = outcomes.filter(lambda outcome: outcome.failure).by_set_and_algorithm()
    known = [(outcome.trial, outcome.failure) for same in failed for outcome in same if outcome.failure]
    return pivot("failures", known, {
        "run": lambda each: Cell(each[0].key, each[0].key, (each[0].key,)),
        "part": lambda each: word(each[0].part),
        "set": lambda each: word(each[0].set_name),
        "algorithm": lambda each: word(label(each[0].algorithm)),
        "nu": lambda each: Cell(f"{each[0].nu:g}", each[0].nu),
        "kind": lambda each: word(each[1].kind),
        "message": lambda each: word(each[1].message),
    })  # fmt: skip
