"""Choose one nu for many classes that are fitted together, on rows that are held out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost.choosing.constants import PATIENCE, WORTH
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.choosing.joint_calibration import VotesTogether, joint_calibration, mean_loss
from frankboost.choosing.trials import Tried, Visit
from frankboost.typing import Indices

NUS = (0.9, 0.6, 0.35, 0.2, 0.12, 0.07, 0.04, 0.02)
"""Values that are tried, in this order; the loss changes little between neighbours."""

GAP = 0.03
"""A gap that decides nothing: a smaller one takes long and chooses no better."""


class LossTogether(HeldOutLoss):
    """Compare values of nu for many classes in one game, under one calibration of all votes."""

    def __init__(self, *args: Any, nus: Sequence[float] | None = None, **named: Any) -> None:
        self._given = nus is not None
        super().__init__(*args, nus=NUS if nus is None else nus, **named)

    def _gap(self, tol: float) -> float:
        return max(tol, GAP)

    def _no_votes(self, rows: Indices) -> VotesTogether:
        data = self._data
        votes = np.zeros((len(rows), data.classes))
        return VotesTogether(votes, data.code[rows], data.sample_weight[rows], len(data.code))

    def _error_alone(self) -> float:
        """No scale of nu, which is not asked for."""
        return math.nan

    def _losses(self, held_out: VotesTogether) -> tuple[float, ...]:
        calibration = joint_calibration(held_out)
        places = np.split(np.arange(len(held_out.code)), self._ends)
        return tuple(mean_loss(calibration, held_out.part(some)) for some in places)

    def is_over(self, path: Sequence[Tried]) -> bool:
        """Whether so many values in a row brought nothing; one vote may have all the weight at many."""
        least, waited = math.inf, 0
        for tried in path:
            changed = tried.loss != least
            waited = 0 if tried.loss < (1.0 - WORTH) * least else waited + changed
            least = min(least, tried.loss)
        return waited >= PATIENCE and not self._given

    def best(self, visits: Sequence[Visit]) -> Visit:
        """The nu of least loss; in a tie, the largest."""
        return min(visits, key=lambda each: each.tried.loss)
