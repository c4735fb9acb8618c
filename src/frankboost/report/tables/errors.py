"""LevelBoost's test errors against the paper's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean

from frankboost.experiments.comparison import OURS
from frankboost.experiments.paper import errors_aside
from frankboost.report.content import Cell, ReportTable
from frankboost.report.numbers import PooledError, count, pooled, verdict
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import CHOICE, ERROR, NOTHING, integer, joined, number, several, word

RIVAL = "MLPB-SS"

CAPTION = (
    "Test errors (fractions of the rows). A fifth of the rows is the test set, another in each split (0, 1, "
    f"...), with nu chosen by cross-validation on the other four. {CHOICE} Where there are more than five "
    "splits, the rows were shuffled and split anew. The mean counts every tested row alike. s.e. is our "
    "standard error: the larger of the binomial one, sqrt(p (1 - p) / n) with p = (errors + 1) / (n + 2) "
    "and n the rows tested, each counted once, and that of the spread over the splits of a shuffle. The "
    "paper's "
    f"{label(RIVAL)} is of one split, printed with two decimals; how many rows it tested the paper does not "
    "say, and its s.e. is the binomial one for m/5, with the rounding. difference is our mean less the "
    "paper's. better and worse mean more than two standard errors apart, no worse anything between: by our "
    "standard error alone (strict, for it takes the paper's number as exact), and by both, sqrt(ours^2 + "
    "paper's^2). - where the paper has no number, or its set has another shape."
)
COLUMNS = (
    "set", "m", "nu, by split", "LevelBoost, split 0", "LevelBoost, mean", "s.e.",
    f"{label(RIVAL)}, paper", "s.e. of the paper's", "difference", "in our s.e.",
    "verdict by our s.e.", "verdict by both s.e.",
)  # fmt: skip


@dataclass(frozen=True)
class SetError:
    """LevelBoost on one set, over its splits, and the paper's number for it if there is one."""

    name: str
    outcomes: Outcomes
    ours: PooledError
    paper: float | None
    paper_standard_error: float

    @property
    def difference(self) -> float:
        """Our mean less the paper's error."""
        return self.ours.mean - (math.nan if self.paper is None else self.paper)

    def verdict(self, *, strict: bool) -> str:
        """By our standard error alone, or by both."""
        paper = 0.0 if strict else self.paper_standard_error
        return verdict(self.difference, math.hypot(self.ours.standard_error, paper))


def set_errors(outcomes: Outcomes) -> list[SetError]:
    """LevelBoost on every set that has a test error, by the last outcome of each split."""
    ours = outcomes.tests().where(algorithm=OURS).done.filter(lambda outcome: outcome.fit.m_test)
    return [_set_error(name, same) for name, same in ours.by_set().items()]


def errors(outcomes: Outcomes) -> ReportTable | None:
    """One row per set."""
    rows = tuple(map(_row, set_errors(outcomes)))
    return ReportTable("errors", "Test error against the paper's", CAPTION, COLUMNS, rows) if rows else None


def _set_error(name: str, outcomes: Outcomes) -> SetError:
    ordered = Outcomes(sorted(outcomes, key=lambda outcome: outcome.trial.partition))
    sizes = [outcome.fit.m_test for outcome in ordered]
    shuffles = len({outcome.trial.seed for outcome in ordered})
    paper = ordered.same_as_paper
    known = paper is not None and RIVAL in paper.errors
    return SetError(
        name,
        ordered,
        pooled(errors_aside(ordered), sizes, shuffles),
        paper.errors[RIVAL] if paper and known else None,
        paper.standard_error(RIVAL) if paper and known else 0.0,
    )


def _row(each: SetError) -> tuple[Cell, ...]:
    m, _ = each.outcomes.shape or (0, 0)
    nus = [outcome.trial.nu for outcome in each.outcomes]
    first = each.outcomes.where(partition=(0, 0))
    note = joined([f"over {count(len(each.outcomes), 'split')}", each.outcomes.endings])
    return (
        word(each.name),
        integer(m),
        Cell(several(nus), fmean(nus)),
        number(first[0].fit.test_error, ERROR, first.keys) if first else NOTHING,
        number(each.ours.mean, ERROR, each.outcomes.keys, note),
        number(each.ours.standard_error, ERROR),
        *_comparison(each),
    )


def _comparison(each: SetError) -> list[Cell]:
    if each.paper is None:
        return [NOTHING] * 6
    apart = each.difference / each.ours.standard_error
    return [
        number(each.paper, 2),
        number(each.paper_standard_error, ERROR),
        Cell(f"{each.difference:+.{ERROR}f}", each.difference),
        Cell(f"{apart:+.1f}", apart),
        word(each.verdict(strict=True)),
        word(each.verdict(strict=False)),
    ]
