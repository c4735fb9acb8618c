"""One calibration of the votes for many classes of one game: probabilities have the order of the votes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.choosing.calibration import FLAT, mean_log_loss, minimise_by_newton
from frankboost.choosing.constants import DOUBT
from frankboost.model import Calibration
from frankboost.model.model import log_shares
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class JointHeldOutVotes:
    """Votes for held-out rows, one column per class, with the classes and the weights of the rows.

    `rows` is the number of all rows; None if all rows were held out.
    """

    votes: Floats
    code: Indices
    weight: Floats
    rows: int | None = None

    def select(self, rows: Flags | Indices) -> JointHeldOutVotes:
        """The votes for some of the rows."""
        return JointHeldOutVotes(self.votes[rows], self.code[rows], self.weight[rows], self.rows)

    @property
    def error(self) -> float:
        """The share of the weight whose largest vote is for a wrong class."""
        wrong = self.votes.argmax(axis=1) != self.code
        return float(self.weight[wrong].sum() / self.weight.sum())


def joint_calibration(held_out: JointHeldOutVotes) -> Calibration:
    """Fit p_k in proportion to exp(a ln((1 + v_k) / 2) - b ln((1 - v_k) / 2)), with a, b >= 0."""
    share, other = log_shares(held_out.votes)
    features, free = np.stack([share, -other]), np.array([True, True])
    found = np.zeros(2)
    while free.any():
        found = np.zeros(2)
        found[free] = _fit_softmax(features[free], held_out)
        if (found >= 0.0).all():
            break
        free &= found > 0.0
    a, b = np.maximum(found, 0.0) if free.any() else (FLAT, FLAT)
    floor = DOUBT / max(held_out.rows or len(held_out.code), held_out.votes.shape[1])
    return Calibration(np.array([a]), np.array([b]), np.zeros(1), np.array([floor]))


def joint_log_loss(calibration: Calibration, held_out: JointHeldOutVotes) -> float:
    """The weighted mean of -ln p of the right class."""
    p = calibration.together(held_out.votes)[np.arange(len(held_out.code)), held_out.code]
    return mean_log_loss(p, held_out.weight)


def _fit_softmax(features: Floats, held_out: JointHeldOutVotes) -> Floats:
    """Fit the coefficients of a softmax of features to the classes, smoothed as in Platt (1999)."""
    weight, classes = held_out.weight / held_out.weight.mean(), held_out.votes.shape[1]
    doubt = DOUBT * classes / float(weight.sum())
    goal = np.full(held_out.votes.shape, doubt / classes / (1.0 + doubt))
    goal[np.arange(len(goal)), held_out.code] += 1.0 / (1.0 + doubt)

    def log_probabilities(found: Floats) -> Floats:
        z = np.tensordot(found, features, axes=1)
        z -= z.max(axis=1, keepdims=True)
        found_log: Floats = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        return found_log

    def loss(found: Floats) -> float:
        return -float((weight[:, None] * goal * log_probabilities(found)).sum())

    def derivatives(found: Floats) -> tuple[Floats, Floats]:
        p = np.exp(log_probabilities(found))
        gradient = np.array([(weight[:, None] * each * (p - goal)).sum() for each in features])
        means = (features * p).sum(axis=2)
        hessian = np.einsum("i,aik,bik->ab", weight, features * p, features)
        hessian -= np.einsum("i,ai,bi->ab", weight, means, means)
        return gradient, hessian

    return minimise_by_newton(loss, derivatives, len(features))
