"""What is tried: one nu after another, judged on the rows that were held out from the fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from frankboost.choosing.calibration import HeldOut
from frankboost.learners.base import WeakLearner
from frankboost.model import Ensemble


@dataclass(frozen=True)
class Tried:
    """One nu of the path, as it did on held-out rows.

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
class Visit:
    """What the fits at one nu left."""

    tried: Tried
    ensembles: Sequence[Ensemble] = ()
    held_out: HeldOut | None = None


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
        """Go on to another nu, with so much time for each fit."""

    @abstractmethod
    def best(self, visits: Sequence[Visit]) -> Visit:
        """The one to choose."""

    def vote_size(self, visit: Visit) -> float:
        """The mean size of the votes for the rows that were fitted, if that is known."""
        return nan
