"""Rounds on the example that makes LPBoost slow."""

from __future__ import annotations

from frankboost.report.content import Cell, Table
from frankboost.report.selection import (
    Run,
    Runs,
    by_algorithm,
    closed,
    done,
    endings,
    grouped,
    keys,
    label,
    part,
)
from frankboost.report.tables.cells import decimal, integer, nothing

CAPTION = (
    "Rounds to the gap asked for on the LPBoost worst case of Warmuth, Glocer and Raetsch (2007): N "
    "examples, hard margin (nu = 1/N). The paper says that LPBoost takes N/2 rounds there and that MLPBoost "
    "and ERLPBoost take 2. > where a run was ended before its gap was closed."
)


def worst_case(runs: Runs) -> Table | None:
    """A row for each N."""
    part_runs = part(runs, "worst-case")
    if not part_runs:
        return None
    algorithms = list(by_algorithm(part_runs))
    by_size = grouped(part_runs, lambda run: int(run["rows"] or run["m"]))
    rows = []
    for n in sorted(by_size):
        its = by_algorithm(by_size[n])
        ours = [_cell(its.get(algorithm, [])) for algorithm in algorithms]
        rows.append((integer(n), *ours, decimal(n / 2, 0), integer(2)))
    rounds = (f"{label(each)} (rounds)" for each in algorithms)
    columns = ("N", *rounds, "LPB, paper (rounds)", "MLPB and ERLPB, paper (rounds)")
    return Table("worst-case", "LPBoost's worst case", CAPTION, columns, tuple(rows))


def _cell(its: list[Run]) -> Cell:
    if not its:
        return nothing()
    run = its[-1]
    if not done(run):
        return Cell("failed", None, keys([run]), endings([run]))
    rounds = run["rounds"]
    return Cell(f"{'' if closed(run) else '>'}{rounds}", float(rounds), keys([run]), endings([run]))
