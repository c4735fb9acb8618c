"""The log-loss of calibrated votes on rows held out, along a path of nu."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np

from frankboost.choosing.calibration import HeldOut, beta_calibration, log_loss
from frankboost.choosing.constants import CLOSE, COARSER, DEEP_GAP
from frankboost.choosing.leaves import has_sure_leaves, in_order, sure_leaves
from frankboost.choosing.nu_path import are_few, is_deep
from frankboost.choosing.trials import Sure, Trials, Tried, Visit
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import Settings
from frankboost.fitting.threads import fit_each
from frankboost.fitting.training import Training, alone, error_alone
from frankboost.learners.base import WeakLearner
from frankboost.model import Ensemble, weighted_vote
from frankboost.typing import Flags, Floats, Indices


class HeldOutLoss(Trials):
    """Compare values of nu by the log-loss of calibrated votes, in parts that are held out from their own
    fits.

    A coarser class than the learner's may be searched. Ctrl-C, or `halted`, raises KeyboardInterrupt.
    """

    def __init__(
        self,
        data: TrainingSet,
        learner: WeakLearner,
        settings: Settings,
        held_out: Iterable[Flags],
        *,
        distinct: int,
        some: Flags,
        nus: Sequence[float] | None = None,
        halted: Callable[[], bool] = lambda: False,
    ) -> None:
        self.nus, self.learner, self.rows = nus, learner, distinct
        self.tol = self._gap(settings.tol)
        self._settings = replace(settings, tol=self.tol)
        self._data = data
        self._halted = halted
        self._masks, self._some = list(held_out), some
        coarse = learner.coarse()
        self._trainings = [Training(_fitted(data.part(~mask), coarse), coarse) for mask in self._masks]
        self._ends = np.cumsum([int(mask.sum()) for mask in self._masks])[:-1]
        rows = np.concatenate([np.flatnonzero(mask) for mask in self._masks])
        self._unit = unit_of(data, distinct)
        self._held_out = self._no_votes(rows)
        self.error = self._error_alone()

    def _gap(self, tol: float) -> float:
        """About the gap of the fit to all rows. With few rows, chance decides more than a small gap does, and
        for trees deeper than 2, a small gap takes long."""
        deep = is_deep(getattr(self.learner, "max_depth", None))
        return max(tol * (COARSER if are_few(self.rows) else 1.0), DEEP_GAP if deep else CLOSE)

    def _no_votes(self, rows: Indices) -> Any:
        """The rows that are held out, without their votes."""
        data, weight = self._data, self._data.plain_weight[rows]
        votes, total = np.zeros(len(rows)), float(data.plain_weight.sum())
        return HeldOut(votes, data.y[rows] > 0.0, weight, self._unit, _even_at(data), total=total)

    def _error_alone(self) -> float:
        """e, a mean over the parts."""
        return float(np.mean([error_alone(each) for each in self._fits(alone(self._settings))]))

    def _fits(self, settings: Settings) -> list[Ensemble]:
        """One fit per part, side by side."""
        workers = min(settings.threads, len(self._trainings))
        each = replace(settings, threads=max(1, settings.threads // workers))

        def fit(k: int, halt: Event) -> Ensemble:
            def halted() -> bool:
                return halt.is_set() or self._halted()

            ensemble = self._trainings[k].fit(each, halted=halted)
            if halted() or ensemble.certificate.status == "interrupted":
                raise KeyboardInterrupt  # a search cut short has no best nu
            return ensemble

        return fit_each(fit, len(self._trainings), workers)

    def visit(self, nu: float, seconds: float) -> Visit:
        """Fit and judge another nu."""
        ensembles = self._fits(replace(self._settings, nu=nu, time_limit=seconds))
        held_out = self._judged([partial(vote_of, each, self._settings.threads) for each in ensembles])
        losses = self._losses(held_out)
        tried = Tried(
            nu=nu,
            loss=float(np.mean(losses)),
            error=held_out.error,
            losses=losses,
            soft_margin=float(np.mean([each.certificate.soft_margin for each in ensembles])),
            bound=float(np.mean([each.certificate.bound for each in ensembles])),
            hypotheses=float(np.mean([len(each.weights) for each in ensembles])),
            seconds=float(np.mean([each.trace[-1].seconds for each in ensembles])),
            rounds=float(np.mean([len(each.trace) for each in ensembles])),
        )
        return Visit(tried, ensembles, held_out)

    def best(self, visits: Sequence[Visit]) -> Visit:
        """The nu of least loss; between values that the user did not give, the error decides if losses are
        close."""
        if self.nus is not None:
            return _least(visits, 0.0)
        decided = [each for each in visits if each.tried.is_decided(self.error, self.tol)]
        return _least(decided or visits, CLOSE)

    def surer(self, visit: Visit) -> Visit:
        """The fits of a visit with sure leaves (`choosing.leaves`), after the number of passes that is best
        on held-out rows."""
        if not has_sure_leaves(visit.ensembles):
            return visit
        rows = [self._data.part(~mask & self._some) for mask in self._masks]
        threads, found = self._settings.threads, visit
        runs = [
            sure_leaves(in_order(ensemble), each.X, each.y > 0.0, each.plain_weight / self._unit)
            for ensemble, each in zip(visit.ensembles, rows, strict=True)
        ]
        for passes, parts in enumerate(zip(*runs, strict=True)):
            scale = max(each.scale for each in parts)
            held_out = self._judged([partial(each.vote, scale=scale, threads=threads) for each in parts])
            loss = float(np.mean(self._losses(held_out)))
            if found.sure is not None and loss >= found.sure.loss:
                break
            found = replace(visit, held_out=held_out, sure=Sure(passes, loss, scale, parts))
        return found

    def _judged(self, votes: Sequence[Callable[[Floats], Floats]]) -> Any:
        """The votes of each part's fit for the rows that were held out from it."""
        pairs = zip(votes, self._masks, strict=True)
        return replace(
            self._held_out, votes=np.concatenate([vote(self._data.X[mask]) for vote, mask in pairs])
        )

    def _losses(self, held_out: Any) -> tuple[float, ...]:
        """The loss in each part, under one calibration for all parts."""
        calibration = beta_calibration(held_out)
        parts = (np.split(each, self._ends) for each in (held_out.votes, held_out.target, held_out.weight))
        return tuple(log_loss(calibration, HeldOut(*part)) for part in zip(*parts, strict=True))


def vote_of(ensemble: Ensemble, threads: int, X: Floats) -> Floats:
    """The vote of the hypotheses of the ensemble itself."""
    return weighted_vote(ensemble.hypotheses, ensemble.weights, X, threads)


def unit_of(data: TrainingSet, distinct: int) -> float:
    """The weight that counts as one row: 1, or less if weights are small beside the number of patterns."""
    return min(1.0, float(data.plain_weight.sum()) / distinct)


def _even_at(data: TrainingSet) -> float:
    """The log-odds at which an error costs the same either way."""
    other, own = data.factors
    return math.log(other / own)


def _least(visits: Sequence[Visit], close: float) -> Visit:
    """Among the values whose loss is close to the least one, the value of least error; in a tie, the last."""
    most = (1.0 + close) * min(each.tried.loss for each in visits)
    near = [each for each in reversed(visits) if each.tried.loss <= most]
    return min(near, key=lambda each: each.tried.error)


def _fitted(data: TrainingSet, learner: WeakLearner) -> TrainingSet:
    return data.merged() if learner.splits_features else data
