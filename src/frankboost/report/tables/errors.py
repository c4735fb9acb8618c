"""LevelBoost's test errors against the paper's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean

from frankboost.report.content import Cell, Table
from frankboost.report.paper_numbers import PaperSet
from frankboost.report.selection import (
    OURS,
    Run,
    Runs,
    by_set,
    done,
    endings,
    error_runs,
    keys,
    label,
    paper_set,
    partition,
    same_set,
    shape,
)
from frankboost.report.standard_error import PooledError, pooled, verdict
from frankboost.report.tables.cells import CHOICE, ERROR, decimal, integer, nothing, several
from frankboost.report.words import count

THEIRS = "MLPB-SS"

CAPTION = (
    "Test errors (fractions of the rows). A fifth of the rows is the test set, another in each split (0, 1, "
    f"...), with nu chosen by cross-validation on the other four. {CHOICE} Where there are more than five "
    "splits, the rows were shuffled and split anew. The mean counts every tested row alike. s.e. is our "
    "standard error: the larger of the binomial one, sqrt(p (1 - p) / n) with p = (errors + 1) / (n + 2) "
    "and n the rows tested, each counted once, and that of the spread over the splits of a shuffle. The "
    "paper's "
    f"{label(THEIRS)} is of one split, printed with two decimals; how many rows it tested the paper does not "
    "say, and its s.e. is the binomial one for m/5, with the rounding. difference is our mean less the "
    "paper's. better and worse mean more than two standard errors apart, no worse anything between: by our "
    "standard error alone (strict, for it takes the paper's number as exact), and by both, sqrt(ours^2 + "
    "paper's^2). - where the paper has no number, or its set has another shape."
)


@dataclass(frozen=True)
class Tested:
    """LevelBoost on one set, over its splits, and the paper's number for it if there is one."""

    name: str
    runs: list[Run]
    ours: PooledError
    paper: float | None
    paper_standard_error: float

    @property
    def difference(self) -> float:
        """Our mean less the paper's error."""
        return self.ours.mean - (math.nan if self.paper is None else self.paper)

    def verdict(self, *, strict: bool) -> str:
        """By our standard error alone, or by both."""
        theirs = 0.0 if strict else self.paper_standard_error
        return verdict(self.difference, math.hypot(self.ours.standard_error, theirs))


def tested(runs: Runs) -> list[Tested]:
    """LevelBoost on every set that has a test error, by the last result of each split."""
    every = []
    for name, its in by_set(error_runs(runs)).items():
        ours = sorted(
            (run for run in its if run["algorithm"] == OURS and done(run) and run["m_test"]),
            key=partition,
        )
        if ours:
            every.append(Tested(name, ours, pooled(ours), *_paper(ours, paper_set(ours))))
    return every


def errors(runs: Runs) -> Table | None:
    """A row a set."""
    rows = tuple(_row(each) for each in tested(runs))
    if not rows:
        return None
    columns = (
        "set", "m", "nu, by split", "LevelBoost, split 0", "LevelBoost, mean", "s.e.",
        f"{label(THEIRS)}, paper", "s.e. of the paper's", "difference", "in our s.e.",
        "verdict by our s.e.", "verdict by both s.e.",
    )  # fmt: skip
    return Table("errors", "Test error against the paper's", CAPTION, columns, rows)


def _paper(ours: list[Run], theirs: PaperSet | None) -> tuple[float | None, float]:
    if theirs is None or THEIRS not in theirs.errors or not same_set(ours, theirs):
        return None, 0.0
    return theirs.errors[THEIRS], theirs.standard_error(THEIRS)


def _row(each: Tested) -> tuple[Cell, ...]:
    m, _ = shape(each.runs) or (0, 0)
    nus = [float(run["nu"]) for run in each.runs]
    first = [run for run in each.runs if partition(run) == (0, 0)]
    note = "; ".join(filter(None, [f"over {count(len(each.runs), 'split')}", endings(each.runs)]))
    return (
        Cell(each.name, each.name),
        integer(m),
        Cell(several(nus), fmean(nus)),
        decimal(first[0]["test_error"], ERROR, keys(first)) if first else nothing(),
        decimal(each.ours.mean, ERROR, keys(each.runs), note),
        decimal(each.ours.standard_error, ERROR),
        *_comparison(each),
    )


def _comparison(each: Tested) -> list[Cell]:
    if each.paper is None:
        return [nothing()] * 6
    apart = each.difference / each.ours.standard_error
    verdicts = [each.verdict(strict=True), each.verdict(strict=False)]
    return [
        decimal(each.paper, 2),
        decimal(each.paper_standard_error, ERROR),
        Cell(f"{each.difference:+.{ERROR}f}", each.difference),
        Cell(f"{apart:+.1f}", apart),
        *(Cell(word, word) for word in verdicts),
    ]
