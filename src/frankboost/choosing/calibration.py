"""The calibration of probabilities on votes for held-out rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from frankboost.choosing.constants import DOUBT
from frankboost.model import Calibration
from frankboost.model.model import log_shares
from frankboost.typing import Flags, Floats

FLAT = 0.1  # the coefficients where held-out votes rank the rows the wrong way round
RIDGE = 1e-6  # on the coefficients, which would be infinite where votes separate the classes
MAX_STEPS = 100
LEAST_STEP, LEAST_GAIN = 1e-10, 1e-10
NO_VOTE = 1.0 + 2.0**-10  # larger than any vote
BISECTIONS = 60


@dataclass(frozen=True, eq=False)
class HeldOutVotes:
    """Votes of one ensemble for held-out rows, with the labels and the weights of the rows.

    `threshold` is the log-odds at which an error costs the same for either class: 0 without `class_weight`.
    """

    votes: Floats
    target: Flags  # whether each row is of the class of a positive vote
    weight: Floats
    row_weight: float = 1.0  # the weight that counts as one row
    threshold: float = 0.0
    intercept: float | None = None  # the log-odds at a vote of 0, if they are known
    total_weight: float | None = None  # the weight of all rows; None if all rows were held out

    @property
    def error(self) -> float:
        """The share of the weight whose class the votes get wrong."""
        wrong = (self.votes > 0.0) != self.target
        return float(self.weight[wrong].sum() / self.weight.sum())

    @property
    def floor(self) -> float:
        """The least probability: `DOUBT` over the number of all rows."""
        total = float(self.weight.sum()) if self.total_weight is None else self.total_weight
        return DOUBT / max(total / self.row_weight, 1.0)

    def centre_by_line(self) -> tuple[HeldOutVotes, float]:
        """Shift the votes so that a line through 0 fits their log-odds best.

        Also returns the vote that became 0.
        """
        slope, height = fit_line(self)
        return self._centred_at(-height / slope, 0.0)

    def centre_by_calibration(self) -> tuple[HeldOutVotes, float]:
        """Shift the votes so that at a vote of 0 an error costs the same for either class.

        Also returns the vote that became 0.
        """
        calibration = beta_calibration(self)
        log_odds = self._threshold_before_floor()
        zero = _vote_at(log_odds, calibration)
        if abs(zero) > 1.0:
            log_odds = float(calibration.log_odds(np.array([[zero]]))[0, 0])
        return self._centred_at(zero, log_odds)

    def _threshold_before_floor(self) -> float:
        """The threshold in terms of the log-odds from which the floor makes probabilities."""
        share = (1.0 / (1.0 + math.exp(-self.threshold)) - self.floor) / (1.0 - 2.0 * self.floor or 1.0)
        is_known = self.threshold != 0.0 and 0.0 < share < 1.0
        return math.log(share / (1.0 - share)) if is_known else self.threshold

    def _centred_at(self, zero: float, intercept: float) -> tuple[HeldOutVotes, float]:
        """The votes after a constant tree is added so that the vote `zero` becomes 0; and `zero`."""
        return replace(self, votes=(self.votes - zero) / (1.0 + abs(zero)), intercept=intercept), zero


def calibrate_each(parts: Sequence[HeldOutVotes]) -> Calibration:
    """Calibrate each ensemble on its own, since equal votes of two ensembles may mean other probabilities."""
    found = [beta_calibration(part) for part in parts]
    return Calibration(
        *(np.concatenate([getattr(one, each.name) for one in found]) for each in fields(Calibration))
    )


def beta_calibration(held_out: HeldOutVotes) -> Calibration:
    """Fit beta calibration to one ensemble by maximum likelihood.

    Both coefficients are at least 0, so that probabilities rank the rows as the votes do.
    """
    (goal, weight), intercept = _smoothed_targets(held_out), held_out.intercept
    share, other = log_shares(held_out.votes)
    features, free = np.column_stack([share, -other]), np.array([True, True])
    fixed, constant = np.zeros(2), [np.ones((len(goal), 1))] if intercept is None else []
    while True:
        columns = np.hstack([features[:, free], *constant])
        found = _fit_logistic(columns, goal, weight, features @ fixed + (intercept or 0.0))
        coefficients = fixed.copy()
        coefficients[free] = found[: int(free.sum())]
        if (coefficients >= 0.0).all():
            break
        free &= coefficients >= 0.0
        if not free.any():
            fixed[:] = FLAT
    last = found[-1] if intercept is None else intercept
    return Calibration(*(np.array([each]) for each in (*coefficients, last, held_out.floor)))


def fit_line(held_out: HeldOutVotes) -> tuple[float, float]:
    """Fit a line to the log-odds over the votes: its slope, at least `FLAT`, and its value at a vote of 0."""
    (goal, weight), one = _smoothed_targets(held_out), np.ones((len(held_out.votes), 1))
    if held_out.intercept is None:
        columns = np.column_stack([held_out.votes, one])
        slope, height = _fit_logistic(columns, goal, weight, np.zeros(len(one)))
    else:
        [slope] = _fit_logistic(held_out.votes[:, None], goal, weight, np.full(len(one), held_out.intercept))
        height = held_out.intercept
    if slope < FLAT and held_out.intercept is None:
        [height] = _fit_logistic(one, goal, weight, FLAT * held_out.votes)
    return max(float(slope), FLAT), float(height)


def minimise_by_newton(
    loss: Callable[[Floats], float], derivatives: Callable[[Floats], tuple[Floats, Floats]], count: int
) -> Floats:
    """Minimise a convex loss of `count` coefficients, plus a small ridge, by damped Newton steps.

    `derivatives` returns the gradient and the Hessian.
    """
    found = np.zeros(count)
    value = loss(found)
    for _ in range(MAX_STEPS):
        gradient, hessian = derivatives(found)
        step, length = np.linalg.solve(hessian + RIDGE * np.eye(count), gradient + RIDGE * found), 1.0
        while length > LEAST_STEP:
            new = found - length * step
            new_value = loss(new) + 0.5 * RIDGE * float(new @ new)
            if new_value <= value:
                break
            length /= 2.0
        else:
            return found
        is_done = value - new_value <= LEAST_GAIN * abs(value)
        found, value = new, new_value
        if is_done:
            return found
    return found


def log_loss(calibration: Calibration, held_out: HeldOutVotes) -> float:
    """The weighted mean of -ln p of the right class."""
    p = calibration(held_out.votes[:, None])[:, 0]
    return mean_log_loss(np.where(held_out.target, p, 1.0 - p), held_out.weight)


def mean_log_loss(likelihood: Floats, weight: Floats) -> float:
    """The weighted mean of minus the logarithm of probabilities."""
    losses = -np.log(np.maximum(likelihood, 1e-300))
    return float((weight * losses).sum() / weight.sum())


def _smoothed_targets(held_out: HeldOutVotes) -> tuple[Floats, Floats]:
    """The target probability and the weight of each row, in rows.

    Each class gets `DOUBT` rows of the other one (as in Platt, 1999), so that the likelihood has a maximum.
    """
    target, weight = held_out.target, held_out.weight / held_out.row_weight
    ones, zeros = float(weight[target].sum()), float(weight[~target].sum())
    return np.where(target, _smoothed_share(ones), 1.0 - _smoothed_share(zeros)), weight


def _smoothed_share(rows: float) -> float:
    return (rows + DOUBT) / (rows + 2.0 * DOUBT)


def _vote_at(log_odds: float, calibration: Calibration) -> float:
    """The vote with these log-odds, by bisection; `NO_VOTE` or its negative if there is none."""

    def excess(vote: float) -> float:
        return float(calibration.log_odds(np.array([[vote]]))[0, 0]) - log_odds

    low, high = -1.0, 1.0
    if excess(low) > 0.0:
        return -NO_VOTE
    if excess(high) <= 0.0:
        return NO_VOTE
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if excess(middle) <= 0.0 else (low, middle)
    return low


def _fit_logistic(columns: Floats, goal: Floats, weight: Floats, offset: Floats) -> Floats:
    """Fit a logistic regression to probabilities; `offset` is added to the log-odds."""

    def loss(found: Floats) -> float:
        z = offset + columns @ found
        return float((weight * (np.logaddexp(0.0, z) - goal * z)).sum())

    def derivatives(found: Floats) -> tuple[Floats, Floats]:
        p = 1.0 / (1.0 + np.exp(-np.clip(offset + columns @ found, -700.0, 700.0)))
        return columns.T @ (weight * (p - goal)), (columns * (weight * p * (1.0 - p))[:, None]).T @ columns

    return minimise_by_newton(loss, derivatives, columns.shape[1])
