"""The room: the game over the rows of all parts, wherever these are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from frankboost import native
from frankboost.grid import UNITS, playable_nu, snapped_weights
from frankboost.learners.base import Hypothesis, Need, Start
from frankboost.rooms.base import Found, Search, Solution
from frankboost.rooms.estimate import OptimumEstimate
from frankboost.rooms.line import Line
from frankboost.rooms.part import Part
from frankboost.rooms.point import (
    Point,
    WholeColumns,
    least_bound_point,
    nearest_within_caps,
    place_distribution,
)
from frankboost.rooms.questions import Number, Parts, Question, added, asked, asked_together
from frankboost.rooms.steps import hand_out, soft_margin_and_quantile, soft_margin_below
from frankboost.trace import Stopwatch
from frankboost.typing import Floats


class Room:
    """The training rows and the hypotheses found so far, as the loop and the rules see them.

    Rules call `at(weights)`, which returns the point of the weights: its `value` is the smoothed soft margin,
    `edges()` its gradient and `soft_margin()` the soft margin. The loop calls `ask`, which asks the weak
    learner for hypotheses. The rows may be in one part or in several, on a cluster or on a device; the
    results are the same, bit for bit.

    Parameters
    ----------
    parts : Parts
        The parts, which hold the rows.
    search : Search
        The weak learner over these parts; also an attribute.
    nu, tol : float
        `nu` sets the caps of the distributions; `nu` and `tol` set the smoothing of the objective.
    threads : int
        The number of threads in this process; no result depends on it.
    weight_error : float
        The largest relative error of the sum of the sample weights.

    Attributes
    ----------
    hypotheses : list
        The hypotheses found so far, in the order of the columns of A.
    eta : float
        The larger eta is, the nearer the smoothed objective is to the soft margin.
    entropy_range : float
        L with KL(d || prior) <= L for every distribution: the paper's ln(m/nu), or ln m if no cap can bind.
    known_weights : array or None
        The weights that `recall` found for hypotheses of an earlier fit; None before a `recall` that found
        some.
    oracle_watch, rule_watch : Stopwatch
        The seconds spent in the weak learner, and in the steps of the rules.
    stop : function or None
        The function that `stopped` calls: it returns True, or raises, to end the step of a rule. None: no
        step is ended.
    estimate : OptimumEstimate
        Decides which rounds ask the weak learner for a bound.
    """

    def __init__(
        self,
        parts: Parts,
        search: Search,
        *,
        nu: float,
        tol: float,
        threads: int = 1,
        weight_error: float = 0.0,
    ) -> None:
        self.hypotheses: list[Hypothesis] = []
        self.known_weights: Floats | None = None
        self.oracle_watch, self.rule_watch = Stopwatch(), Stopwatch()
        self.stop: Callable[[], bool] | None = None
        self.parts = parts
        self.threads = threads
        self.forgotten: list[Number] = []  # shared with the points, which must not hold the room itself
        self.search = search
        self._weight_error = weight_error
        self._numbers = itertools.count()
        self._known: dict[tuple[bytes, ...], int] = {}
        self.estimate = OptimumEstimate(search)
        weights, lightest = zip(*parts.ask(Part.weigh), strict=True)
        self._weight, self._lightest = sum(weights, Fraction(0)), min(lightest)
        self.total = float(self._weight)
        self._cap(nu, tol)
        number = self.new_number()
        parts.run(hand_out(parts, number, sum(parts.ask(Part.prior, number))))
        self._next: Point
        self._begin_at(number)

    def _cap(self, nu: float, tol: float) -> None:
        self.estimate.tol = tol
        self.nu = playable_nu(nu, self._lightest, self.total)
        density, units = zip(*self.parts.ask(Part.cap, self.nu, self.total), strict=True)
        # Next to nu = 1 the caps, rounded to the grid, sum to less than 1, and a distribution on the grid
        # exceeds them by the rest. It differs from one of P by at most twice the rest: bounds are raised by
        # that.
        self._excess: float = 2.0 * max(1.0 - sum(units) / UNITS, 0.0)
        self.entropy_range = native.log(max(density))  # KL is a mean of ln(d_i / q_i), d_i <= min(c_i, 1)
        # Two floors: L = 0 (nu = m) leaves one distribution, and for a tolerance below 1e-9 the rounding of
        # the exponents would be larger than the tolerance.
        self.eta = max(2.0 * self.entropy_range / max(tol, 1e-9), 1e-3)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def new_number(self) -> Number:
        """A number for one more distribution, after the parts have freed the distributions that no point
        holds."""
        self._free_forgotten()
        return Number(next(self._numbers))

    def _free_forgotten(self) -> None:
        if self.forgotten:
            self.parts.ask(Part.forget, [self.forgotten.pop() for _ in range(len(self.forgotten))])

    @property
    def bound(self) -> float:
        """The least, over all points asked about, of the largest edge: no ensemble has a larger soft margin,
        if the weak learner is exact."""
        return self._least[0]

    @property
    def estimated_bound(self) -> float:
        """The bound, or an estimate of the optimum if that is smaller; rules may aim at it."""
        return self.estimate.at_most(self.bound)

    def stopped(self) -> bool:
        """Whether a rule must end its step now and propose the weights that it has. Rules with long steps
        call this now and then."""
        return self.stop is not None and self.stop()

    def at(self, multipliers: Floats, eta: float | None = None) -> Point:
        """The point of weights, or of any multipliers with an eta of their own; missing last entries are
        0."""
        return Point(self, multipliers, self.eta if eta is None else eta)

    def line(self, weights: Floats, direction: Floats) -> Line:
        """The line of the points of weights + step * direction."""
        return Line(self, weights, direction)

    def whole(self) -> WholeColumns:
        """The whole columns of the margin matrix, for rules that need them."""
        return WholeColumns(self)

    # The start of a game

    def restrict(self, nu: float, tol: float) -> None:
        """Begin a game with another nu, with all hypotheses, at the distribution of the bound.

        The bound holds for any smaller nu, at which no cap is smaller.
        """
        before = self.nu
        self._cap(nu, tol)
        bound = self.bound if self.nu <= before else math.inf
        self._begin_at(nearest_within_caps(self, self._least[1].number()), bound)

    def recall(self, start: Start) -> Floats | None:
        """Begin with hypotheses of an earlier fit, without those outside the class of the weak learner.

        With hypotheses outside the class the certificate would be false. Returns the weights of the start,
        one entry per hypothesis of this room, or None if no hypothesis with weight is left.
        """
        recalled = map(self.search.recall, start.hypotheses)
        kept = [each for each in zip(recalled, start.weights, strict=True) if each[0] is not None]
        given = np.array([weight for _, weight in kept])
        if not given.any():
            return None
        places, _ = self._add_hypotheses([hypothesis for hypothesis, _ in kept], self._next)
        weights = self.known_weights = np.zeros(len(self))
        np.add.at(weights, places, given / given.sum())  # a hypothesis may be recalled twice
        if start.distribution is None:
            self._least = math.inf, least_bound_point(partial(self.at, weights))
            self.reopen()
        elif len(start.distribution) == self.parts.rows:  # else it is a distribution over other rows
            self._begin_at(place_distribution(self, start.distribution))
        return weights

    def reopen(self) -> None:
        """Let the next game begin at the distribution of the bound, with all hypotheses."""
        self._next = self._least[1]

    def _begin_at(self, number: Number, bound: float = math.inf) -> None:
        """Let the game begin at a distribution, whose bound is known unless it is infinite."""
        self.estimate.reset(bound)
        self._least = bound, Point(self, np.zeros(0), np.inf, given=number)
        self._knows_first_answer = bound < math.inf
        self.reopen()

    # The weak learner

    def ask(self, point: Point | None = None, low: float = -np.inf, level: float = -np.inf) -> Found:
        """Ask the weak learner for hypotheses of large edge at a point; keep these, and the bound.

        None: the point is the prior, or the distribution that `recall`, `restrict` or `reopen` set. `low` is
        the largest soft margin so far: the game ends with a bound of at most `low` plus the tolerance. Only
        hypotheses with an edge above `level` are of use; if `level` is inf, only the best one is.
        """
        at = self._next if point is None else point
        if not isinstance(at, Point) or not at.belongs_to(self):
            raise TypeError(f"the point must be one of this room; got {at!r}")
        known, self._knows_first_answer = self._knows_first_answer and point is None, False
        if known:
            return Found(at.edges(), int(np.argmax(at.edges())), grew=False)
        self._free_forgotten()  # a search needs memory of its own
        before, driven = len(self), self.estimate.needs_no_bound(low, level)
        answer = self.oracle_watch.timing(self.search)(at.number(), lambda: self._need(at, low, level))
        places, rounded = self._add_hypotheses(answer.hypotheses, at)
        edges = at.edges()
        best = int(np.argmax(edges))
        # A known hypothesis may have a larger edge than the answer of a heuristic learner.
        newest = places[0] if edges[places[0]] >= edges[best] else best
        bound = max(rounded if answer.bound is None else answer.bound, float(edges[best])) + self._excess
        if bound < self._least[0]:
            # One assignment, so that an interrupt cannot separate the bound from its distribution.
            self._least = bound, at
        return self.estimate.learn(Found(edges, newest, len(self) > before, driven), self.bound, self._excess)

    def _need(self, at: Point, low: float, level: float) -> Need:
        """What the round needs from the weak learner."""
        known = max(float(at.edges().max()) if len(self) > 0 else -1.0, level)
        return self.estimate.need(known, low, level, self.bound, self._excess)

    def _add_hypotheses(self, hypotheses: Sequence[Any], at: Point) -> tuple[list[int], float]:
        """Let the parts keep the columns of hypotheses that are new.

        Returns the column number of each hypothesis, new or known, and an upper bound on the edges of columns
        whose entries are not signs.
        """
        digests, taken_edges = self.parts.run(
            asked_together(
                asked(Part.take, self.search.encode(hypotheses)), asked(Part.taken_edges, at.number())
            )
        )
        keys, (edges, rounded) = list(zip(*digests, strict=True)), zip(*taken_edges, strict=True)
        first = {key: k for k, key in reversed(list(enumerate(keys))) if key not in self._known}
        fresh = sorted(first.values())
        self.parts.ask(Part.keep, fresh)
        at.learn(added(edges)[fresh], len(self))
        for k in fresh:
            self._known[keys[k]] = len(self)
            self.hypotheses.append(hypotheses[k])
        return [self._known[key] for key in keys], max(rounded)

    # The end of a game

    def proved_soft_margin(self, weights: Floats) -> float:
        """The soft margin of weights, rounded down so that a certificate can prove it."""
        weights = snapped_weights(weights)
        point, used = self.at(weights), np.flatnonzero(weights)
        # Margins from columns of signs are exact. Other entries were rounded down to single precision, and
        # their sums are rounded as well.
        error = 0.0 if all(self.parts.ask(Part.are_signs, used)) else _rounding(len(used))
        return self._soft_margin_below(point.margins_number, point.soft_margin_and_quantile[1], error)

    def proved_soft_margin_of(self, hypotheses: Sequence[Hypothesis], weights: Floats) -> float:
        """The soft margin of a vote of any hypotheses with values in [-1, 1], rounded down so that a
        certificate can prove it."""
        number = self.new_number()
        self.parts.ask(Part.vote, number, self.search.encode(hypotheses), weights)
        self.forgotten.append(number)
        return self._soft_margin_below(
            number, soft_margin_and_quantile(self, number)[1], _rounding(len(weights))
        )

    def _soft_margin_below(self, number: Number, quantile: float, error: float) -> float:
        """The soft margin of margins whose error is at most `error`, rounded down."""
        whole, weight_error = Fraction(self.nu) * self._weight, self._weight_error
        return soft_margin_below(self.parts, number, quantile, whole, error=error, weight_error=weight_error)

    def outcome(self, weights: Floats) -> Solution:
        """The result of the game; no other method returns vectors with one entry per row."""
        weights = snapped_weights(weights)
        soft_margin = self.proved_soft_margin(weights)
        used = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights)]  # largest weight first
        hypotheses = [self.hypotheses[j] for j in used]
        least = self._least[1].number()
        bin_weights = self._bin_weights()
        gains = None if bin_weights is not None else self.search.gains(hypotheses, least)
        return Solution(
            hypotheses=hypotheses,
            weights=weights[used],
            soft_margin=soft_margin,
            # A heuristic learner's bound may be below the soft margin: it missed hypotheses then that it
            # found later.
            bound=self.bound if self.bound >= soft_margin else self._largest_known(),
            distribution=self._per_row(Part.distribution, least),
            capped=self._per_row(Part.capped, least),
            bin_weights=bin_weights,
            gains=None if gains is None else (weights[used, None] * gains).sum(axis=0),
        )

    def _bin_weights(self) -> Floats | None:
        """The share of the rows in each bin of each feature, by weight."""
        number = self.new_number()
        self.parts.ask(Part.prior, number)
        self.forgotten.append(number)
        return self.search.bin_weights(number)

    def _largest_known(self) -> float:
        """The largest edge of all known hypotheses at the distribution of the bound, rounded up."""
        signs = all(self.parts.ask(Part.are_signs, np.arange(len(self))))
        error = 0.0 if signs else self.parts.rows * 2.0**-52
        return float(self._least[1].edges().max()) + error + self._excess

    def _per_row(self, question: Question, number: Number) -> Any:
        """The answers of all parts as one vector with one entry per row."""
        return np.concatenate(self.parts.ask(question, number))


def _rounding(terms: int) -> float:
    """The largest rounding error of a weighted mean of this many numbers in [-1, 1]."""
    return (terms + 2) * 2.0**-53
