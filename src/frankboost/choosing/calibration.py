"""The calibration of probabilities on votes for rows that were not fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from frankboost.model import Calibration
from frankboost.model.model import log_shares
from frankboost.typing import Flags, Floats

DOUBT = 0.25  # of a row of each class among the rows of the other: no probability is 0 or 1
RIDGE = 1e-6  # on the coefficients, which would be infinite where votes tell the classes apart
MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Votes for rows that were not fitted, whether they are of the class voted for, and their weights."""

    votes: Floats
    target: Flags
    weight: Floats

    def scaled(self, factor: float) -> HeldOut:
        """With all votes so many times as large, in [-1, 1] still."""
        return replace(self, votes=np.clip(factor * self.votes, -1.0, 1.0))


def calibration_of(parts: Sequence[HeldOut]) -> Calibration:
    """Each ensemble's own: a vote of one may mean more than the same vote of another."""
    found = [beta_calibration(part) for part in parts]
    return Calibration(
        *(np.concatenate([getattr(one, each.name) for one in found]) for each in fields(Calibration))
    )


def beta_calibration(held_out: HeldOut) -> Calibration:
    """That of maximum likelihood for one ensemble; a, b >= 0, so that it ranks as the vote does."""
    target, weight = held_out.target, held_out.weight
    share, other = log_shares(held_out.votes)
    features = np.column_stack([share, -other])
    ones, zeros = float(weight[target].sum()), float(weight[~target].sum())
    mean = float(weight.mean())
    # As if each class had some doubtful rows (Platt, 1999): the likelihood has a maximum.
    goal = np.where(target, _doubtful(ones, mean), 1.0 - _doubtful(zeros, mean))
    used = np.array([True, True])
    while True:
        coefficients = np.zeros(2)
        found = _logistic(features[:, used], goal, weight / mean)
        coefficients[used] = found[:-1]
        if (coefficients >= 0.0).all():
            break
        used &= coefficients >= 0.0
    a, b = coefficients
    return Calibration(np.array([a]), np.array([b]), found[-1:])


def _doubtful(total: float, mean: float) -> float:
    return (total + DOUBT * mean) / (total + 2.0 * DOUBT * mean)


def _logistic(features: Floats, goal: Floats, weight: Floats) -> Floats:
    """Coefficients and intercept of the logistic regression on probabilities, by Newton's method."""
    columns = np.column_stack([features, np.ones(len(features))])
    ridge = RIDGE * np.eye(columns.shape[1])
    found = np.zeros(columns.shape[1])
    value = _loss(columns @ found, goal, weight)
    for _ in range(MOST_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(columns @ found, -700.0, 700.0)))
        gradient = columns.T @ (weight * (p - goal)) + ridge @ found
        curvature = (columns * (weight * p * (1.0 - p))[:, None]).T @ columns + ridge
        step, length = np.linalg.solve(curvature, gradient), 1.0
        while length > 1e-10:
            new = found - length * step
            better = _loss(columns @ new, goal, weight) + 0.5 * RIDGE * float(new @ new)
            if better <= value:
                break
            length /= 2.0
        else:
            return found
        found, done = new, value - better <= 1e-10 * abs(value)
        value = better
        if done:
            return found
    return found


def _loss(log_odds: Floats, goal: Floats, weight: Floats) -> float:
    """Minus the logarithm of the likelihood."""
    return float((weight * (np.logaddexp(0.0, log_odds) - goal * log_odds)).sum())


def log_loss(calibration: Calibration, held_out: HeldOut) -> float:
    """The weighted mean of -ln p of the right class."""
    p = calibration(held_out.votes[:, None])[:, 0]
    likelihood = np.where(held_out.target, p, 1.0 - p)
    losses = -np.log(np.maximum(likelihood, 1e-300))
    return float((held_out.weight * losses).sum() / held_out.weight.sum())
