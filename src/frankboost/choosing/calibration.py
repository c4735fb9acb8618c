"""The calibration of probabilities on votes for rows that were not fitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from frankboost.choosing.constants import DOUBT
from frankboost.model import Calibration
from frankboost.model.model import log_shares
from frankboost.typing import Flags, Floats

FLAT = 0.1  # coefficients where held-out rows rank the wrong way round: the vote ranks, and hardly more
RIDGE = 1e-6  # on the coefficients, which would be infinite where votes tell the classes apart
MOST_STEPS = 100
BEYOND = 1.0 + 2.0**-10  # a vote that no row has
HALVINGS = 60


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Votes for held-out rows, whether each row is of the class of a positive vote, and the weights of the
    rows.

    `unit` is the weight that counts as one row, and `even` the log-odds at which an error costs the same
    either way: 0 without `class_weight`. `intercept` is the log-odds at a vote of 0, if they are known.
    `total` is the weight of all rows, if only some of them were held out.
    """

    votes: Floats
    target: Flags
    weight: Floats
    unit: float = 1.0
    even: float = 0.0
    intercept: float | None = None
    total: float | None = None

    @property
    def error(self) -> float:
        """The share of the weight that the votes are wrong about."""
        wrong = (self.votes > 0.0) != self.target
        return float(self.weight[wrong].sum() / self.weight.sum())

    @property
    def floor(self) -> float:
        """The least probability: `DOUBT` of a row among all of them."""
        total = float(self.weight.sum()) if self.total is None else self.total
        return DOUBT / max(total / self.unit, 1.0)

    def _turn(self) -> float:
        """The log-odds before the floor at which an error costs the same either way."""
        share = (1.0 / (1.0 + math.exp(-self.even)) - self.floor) / (1.0 - 2.0 * self.floor or 1.0)
        return math.log(share / (1.0 - share)) if self.even != 0.0 and 0.0 < share < 1.0 else self.even

    def straight(self) -> tuple[HeldOut, float]:
        """Move the votes so that their log-odds are best told by a line through 0; also returns the vote that
        became 0."""
        slope, height = line_of(self)
        return self._from(-height / slope, 0.0)

    def _from(self, zero: float, intercept: float) -> tuple[HeldOut, float]:
        """Add a constant tree to the votes, so that the vote `zero` becomes 0; also returns `zero`."""
        return replace(self, votes=(self.votes - zero) / (1.0 + abs(zero)), intercept=intercept), zero

    def moved(self) -> tuple[HeldOut, float]:
        """Move the votes so that 0 is where both errors cost the same; also returns the vote that became 0.

        They are those of an ensemble that has a constant tree as well.
        """
        calibration = beta_calibration(self)
        turn = self._turn()
        zero = _zero_of(calibration, turn)
        there = turn if abs(zero) <= 1.0 else float(calibration.log_odds(np.array([[zero]]))[0, 0])
        return self._from(zero, there)


def calibration_of(parts: Sequence[HeldOut]) -> Calibration:
    """One calibration per ensemble, as equal votes of two ensembles may mean different probabilities."""
    found = [beta_calibration(part) for part in parts]
    return Calibration(
        *(np.concatenate([getattr(one, each.name) for one in found]) for each in fields(Calibration))
    )


def beta_calibration(held_out: HeldOut) -> Calibration:
    """The calibration of maximum likelihood for one ensemble, with a, b >= 0, so that it ranks rows as the
    vote does."""
    goal, weight, intercept = *_goal(held_out), held_out.intercept
    share, other = log_shares(held_out.votes)
    features, free = np.column_stack([share, -other]), np.array([True, True])
    base, constant = np.zeros(2), [np.ones((len(goal), 1))] if intercept is None else []
    while True:
        columns = np.hstack([features[:, free], *constant])
        found = _logistic(columns, goal, weight, features @ base + (intercept or 0.0))
        coefficients = base.copy()
        coefficients[free] = found[: int(free.sum())]
        if (coefficients >= 0.0).all():
            break
        free &= coefficients >= 0.0
        if not free.any():
            base[:] = FLAT
    last = found[-1] if intercept is None else intercept
    return Calibration(*(np.array([each]) for each in (*coefficients, last, held_out.floor)))


def line_of(held_out: HeldOut) -> tuple[float, float]:
    """The slope, at least `FLAT`, and the height of the most likely line of log-odds over the votes."""
    (goal, weight), one = _goal(held_out), np.ones((len(held_out.votes), 1))
    if held_out.intercept is None:
        slope, height = _logistic(np.column_stack([held_out.votes, one]), goal, weight, np.zeros(len(one)))
    else:
        [slope] = _logistic(held_out.votes[:, None], goal, weight, np.full(len(one), held_out.intercept))
        height = held_out.intercept
    if slope < FLAT and held_out.intercept is None:
        [height] = _logistic(one, goal, weight, FLAT * held_out.votes)
    return max(float(slope), FLAT), float(height)


def _goal(held_out: HeldOut) -> tuple[Floats, Floats]:
    """The probability that is to be reached for each row, and its weight in rows.

    As if each class had some doubtful rows (Platt, 1999): the likelihood has a maximum.
    """
    target, weight = held_out.target, held_out.weight / held_out.unit
    ones, zeros = float(weight[target].sum()), float(weight[~target].sum())
    return np.where(target, _doubtful(ones), 1.0 - _doubtful(zeros)), weight


def _zero_of(calibration: Calibration, even: float) -> float:
    """The vote at which the log-odds are `even`; a vote next to -1 or 1 if there is none."""

    def excess(vote: float) -> float:
        return float(calibration.log_odds(np.array([[vote]]))[0, 0]) - even

    low, high = -1.0, 1.0
    if excess(low) > 0.0:
        return -BEYOND
    if excess(high) <= 0.0:
        return BEYOND
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if excess(middle) <= 0.0 else (low, middle)
    return low


def _doubtful(total: float) -> float:
    return (total + DOUBT) / (total + 2.0 * DOUBT)


def _logistic(columns: Floats, goal: Floats, weight: Floats, base: Floats) -> Floats:
    """Coefficients of the logistic regression on probabilities beside log-odds `base`, by Newton's method."""
    ridge = RIDGE * np.eye(columns.shape[1])
    found = np.zeros(columns.shape[1])
    value = _loss(base, goal, weight)
    for _ in range(MOST_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(base + columns @ found, -700.0, 700.0)))
        gradient = columns.T @ (weight * (p - goal)) + ridge @ found
        curvature = (columns * (weight * p * (1.0 - p))[:, None]).T @ columns + ridge
        step, length = np.linalg.solve(curvature, gradient), 1.0
        while length > 1e-10:
            new = found - length * step
            better = _loss(base + columns @ new, goal, weight) + 0.5 * RIDGE * float(new @ new)
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
