"""Rounds on the example that makes LPBoost slow."""

from __future__ import annotations

from frankboost.report.content import Cell, ReportTable
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import NOTHING, integer, number

CAPTION = (
    "Rounds to the gap asked for on the LPBoost worst case of Warmuth, Glocer and Raetsch (2007): N "
    "examples, hard margin (nu = 1/N). The paper says that LPBoost takes N/2 rounds there and that MLPBoost "
    "and ERLPBoost take 2. > where a run was ended before its gap was closed."
)


def worst_case(outcomes: Outcomes) -> ReportTable | None:
    """One row for each N."""
    known = outcomes.where(part="worst-case")
    if not known:
        return None
    algorithms, sizes = list(known.by_algorithm()), known.by("rows")
    rows = [
        (
            integer(n),
            *(_cell(sizes[n].where(algorithm=each)) for each in algorithms),
            number(n / 2, 0),
            integer(2),
        )
        for n in sorted(sizes)
    ]
    rounds = (f"{label(each)} (rounds)" for each in algorithms)
    columns = ("N", *rounds, "LPB, paper (rounds)", "MLPB and ERLPB, paper (rounds)")
    return ReportTable("worst-case", "LPBoost's worst case", CAPTION, columns, tuple(rows))


def _cell(outcomes: Outcomes) -> Cell:
    if not outcomes:
        return NOTHING
    last = Outcomes(outcomes[-1:])
    if not last.done:
        return Cell("failed", None, last.keys, last.endings)
    rounds = last[0].fit.rounds
    return Cell(f"{'' if last[0].closed else '>'}{rounds}", float(rounds), last.keys, last.endings)
