"""One calibration of the votes for many classes: probabilities have the order of the votes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.choosing.calibration import FLAT, MOST_STEPS, RIDGE
from frankboost.choosing.constants import DOUBT
from frankboost.model import Calibration
from frankboost.model.model import log_shares
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class VotesTogether:
    """Votes for held-out rows, with one column per class; the number of each row's class; the weights.

    `rows` is the number of all rows, if only some of them were held out.
    """

    votes: Floats
    code: Indices
    weight: Floats
    rows: int | None = None

    def part(self, rows: Flags | Indices) -> VotesTogether:
        """The votes for some of the rows."""
        return VotesTogether(self.votes[rows], self.code[rows], self.weight[rows], self.rows)

    @property
    def error(self) -> float:
        """The share of the weight whose largest vote is for another class."""
        wrong = self.votes.argmax(axis=1) != self.code
        return float(self.weight[wrong].sum() / self.weight.sum())


def joint_calibration(held_out: VotesTogether) -> Calibration:
    """p_k in proportion to exp(a ln((1 + v_k) / 2) - b ln((1 - v_k) / 2)), a, b >= 0, most likely."""
    share, other = log_shares(held_out.votes)
    features, free = np.stack([share, -other]), np.array([True, True])
    found = np.zeros(2)
    while free.any():
        found = np.zeros(2)
        found[free] = _most_likely(features[free], held_out)
        if (found >= 0.0).all():
            break
        free &= found > 0.0
    a, b = np.maximum(found, 0.0) if free.any() else (FLAT, FLAT)
    floor = DOUBT / max(held_out.rows or len(held_out.code), held_out.votes.shape[1])
    return Calibration(np.array([a]), np.array([b]), np.zeros(1), np.array([floor]))


def mean_loss(calibration: Calibration, held_out: VotesTogether) -> float:
    """The weighted mean of -ln p of the right class."""
    p = calibration.together(held_out.votes)[np.arange(len(held_out.code)), held_out.code]
    losses = -np.log(np.maximum(p, 1e-300))
    return float((held_out.weight * losses).sum() / held_out.weight.sum())


def _most_likely(features: Floats, held_out: VotesTogether) -> Floats:
    """The coefficients of a softmax of features, by Newton's method.

    As if some rows were doubtful (Platt, 1999): the likelihood has a maximum.
    """
    weight, classes = held_out.weight / held_out.weight.mean(), held_out.votes.shape[1]
    doubt = DOUBT * classes / float(weight.sum())
    goal = np.full(held_out.votes.shape, doubt / classes / (1.0 + doubt))
    goal[np.arange(len(goal)), held_out.code] += 1.0 / (1.0 + doubt)
    found = np.zeros(len(features))
    value, p = _loss(features, found, goal, weight)
    for _ in range(MOST_STEPS):
        gradient = np.array([(weight[:, None] * each * (p - goal)).sum() for each in features])
        means = (features * p).sum(axis=2)
        curvature = np.einsum("i,aik,bik->ab", weight, features * p, features)
        curvature -= np.einsum("i,ai,bi->ab", weight, means, means)
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(found)), gradient + RIDGE * found)
        length, better, q = 1.0, np.inf, p
        while length > 1e-10:
            better, q = _loss(features, found - length * step, goal, weight)
            if better <= value:
                break
            length /= 2.0
        else:
            return found
        found, done = found - length * step, value - better <= 1e-10 * abs(value)
        value, p = better, q
        if done:
            return found
    return found


def _loss(features: Floats, found: Floats, goal: Floats, weight: Floats) -> tuple[float, Floats]:
    """Minus the logarithm of the likelihood, with the ridge; the probabilities."""
    z = np.tensordot(found, features, axes=1)
    z -= z.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    loss = -float((weight[:, None] * goal * log_p).sum()) + 0.5 * RIDGE * float(found @ found)
    return loss, np.exp(log_p)
