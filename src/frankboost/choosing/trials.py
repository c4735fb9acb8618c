"""The values of nu that were tried, their scores on held-out rows, and the choice among them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

import numpy as np

from frankboost.choosing.calibration import HeldOutVotes
from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.depths import Depth
from frankboost.choosing.joint_calibration import JointHeldOutVotes
from frankboost.choosing.leaves import LogOddsTrees
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Ensemble
from frankboost.typing import Floats


@dataclass(frozen=True)
class NuResult:
    """One value of nu, and its scores on held-out rows.

    Attributes
    ----------
    nu : float
    loss : float
        The mean of `losses`.
    error : float
        The share of the weight whose class the votes get wrong.
    losses : tuple of float
        For each held-out part of the rows, the log-loss of the calibrated votes, or minus another score.
    soft_margin, bound, hypotheses, seconds, rounds : float
        Means over the fits, each of which leaves out one of these parts.
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

    def is_chance(self, tol: float) -> bool:
        """Whether the bound is at most `tol`.

        Then a vote of 0 is good enough, and the sign of a vote is chance.
        """
        return self.bound <= tol

    def is_decided(self, single_error: float, tol: float) -> bool:
        """Whether the bound is clearly above 1 - 2 e / nu, the soft margin of a single hypothesis of error e.

        If it is not, a gap of `tol` leaves open whether one hypothesis or many have the weight. A fit to
        other rows may end with the other kind, of which the held-out votes say nothing.
        """
        return self.bound - (1.0 - 2.0 * single_error / self.nu) > 2.0 * tol


@dataclass(frozen=True, eq=False)
class SureLeaves:
    """The trees of the fits to parts of the rows, with sure leaves."""

    passes: int  # the index of the number of passes in `PASSES`
    loss: float  # of the held-out votes
    scale: float  # the log-odds that are a vote of 1
    parts: Sequence[LogOddsTrees]


@dataclass(frozen=True, eq=False)
class NuTrial:
    """The fits at one nu, their result, and their votes for the rows that each of them left out."""

    result: NuResult
    ensembles: Sequence[Ensemble] = ()
    held_out: HeldOutVotes | JointHeldOutVotes | None = None
    sure: SureLeaves | None = None

    @property
    def has_no_caps(self) -> bool:
        """Whether no row of the fits is at its cap in the distribution of the bound."""
        capped = [each.capped for each in self.ensembles]
        return bool(capped) and all(each is not None and not each.any() for each in capped)


class NuSearch(ABC):
    """Fits at one depth, at one nu after another.

    Attributes
    ----------
    nus : sequence of float or None
        The values to try, falling. None: from the largest that matters down, until the loss falls no more.
    error : float
        e, the training error of the best single hypothesis.
    learner : WeakLearner or None
        The weak learner of the fit to all rows.
    rows : int
        The number of different rows.
    tol : float
        The tolerance of the fits.
    """

    nus: Sequence[float] | None
    error: float = nan
    learner: WeakLearner | None = None
    rows: int
    tol: float

    @abstractmethod
    def fit_at(self, nu: float, seconds: float) -> NuTrial:
        """Fit at another nu, with a time limit for each fit."""

    def is_complete(self, path: Sequence[NuResult]) -> bool:
        """Whether the remaining values of `nus` need not be tried after these results."""
        return False

    @abstractmethod
    def best(self, trials: Sequence[NuTrial]) -> NuTrial:
        """The trial whose nu is to be chosen."""

    def with_all_parts(self, trial: NuTrial, seconds: float) -> NuTrial:
        """The trial with the fits that leave out the held-out parts that no nu was chosen on."""
        return trial

    def with_sure_leaves(self, trial: NuTrial, trials: Sequence[NuTrial]) -> NuTrial:
        """One of the trials with sure leaves, if its trees can have them."""
        return trial


@dataclass(frozen=True, eq=False, repr=False)
class Choice:
    """The chosen nu, and the results that led to it.

    Attributes
    ----------
    nu : float
    loss : float
        The log-loss on held-out rows, or minus another score; infinite if no row was held out.
    single_error : float
        e, the training error of the best single hypothesis.
    path : tuple of NuResult
        The results at the chosen depth, in the order of falling nu.
    held_out : HeldOutVotes, JointHeldOutVotes or None
        The votes in use for the held-out rows; None if no row was held out.
    sure : SureLeaves or None
        The sure leaves of the vote in use, if it has them.
    ensemble : Ensemble or None
        The ensemble of one of the fits.
    learner : WeakLearner or None
        The chosen weak learner, if there was a choice.
    interrupted : bool
        Whether Ctrl-C ended the search.
    max_depth : int or None
        The chosen depth, if there was a choice.
    paths : dict of tuples
        The path at each depth that was tried.
    """

    nu: float
    loss: float
    single_error: float
    path: tuple[NuResult, ...] = ()
    held_out: HeldOutVotes | JointHeldOutVotes | None = None
    sure: SureLeaves | None = None
    ensemble: Ensemble | None = None
    learner: WeakLearner | None = None
    interrupted: bool = False
    max_depth: Depth = None
    paths: dict[Depth, tuple[NuResult, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        depth = getattr(self.learner, "max_depth", None)
        trees = "" if depth is None else f", trees of depth {depth}"
        return f"nu = {self.nu:.4g}{trees}, log-loss {self.loss:.4f}"

    @classmethod
    def default(cls) -> Choice:
        """The choice if no rows can be held out."""
        return cls(OTHERWISE, inf, nan)

    def __repr__(self) -> str:
        return f"<Choice: nu = {self.nu:.4g} of {len(self.path)} tried, e = {self.single_error:.4g}>"

    @property
    def loss_in_use(self) -> float:
        """The loss of the vote in use, by which depths are compared."""
        return self.loss if self.sure is None else self.sure.loss

    @property
    def start(self) -> Start | None:
        """The start of the fit to all rows: the hypotheses and weights of `ensemble`."""
        return None if self.ensemble is None else Start(self.ensemble.hypotheses, self.ensemble.weights)


def make_cv_results(choice: Choice) -> dict[str, Any]:
    """`cv_results_` as in GridSearchCV, with one entry per depth and nu that was tried."""
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
