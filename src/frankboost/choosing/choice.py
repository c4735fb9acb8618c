"""What was chosen: nu, perhaps the depth of the trees, and what choosing them left."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from frankboost.choosing.calibration import HeldOut
from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.held_out_loss import some_of, vote_size
from frankboost.choosing.trials import Tried
from frankboost.fitting.problems import TrainingSet
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Ensemble

Depth = int | None
"""None: the weak learner has none, or its own."""


@dataclass(frozen=True, eq=False, repr=False)
class Choice:
    """The nu of least loss, and what choosing it left.

    Attributes
    ----------
    nu : float
    loss : float
        The log-loss there, on the rows held out, or minus another score; infinite if there are none.
    single_error : float
        e, the training error of the best single hypothesis.
    path : tuple of Tried
        At the depth chosen, in the order of falling nu.
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
    max_depth : int or None
        The depth chosen, if depths were given.
    paths : dict of tuples
        The path at each depth that was tried.
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
    max_depth: Depth = None
    paths: dict[Depth, tuple[Tried, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        depth = getattr(self.learner, "max_depth", None)
        trees = "" if depth is None else f", trees of depth {depth}"
        return f"nu = {self.nu:.4g}{trees}, log-loss {self.loss:.4f}"

    @classmethod
    def none(cls) -> Choice:
        """Where no rows can be held out."""
        return cls(OTHERWISE, math.inf, math.nan)

    def __repr__(self) -> str:
        return f"<Choice: nu = {self.nu:.4g} of {len(self.path)} tried, e = {self.single_error:.4g}>"

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
