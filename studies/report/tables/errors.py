"""Test errors beside the paper's, the errors of every algorithm on one split, and the chosen nu."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from studies.algorithms import OURS
from studies.plan import best_nu, held_out_errors
from studies.report.content import Cell, ReportTable
from studies.report.numbers import MeanError, count, pool_errors, verdict
from studies.report.paper_numbers import TESTED
from studies.report.results import Outcomes, label
from studies.report.tables import cells
from studies.report.tables.cells import ERROR, number, word
from studies.running.trial import FIFTHS

RIVAL = "MLPB-SS"


@dataclass(frozen=True)
class SetError:
    """The error of LevelBoost on one set, over its splits, and the paper's error if there is one."""

    outcomes: Outcomes
    ours: MeanError
    paper: MeanError | None

    def difference(self, unit: float = 1.0) -> float | None:
        """Our mean minus the paper's error, divided by `unit`."""
        return None if self.paper is None else (self.ours.mean - self.paper.mean) / unit

    def verdict(self, *, strict: bool) -> str | None:
        """The comparison with the paper, by our standard error alone if `strict`, or else by both."""
        if self.paper is None:
            return None
        paper = 0.0 if strict else self.paper.standard_error
        return verdict(self.ours.mean - self.paper.mean, math.hypot(self.ours.standard_error, paper))


def errors(outcomes: Outcomes) -> ReportTable | None:
    """One row per set on which LevelBoost has a test error, from the last outcome of each split."""
    ours = outcomes.tests().where(algorithm=OURS).done.filter(lambda outcome: outcome.fit.m_test)
    in_turn = Outcomes(sorted(ours, key=lambda outcome: outcome.trial.partition))
    return cells.pivot("errors", map(_set_error, in_turn.by_set().values()), {
        "set": lambda each: cells.SET["set"](each.outcomes),
        "m": lambda each: cells.SET["m"](each.outcomes),
        "nu, by split": lambda each: _nus([outcome.trial.nu for outcome in each.outcomes]),
        "LevelBoost, split 0": lambda each: cells.where(_error, partition=(0, 0))(each.outcomes),
        "LevelBoost, mean": _mean,
        "s.e.": lambda each: number(each.ours.standard_error, ERROR),
        f"{label(RIVAL)}, paper": lambda each: number(each.paper.mean if each.paper else None, 2),
        "s.e. of the paper's": lambda each: number(each.paper.standard_error if each.paper else None, ERROR),
        "difference": lambda each: number(each.difference(), ERROR, sign="+"),
        "in our s.e.": lambda each: number(each.difference(each.ours.standard_error), 1, sign="+"),
        "verdict by our s.e.": lambda each: word(each.verdict(strict=True)),
        "verdict by both s.e.": lambda each: word(each.verdict(strict=False)),
    })  # fmt: skip


def _set_error(outcomes: Outcomes) -> SetError:
    sizes = [outcome.fit.m_test for outcome in outcomes]
    ours = pool_errors(held_out_errors(outcomes), sizes, shuffles=len(outcomes.by("seed")))
    paper = outcomes.same_as_paper
    return SetError(outcomes, ours, paper.error(RIVAL) if paper else None)


def _error(outcomes: Outcomes) -> Cell:
    return number(outcomes[0].fit.test_error, ERROR, outcomes.keys)


def _mean(each: SetError) -> Cell:
    note = cells.join_notes([f"over {count(len(each.outcomes), 'split')}", each.outcomes.endings])
    return number(each.ours.mean, ERROR, each.outcomes.keys, note)


def split_errors(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, and one column per algorithm, for the first split."""
    first = outcomes.tests().where(partition=(0, 0))
    table = cells.pivot("errors-algorithms", first.by_set().values(), {
        **cells.NAME,
        **{label(name): cells.where(_noted_error, algorithm=name) for name in first.by_algorithm()},
        **{f"{label(name)}, paper": partial(_paper_error, name) for name in TESTED},
    })  # fmt: skip
    return table and replace(table, summary=(_means(table.rows),))


def _noted_error(outcomes: Outcomes) -> Cell:
    if not outcomes.done:
        return Cell("failed", None, outcomes.keys, outcomes.endings)
    note = cells.join_notes([f"nu = {outcomes[0].trial.nu:g}", outcomes.endings])
    return replace(_error(outcomes), note=note)


def _paper_error(algorithm: str, outcomes: Outcomes) -> Cell:
    paper = outcomes.same_as_paper
    return number(paper.errors.get(algorithm) if paper else None, 2)


def _means(rows: Sequence[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Means over the rows without a missing number; columns without any numbers do not count."""
    _, *columns = ([cell.value for cell in column] for column in zip(*rows, strict=True))
    used = [column for column in columns if any(value is not None for value in column)]
    whole = [k for k in range(len(rows)) if all(column[k] is not None for column in used)]
    note = cells.coverage_note(len(whole), len(rows), "sets")
    numbers = ([value for k in whole if isinstance(value := column[k], float)] for column in columns)
    means = (number(fmean(each) if each else None, ERROR, note=note) for each in numbers)
    return (Cell("mean", note=note), *means)


def cross_validation(outcomes: Outcomes) -> ReportTable | None:
    """One row for each set and algorithm."""
    validated = outcomes.where(part="cv")
    nus, groups = validated.nus, validated.by_set_and_algorithm()
    return cells.pivot("cross-validation", groups, {
        **cells.NAME,
        **cells.ALGORITHM,
        **{f"error at nu = {nu:g}": cells.where(_validation_error, nu=nu) for nu in nus},
        "nu chosen, by split": lambda same: _nus(
            [chosen_nu(folds, nus) for _, folds in sorted(same.by("partition").items())]
        ),
    })  # fmt: skip


def chosen_nu(folds: Outcomes, nus: list[float]) -> float | None:
    """The nu of least mean error over the folds of a split; in a tie, the larger. None if a fold is
    missing."""
    return best_nu({nu: held_out_errors(folds.where(nu=nu)) for nu in nus})


def _validation_error(folds: Outcomes) -> Cell:
    errors = held_out_errors(folds)
    return number(fmean(errors) if errors else None, ERROR, folds.keys, folds.endings)


def _nus(nus: Sequence[float | None]) -> Cell:
    """A cell with the values of nu in order, or, if there are many, with the number of times of each."""
    known = [nu for nu in nus if nu is not None]
    words = ["-" if nu is None else f"{nu:g}" for nu in nus]
    if len(words) > FIFTHS:
        words = [f"{times} x {text}" for text, times in sorted(Counter(words).items())]
    note = "some folds are missing" if len(known) < len(nus) else ""
    return Cell(", ".join(words), fmean(known) if known else None, note=note)
