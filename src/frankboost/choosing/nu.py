"""nu chosen on rows that are held out, along a path of warm starts on its own scale.

The scale of nu is e, the error of the best single hypothesis: from nu of a little more than 2 e on that
hypothesis alone is the optimum, since its soft margin is 1 - 2 e / nu and no ensemble has to be worse than 0.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from frankboost.choosing.calibration import HeldOut
from frankboost.choosing.course import CLOSE, OTHERWISE, is_over, nus_after, nus_below
from frankboost.choosing.visits import Parts, Tried, Visit, some_of, vote_size
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import Settings, time_left
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Ensemble
from frankboost.typing import Flags

TIGHT = 0.01  # a gap to choose at: a smaller one takes long and chooses no better
SHORT = 0.01  # seconds for a fit that comes when time is up


@dataclass(frozen=True, eq=False, repr=False)
class NuChoice:
    """The nu of least loss, and what choosing it left.

    Attributes
    ----------
    nu : float
    loss : float
        The log-loss there, on the rows held out; infinite if there are none.
    single_error : float
        e, the training error of the best single hypothesis.
    path : tuple of Tried
        In the order of falling nu.
    held_out : HeldOut or None
        The votes there; None if no row was held out.
    vote_size : float
        The mean size of the votes for the rows that were fitted there.
    ensemble : Ensemble or None
        One that was found there.
    learner : WeakLearner or None
        The weak learner, if that was chosen too.
    interrupted : bool
        Whether there might have been a better one.
    """

    nu: float
    loss: float
    single_error: float
    path: tuple[Tried, ...] = ()
    held_out: HeldOut | None = None
    vote_size: float = math.nan
    ensemble: Ensemble | None = None
    learner: WeakLearner | None = None
    interrupted: bool = False

    def __str__(self) -> str:
        depth = getattr(self.learner, "max_depth", None)
        trees = "" if depth is None else f", trees of depth {depth}"
        return f"nu = {self.nu:.4g}{trees}, log-loss {self.loss:.4f}"

    @classmethod
    def none(cls) -> NuChoice:
        """Where no rows can be held out."""
        return cls(OTHERWISE, math.inf, math.nan)

    def __repr__(self) -> str:
        return f"<NuChoice: nu = {self.nu:.4g} of {len(self.path)} tried, e = {self.single_error:.4g}>"

    @property
    def start(self) -> Start | None:
        """Where the fit to all rows begins: at what was found for the others."""
        return None if self.ensemble is None else Start(self.ensemble.hypotheses, self.ensemble.weights)

    def calibrating_votes(self, ensemble: Ensemble, data: TrainingSet, threads: int) -> HeldOut | None:
        """The votes for rows held out, in the scale of the ensemble that was fitted to all rows.

        Ensembles of nearly the same soft margin may differ in the size of all their votes.
        """
        if self.held_out is None or not self.vote_size > 0.0:
            return self.held_out
        some = data.part(some_of(np.ones(len(data.y), dtype=np.bool_)))
        return self.held_out.scaled(vote_size([ensemble], [some], threads) / self.vote_size)


def choose_nu(
    data: TrainingSet,
    learner: WeakLearner,
    settings: Settings,
    held_out: Sequence[Flags],
    *,
    nus: Sequence[float] | None = None,
    halted: Callable[[], bool] = lambda: False,
    tell: Callable[[Tried], None] = lambda tried: None,
) -> NuChoice:
    """The nu whose calibrated votes have the least log-loss on the rows held out; ties go to the smaller one.

    `held_out` are parts of the rows. `nus`, in falling order, are tried to the end; None: those below the
    largest that matters, until the loss falls no more, and within 1 % of the least loss the error decides.
    After an interrupt, or once `halted` says yes, it is the best until then; if there is none yet,
    KeyboardInterrupt is raised. `tell` is called after each nu. A coarser class than the learner's may be
    searched. `settings.time_limit` is for all of it.
    """
    if not held_out:
        return NuChoice.none()
    begun = time.perf_counter()
    # To about the gap of the fit to all rows: votes differ where it differs, and so calibrations.
    settings = replace(settings, tol=max(settings.tol, TIGHT), draft=False)
    parts = Parts(data, learner.coarse(), held_out, halted)
    error = parts.single_error(settings)
    visit = _Visitor(parts, settings, begun, tell)
    if nus is not None:
        visits = _each(visit, nus)
        best = _best(visits, 0.0)
    else:
        visits = _course(visit, error, len(data.y), settings.tol)
        decided = [each for each in visits if each.tried.is_decided(error, settings.tol)]
        best = _best(decided or visits, CLOSE)
    return NuChoice(
        nu=best.tried.nu,
        loss=best.tried.loss,
        single_error=error,
        path=tuple(each.tried for each in visits),
        held_out=best.held_out,
        vote_size=parts.vote_size(best, settings.threads),
        ensemble=best.ensembles[0],
        learner=learner,
        interrupted=visit.interrupted,
    )


class _Visitor:
    """Goes from one nu to the next until time is up or it is interrupted, but always to the first."""

    def __init__(self, parts: Parts, settings: Settings, begun: float, tell: Callable[[Tried], None]) -> None:
        self._parts = parts
        self._settings = settings
        self._begun = begun
        self._tell = tell
        self._first = True
        self.interrupted = False

    def __call__(self, nu: float) -> Visit | None:
        left = time_left(self._settings, self._begun)
        if left <= 0.0 and not self._first:
            return None
        try:
            visit = self._parts.visit(replace(self._settings, nu=nu, time_limit=max(left, SHORT)))
        except KeyboardInterrupt:
            if self._first:
                raise
            self.interrupted = True
            return None
        self._first = False
        self._tell(visit.tried)
        return visit


def _each(visit: _Visitor, nus: Sequence[float]) -> list[Visit]:
    """Visits of values that are given."""
    visits: list[Visit] = []
    for nu in nus:
        found = visit(nu)
        if found is None:
            break
        visits.append(found)
    return visits


def _course(visit: _Visitor, error: float, rows: int, tol: float) -> list[Visit]:
    """Visits from the largest nu that matters down, until the loss falls no more."""
    visits: list[Visit] = []
    values = nus_below(error, rows)
    while values:
        found = visit(values.pop(0))
        # Where no bound is above the gap asked for, a vote of nothing will do, and its sign is chance.
        if found is None or (visits and found.tried.bound <= tol):
            break
        visits.append(found)
        if is_over([each.tried for each in visits], error):
            break
        values = nus_after(found.tried, values, error, rows)
    return visits


def _best(visits: Sequence[Visit], close: float) -> Visit:
    """Of those whose loss is close to the least, the one of least error, and in a tie the last."""
    most = (1.0 + close) * min(each.tried.loss for each in visits)
    return min(
        (each for each in reversed(visits) if each.tried.loss <= most), key=lambda each: each.tried.error
    )
