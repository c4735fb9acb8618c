"""The values of nu that were tried, how they did on held-out rows, and which one was chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

import numpy as np

from frankboost.choosing.calibration import HeldOut
from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.joint_calibration import VotesTogether
from frankboost.choosing.leaves import LogOdds
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Ensemble
from frankboost.typing import Floats

Depth = int | None
"""None: the weak learner has none, or its own."""


@dataclass(frozen=True)
class Tried:
    """One nu of the path, and its scores on held-out rows.

    Attributes
    ----------
    nu : float
    loss : float
        The mean of `losses`.
    error : float
        How much of the weight the votes are wrong about.
    losses : tuple of float
        Log-loss of the calibrated votes, or minus another score, in each part of the rows that was held out.
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
class Sure:
    """Sure leaves: the number of passes, and the fits to parts of the rows.

    The held-out votes are their sums over the scale.
    """

    passes: int
    loss: float
    scale: float
    parts: Sequence[LogOdds]


@dataclass(frozen=True, eq=False)
class Visit:
    """The results of the fits at one nu."""

    tried: Tried
    ensembles: Sequence[Ensemble] = ()
    held_out: HeldOut | VotesTogether | None = None
    sure: Sure | None = None


class Trials(ABC):
    """The fits at one depth.

    Attributes
    ----------
    nus : sequence of float or None
        The values to try, falling. None: from the largest that matters down, until the loss falls no more.
    error : float
        e, the training error of the best single hypothesis.
    learner : WeakLearner or None
        For the fit to all rows.
    """

    nus: Sequence[float] | None
    error: float = nan
    learner: WeakLearner | None = None
    rows: int
    tol: float

    @abstractmethod
    def visit(self, nu: float, seconds: float) -> Visit:
        """Fit another nu, with a time limit for each fit."""

    def is_over(self, path: Sequence[Tried]) -> bool:
        """Whether what is left of given `nus` need not be tried after these."""
        return False

    @abstractmethod
    def best(self, visits: Sequence[Visit]) -> Visit:
        """The nu to choose."""

    def surer(self, visit: Visit) -> Visit:
        """The fits of a visit with sure leaves, if the trees can have such leaves."""
        return visit


@dataclass(frozen=True, eq=False, repr=False)
class Choice:
    """The chosen nu, and the results of the choice.

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
        The votes in use there; None if no row was held out.
    sure : Sure or None
        The leaves of these votes, if they are not those that the fits found.
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
    held_out: HeldOut | VotesTogether | None = None
    sure: Sure | None = None
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
        """The choice where no rows can be held out."""
        return cls(OTHERWISE, inf, nan)

    def __repr__(self) -> str:
        return f"<Choice: nu = {self.nu:.4g} of {len(self.path)} tried, e = {self.single_error:.4g}>"

    @property
    def loss_in_use(self) -> float:
        """The loss of the vote in use, by which depths are compared."""
        return self.loss if self.sure is None else self.sure.loss

    @property
    def start(self) -> Start | None:
        """The start of the fit to all rows: the hypotheses found in the choice."""
        return None if self.ensemble is None else Start(self.ensemble.hypotheses, self.ensemble.weights)


def results_of(choice: Choice) -> dict[str, Any]:
    """`cv_results_`, one entry per depth and nu that was tried."""
    tried = [(depth, each) for depth, path in choice.paths.items() for each in path]
    params = [({} if depth is None else {"max_depth": depth}) | {"nu": each.nu} for depth, each in tried]
    if not tried:  # no row could be held out
        return {"params": []}
    scores: Floats = -np.array([each.losses for _, each in tried])
    mean = -np.array([each.loss for _, each in tried])
    return {
        **{f"param_{name}": np.array([each[name] for each in params]) for name in params[0]},
        "params": params,
        **{f"split{k}_test_score": fold for k, fold in enumerate(scores.T)},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": (mean[:, None] < mean[None, :]).sum(axis=1) + 1,
        "mean_fit_time": np.array([each.seconds for _, each in tried]),
        "mean_n_iter": np.array([each.rounds for _, each in tried]),
    }
