"""What the scores say: means over the splits of a set, and ratios over the sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, geometric_mean
from typing import Literal

from studies.accuracy.rivals import REFERENCE
from studies.report.results import Outcomes
from studies.running.outcome import Score

Quantity = Literal["error", "log_loss", "fit_seconds", "predict_seconds"]


@dataclass(frozen=True)
class MeanScore:
    """A contestant on a set: means over its splits.

    An error or a log-loss of less than half a mistake on all test rows together is raised to that: the rows
    cannot tell smaller ones apart, and ratios are finite.
    """

    error: float
    auc: float
    log_loss: float
    fit_seconds: float
    predict_seconds: float
    trees: float | None


@dataclass(frozen=True, eq=False)
class Summary:
    """Mean scores by set and contestant; only those with a result on every split of the reference."""

    sets: dict[str, dict[str, MeanScore]]

    @property
    def models(self) -> list[str]:
        """Those with a score, the smallest errors against the reference first."""
        names = {model for row in self.sets.values() for model in row}
        return sorted(names, key=lambda model: (self.ratio(model, "error"), model))

    def ratio(self, model: str, quantity: Quantity) -> float:
        """The geometric mean over the sets of a contestant's quantity over the reference's."""
        rows = self._with(model)
        return geometric_mean(
            getattr(row[model], quantity) / getattr(row[REFERENCE], quantity) for row in rows
        )

    def against_best(self, model: str, rivals: Iterable[str]) -> float:
        """The geometric mean over the sets of its error over the least error of the rivals."""
        names = list(rivals)
        return geometric_mean(row[model].error / row[best(row, names)].error for row in self._with(model))

    def mean(self, model: str, quantity: Literal["auc", "trees"]) -> float | None:
        """The mean over the sets; None where there is none."""
        values = [getattr(row[model], quantity) for row in self._with(model)]
        return None if None in values else fmean(values)

    def count(self, model: str) -> int:
        """On how many sets it has a score."""
        return len(self._with(model))

    def _with(self, model: str) -> list[dict[str, MeanScore]]:
        return [row for row in self.sets.values() if model in row]


def summary_of(outcomes: Outcomes) -> Summary:
    """Means over splits; sets without the reference are left out."""
    sets = {}
    for name, same in outcomes.done.by_set().items():
        scores = {
            model: {each.trial.split: each.score for each in of_model}
            for model, of_model in same.by_algorithm().items()
        }
        splits = set(scores.get(REFERENCE, ()))
        if splits:
            whole = {model: each for model, each in scores.items() if splits <= set(each)}
            sets[name] = {model: _mean([each[k] for k in splits]) for model, each in whole.items()}
    return Summary(sets)


def best(row: dict[str, MeanScore], names: Iterable[str]) -> str:
    """The one of the named with the least error on a set."""
    return min((name for name in names if name in row), key=lambda name: row[name].error)


def _mean(scores: list[Score]) -> MeanScore:
    half = 0.5 / sum(score.m_test for score in scores)
    trees = [score.trees for score in scores if score.trees is not None]
    return MeanScore(
        error=max(half, fmean(score.test_error for score in scores)),
        auc=fmean(score.auc for score in scores),
        log_loss=max(half, fmean(score.log_loss for score in scores)),
        fit_seconds=fmean(score.fit_seconds for score in scores),
        predict_seconds=fmean(score.predict_seconds for score in scores),
        trees=fmean(trees) if len(trees) == len(scores) else None,
    )
