"""The log-loss of calibrated votes on rows held out, along a path of nu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from threading import Event

import numpy as np

from frankboost.choosing.calibration import HeldOut, beta_calibration, log_loss
from frankboost.choosing.constants import CLOSE
from frankboost.choosing.held_out import mask_of
from frankboost.choosing.trials import Choice, Trials, Tried, Visit
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import Settings
from frankboost.fitting.threads import fit_each
from frankboost.fitting.training import Training, alone, error_alone
from frankboost.learners.base import WeakLearner
from frankboost.model import Ensemble, weighted_vote
from frankboost.typing import Flags, Floats

SAMPLE = 4096  # rows for the mean size of a vote


class HeldOutLoss(Trials):
    """Judged by the log-loss of the calibrated votes in parts of the rows, each held out from its own fit.

    A coarser class than the learner's may be searched. Ctrl-C, or `halted`, raises KeyboardInterrupt.
    """

    def __init__(
        self,
        data: TrainingSet,
        learner: WeakLearner,
        settings: Settings,
        held_out: Iterable[Flags],
        *,
        nus: Sequence[float] | None = None,
        halted: Callable[[], bool] = lambda: False,
    ) -> None:
        self.nus, self.learner, self.rows = nus, learner, len(data.y)
        # To about the gap of the fit to all rows: votes differ where it differs, and so calibrations.
        self.tol = max(settings.tol, CLOSE)
        self._settings = replace(settings, tol=self.tol, draft=False, importances=False)
        self._data = data
        self._halted = halted
        self._masks = list(held_out)
        coarse = learner.coarse()
        self._trainings = [Training(_fitted(data.part(~mask), coarse), coarse) for mask in self._masks]
        rows = [np.flatnonzero(mask) for mask in self._masks]
        self._ends = np.cumsum([len(each) for each in rows])[:-1]
        self._target = data.y[np.concatenate(rows)] > 0.0
        self._weight = data.sample_weight[np.concatenate(rows)]
        self.error = float(np.mean([error_alone(each) for each in self._fits(alone(self._settings))]))

    def _fits(self, settings: Settings) -> list[Ensemble]:
        """A fit in each part, side by side."""
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
        """Go on to another nu."""
        ensembles = self._fits(replace(self._settings, nu=nu, time_limit=seconds))
        pairs = zip(ensembles, self._masks, strict=True)
        votes = np.concatenate([self._votes(each, self._data.X[mask]) for each, mask in pairs])
        held_out = HeldOut(votes, self._target, self._weight)
        calibration = beta_calibration(held_out)
        wrong = (votes > 0.0) != self._target
        columns = (np.split(each, self._ends) for each in (votes, self._target, self._weight))
        losses = tuple(log_loss(calibration, HeldOut(*part)) for part in zip(*columns, strict=True))
        tried = Tried(
            nu=nu,
            loss=float(np.mean(losses)),
            error=float(self._weight[wrong].sum() / self._weight.sum()),
            losses=losses,
            soft_margin=float(np.mean([each.certificate.soft_margin for each in ensembles])),
            bound=float(np.mean([each.certificate.bound for each in ensembles])),
            hypotheses=float(np.mean([len(each.weights) for each in ensembles])),
            seconds=float(np.mean([each.trace[-1].seconds for each in ensembles])),
            rounds=float(np.mean([len(each.trace) for each in ensembles])),
        )
        return Visit(tried, ensembles, held_out)

    def best(self, visits: Sequence[Visit]) -> Visit:
        """That of least loss; of values that nobody gave, losses that are close are decided by the error."""
        if self.nus is not None:
            return _least(visits, 0.0)
        decided = [each for each in visits if each.tried.is_decided(self.error, self.tol)]
        return _least(decided or visits, CLOSE)

    def vote_size(self, visit: Visit) -> float:
        """The mean size of the votes for the rows that were fitted."""
        fitted = [self._data.part(_some_of(~mask)) for mask in self._masks]
        return _vote_size(visit.ensembles, fitted, self._settings.threads)

    def _votes(self, ensemble: Ensemble, X: Floats) -> Floats:
        return weighted_vote(ensemble.hypotheses, ensemble.weights, X, self._settings.threads)


def calibrating_votes(choice: Choice, ensemble: Ensemble, data: TrainingSet, threads: int) -> HeldOut | None:
    """The votes for rows held out, in the scale of the ensemble that was fitted to all rows.

    Ensembles of nearly the same soft margin may differ in the size of all their votes.
    """
    if choice.held_out is None or not choice.vote_size > 0.0:
        return choice.held_out
    some = data.part(_some_of(np.ones(len(data.y), dtype=np.bool_)))
    return choice.held_out.scaled(_vote_size([ensemble], [some], threads) / choice.vote_size)


def _least(visits: Sequence[Visit], close: float) -> Visit:
    """Of those whose loss is close to the least, the one of least error, and in a tie the last."""
    most = (1.0 + close) * min(each.tried.loss for each in visits)
    near = [each for each in reversed(visits) if each.tried.loss <= most]
    return min(near, key=lambda each: each.tried.error)


def _fitted(data: TrainingSet, learner: WeakLearner) -> TrainingSet:
    return data.merged() if learner.splits_features else data


def _some_of(rows: Flags) -> Flags:
    """Enough of the rows to know a mean, at equal distances."""
    places = np.flatnonzero(rows)
    return mask_of(places[:: max(1, len(places) // SAMPLE)], len(rows))


def _vote_size(ensembles: Sequence[Ensemble], sets: Sequence[TrainingSet], threads: int) -> float:
    """The mean size of the votes of ensembles, each for its own rows."""
    sizes = [
        np.average(
            np.abs(weighted_vote(each.hypotheses, each.weights, data.X, threads)), weights=data.sample_weight
        )
        for each, data in zip(ensembles, sets, strict=True)
    ]
    return float(np.mean(sizes))
