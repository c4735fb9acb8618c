"""Choose one nu for many classes that are fitted together, on rows that are held out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost.choosing.constants import PATIENCE, WORTH
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.choosing.joint_calibration import JointHeldOutVotes, joint_calibration, joint_log_loss
from frankboost.choosing.trials import NuResult, NuTrial
from frankboost.typing import Floats, Indices

JOINT_NUS = (0.9, 0.6, 0.35, 0.2, 0.12, 0.07, 0.04, 0.02)
"""The values of nu to try, in this order; the loss changes little between neighbours."""

MIN_TOL = 0.03
"""The least tolerance of the fits: a smaller one takes long and chooses no better."""


class JointHeldOutLoss(HeldOutLoss):
    """Compare values of nu for many classes in one game by the log-loss under one calibration."""

    def __init__(self, *args: Any, nus: Sequence[float] | None = None, **named: Any) -> None:
        self._has_given_nus = nus is not None
        super().__init__(*args, nus=JOINT_NUS if nus is None else nus, **named)

    def _tolerance(self, tol: float) -> float:
        return max(tol, MIN_TOL)

    def _held_out_votes(self, rows: Indices, votes: Floats) -> JointHeldOutVotes:
        data = self._data
        return JointHeldOutVotes(votes, data.code[rows], data.sample_weight[rows], len(data.code))

    def _single_error(self) -> float:
        """NaN: the values of nu do not depend on e."""
        return math.nan

    def _losses(self, held_out: JointHeldOutVotes) -> tuple[float, ...]:
        calibration = joint_calibration(held_out)
        parts = self._split(np.arange(len(held_out.code)))
        return tuple(joint_log_loss(calibration, held_out.select(rows)) for rows in parts)

    def is_complete(self, path: Sequence[NuResult]) -> bool:
        """Whether the last values did not lower the loss; values with the same vote count once."""
        least, waited = math.inf, 0
        for result in path:
            changed = result.loss != least
            waited = 0 if result.loss < (1.0 - WORTH) * least else waited + changed
            least = min(least, result.loss)
        return waited >= PATIENCE and not self._has_given_nus

    def best(self, trials: Sequence[NuTrial]) -> NuTrial:
        """The trial of least loss; in a tie, the one of the largest nu."""
        return min(trials, key=lambda each: each.result.loss)
