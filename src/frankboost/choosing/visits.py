"""Fits along a path of nu, judged on the rows that were held out from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Event

import numpy as np

from frankboost.choosing.calibration import HeldOut, beta_calibration, log_loss
from frankboost.choosing.held_out import mask_of
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import Settings
from frankboost.fitting.threads import fit_each
from frankboost.fitting.training import Training, alone, error_alone
from frankboost.learners.base import WeakLearner
from frankboost.model import Ensemble, weighted_vote
from frankboost.typing import Flags, Floats

ENOUGH = 4096  # rows for the mean size of a vote


@dataclass(frozen=True)
class Tried:
    """One nu of the path, as it did on held-out rows.

    Attributes
    ----------
    nu : float
    losses : tuple of float
        Log-loss of the calibrated votes in each part of the rows that was held out.
    loss : float
        Their mean.
    error : float
        How much of the weight the votes are wrong about.
    soft_margin, bound, hypotheses, seconds, rounds : float
        Of the fits to the other rows, means over the parts.
    """

    nu: float
    loss: float
    error: float
    losses: tuple[float, ...]
    soft_margin: float
    bound: float
    hypotheses: float
    seconds: float
    rounds: float

    def is_decided(self, error: float, tol: float) -> bool:
        """Whether the bound is clearly above 1 - 2 e / nu, what a single hypothesis of error e is worth.

        Where it is not, a gap of tol leaves open whether one hypothesis or many have the weight: a fit to
        other rows may end with the other kind, of which the held-out votes say nothing.
        """
        return self.bound - (1.0 - 2.0 * error / self.nu) > 2.0 * tol


@dataclass(frozen=True, eq=False)
class Visit:
    """What the fits at one nu left."""

    tried: Tried
    ensembles: list[Ensemble]
    held_out: HeldOut


class Parts:
    """Parts of the rows, each held out from a training of its own."""

    def __init__(
        self, data: TrainingSet, learner: WeakLearner, held_out: Iterable[Flags], halted: Callable[[], bool]
    ) -> None:
        self._data = data
        self._halted = halted
        self._masks = list(held_out)
        self._trainings = [Training(_fitted(data.part(~mask), learner), learner) for mask in self._masks]
        rows = [np.flatnonzero(mask) for mask in self._masks]
        self._ends = np.cumsum([len(each) for each in rows])[:-1]
        self._target = data.y[np.concatenate(rows)] > 0.0
        self._weight = data.sample_weight[np.concatenate(rows)]

    def single_error(self, settings: Settings) -> float:
        """The training error of the best single hypothesis, a mean over the parts."""
        return float(np.mean([error_alone(each) for each in self._fit(alone(settings))]))

    def _fit(self, settings: Settings) -> list[Ensemble]:
        """A fit in each part, side by side."""
        workers = min(settings.threads, len(self._trainings))
        each = replace(settings, threads=max(1, settings.threads // workers), importances=False)

        def fit(k: int, halt: Event) -> Ensemble:
            def halted() -> bool:
                return halt.is_set() or self._halted()

            ensemble = self._trainings[k].fit(each, halted=halted)
            if halted() or ensemble.certificate.status == "interrupted":
                raise KeyboardInterrupt  # a search cut short has no best nu
            return ensemble

        return fit_each(fit, len(self._trainings), workers)

    def visit(self, settings: Settings) -> Visit:
        """Go on to another nu."""
        ensembles = self._fit(settings)
        pairs = zip(ensembles, self._masks, strict=True)
        votes = np.concatenate([self._votes(each, mask, settings.threads) for each, mask in pairs])
        held_out = HeldOut(votes, self._target, self._weight)
        calibration = beta_calibration(held_out)
        wrong = (votes > 0.0) != self._target
        columns = (np.split(each, self._ends) for each in (votes, self._target, self._weight))
        losses = tuple(log_loss(calibration, HeldOut(*part)) for part in zip(*columns, strict=True))
        tried = Tried(
            nu=settings.nu,
            loss=float(np.mean(losses)),
            losses=losses,
            error=float(self._weight[wrong].sum() / self._weight.sum()),
            soft_margin=float(np.mean([each.certificate.soft_margin for each in ensembles])),
            bound=float(np.mean([each.certificate.bound for each in ensembles])),
            hypotheses=float(np.mean([len(each.weights) for each in ensembles])),
            seconds=float(np.mean([each.trace[-1].seconds for each in ensembles])),
            rounds=float(np.mean([len(each.trace) for each in ensembles])),
        )
        return Visit(tried, ensembles, held_out)

    def vote_size(self, visit: Visit, threads: int) -> float:
        """The mean size of the votes for the rows that were fitted."""
        fitted = [self._data.part(some_of(~mask)) for mask in self._masks]
        return vote_size(visit.ensembles, fitted, threads)

    def _votes(self, ensemble: Ensemble, mask: Flags, threads: int) -> Floats:
        return weighted_vote(ensemble.hypotheses, ensemble.weights, self._data.X[mask], threads)


def _fitted(data: TrainingSet, learner: WeakLearner) -> TrainingSet:
    return data.merged() if learner.splits_features else data


def some_of(rows: Flags) -> Flags:
    """Enough of the rows to know a mean, at equal distances."""
    places = np.flatnonzero(rows)
    return mask_of(places[:: max(1, len(places) // ENOUGH)], len(rows))


def vote_size(ensembles: Sequence[Ensemble], sets: Sequence[TrainingSet], threads: int) -> float:
    """The mean size of the votes of ensembles, each for its own rows."""
    sizes = [
        np.average(
            np.abs(weighted_vote(each.hypotheses, each.weights, data.X, threads)), weights=data.sample_weight
        )
        for each, data in zip(ensembles, sets, strict=True)
    ]
    return float(np.mean(sizes))
