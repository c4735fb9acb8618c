"""The room: the game over the rows, wherever their parts are."""

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
from frankboost.rooms.base import Found, Search, Solution, largest_first, recalled, spread
from frankboost.rooms.line import Line
from frankboost.rooms.part import Part
from frankboost.rooms.point import Point, WholeColumns, leading, next_to, placed
from frankboost.rooms.questions import Number, Parts, Question, added, asked, beside
from frankboost.rooms.reach import Reach
from frankboost.rooms.steps import hand_out, soft_margin_below, spent
from frankboost.stopwatch import Stopwatch
from frankboost.typing import Floats


class Room:
    """The training rows and the hypotheses found so far: what a rule works with.

    A rule needs `at(weights)`, the point of some weights: its `value` is the smoothed soft margin,
    `edges()` its gradient and `soft_margin()` the soft margin. The loop asks the weak learner by `ask`. The
    rows may be in one part or in several, on a cluster or on a device; the results are the same, bit for bit.

    Parameters
    ----------
    parts : Parts
        Where the rows are.
    search : Search
        The weak learner over these parts, which is an attribute too.
    nu, tol : float
        `nu` limits the weights of the distributions, and both set the smoothing of the objective.
    threads : int
        The number of threads in this process; no result depends on it.
    weight_error : float
        How far the sum of the sample weights may be from the true sum, relative to it.

    Attributes
    ----------
    hypotheses : list
        The hypotheses found so far, in the order of the columns of A.
    eta : float
        The larger eta is, the nearer the smoothed objective is to the soft margin.
    entropy_range : float
        L with KL(d || prior) <= L for every distribution: the paper's ln(m/nu), or ln m if no cap can bind.
    known_weights : array or None
        The best weights for hypotheses of an earlier fit, which `recall` brought; None: there are none.
    oracle_watch : Stopwatch
        The seconds spent in the weak learner.
    stop : function or None
        The function that `stopped` calls: it returns True to end the step, or raises. None: nothing ends it.
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
        self.oracle_watch = Stopwatch()
        self.stop: Callable[[], bool] | None = None
        self.parts = parts
        self.threads = threads
        self.forgotten: list[Number] = []  # distributions that nobody holds; no point holds the room by it
        self.search = search
        self._weight_error = weight_error
        self._numbers = itertools.count()
        self._known: dict[tuple[bytes, ...], int] = {}
        self.reach = Reach(search)
        weights, lightest = zip(*parts.ask(Part.weigh), strict=True)
        self._weight, self._lightest = sum(weights, Fraction(0)), min(lightest)
        self.total = float(self._weight)
        self._cap(nu, tol)
        number = self.new_number()
        parts.run(hand_out(parts, number, sum(parts.ask(Part.prior, number))))
        self._next: Point
        self._open(number)

    def _cap(self, nu: float, tol: float) -> None:
        self.reach.goal = tol
        self.nu = playable_nu(nu, self._lightest, self.total)
        density, units = zip(*self.parts.ask(Part.cap, self.nu, self.total), strict=True)
        # How much of a distribution on the grid lies above its caps: none, unless nu is next to 1.
        # A distribution of P is within twice that of it, so the bound is that much larger than the edge.
        self._excess: float = 2.0 * max(1.0 - sum(units) / UNITS, 0.0)
        self.entropy_range = native.log(max(density))  # KL is a mean of ln(d_i / q_i), d_i <= min(c_i, 1)
        # L = 0 (nu = m) leaves one distribution; next to it the entropy's range is too small to divide by.
        # With a tolerance below 1e-9 the exponents would drown in rounding.
        self.eta = max(2.0 * self.entropy_range / max(tol, 1e-9), 1e-3)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def new_number(self) -> Number:
        """A number for one more distribution. The parts first forget the distributions that nobody holds, and
        use their memory again."""
        if self.forgotten:
            self.parts.ask(Part.forget, [self.forgotten.pop() for _ in range(len(self.forgotten))])
        return Number(next(self._numbers))

    @property
    def bound(self) -> float:
        """The least of the largest edges so far: no ensemble has a larger soft margin, if the weak learner
        is exact."""
        return self._least[0]

    def stopped(self) -> bool:
        """Whether a rule must end its step now and propose the weights that it has. Rules with long steps ask
        now and then."""
        return self.stop is not None and self.stop()

    def at(self, multipliers: Floats, eta: float | None = None) -> Point:
        """The point of some weights, or of other multipliers with another eta; entries left out are 0."""
        return Point(self, multipliers, self.eta if eta is None else eta)

    def line(self, weights: Floats, direction: Floats) -> Line:
        """The objective from `weights` along `direction`."""
        return Line(self, weights, direction)

    def whole(self) -> WholeColumns:
        """Whole columns, for rules that need them."""
        return WholeColumns(self)

    # Where the game begins

    def restrict(self, nu: float, tol: float) -> None:
        """Go on with another nu: keep all hypotheses, and the distribution of least edge."""
        self._cap(nu, tol)
        self._open(next_to(self, self._least[1].number()))

    def recall(self, start: Start) -> Floats | None:
        """Add known hypotheses, as far as they belong to the class.

        With other hypotheses the certificate would be false. Returns the weights, one entry per hypothesis of
        this room, or None if nothing is left of them.
        """
        hypotheses, weights = recalled(start, self.search.recall)
        if not weights.any():
            return None
        places, _ = self._take(hypotheses, self._next)
        weights = self.known_weights = spread(weights, places, len(self))
        if start.distribution is None:
            self._least = math.inf, leading(partial(self.at, weights))
            self.reopen()
        elif len(start.distribution) == self.parts.rows:  # otherwise it stayed with other rows
            self._open(placed(self, start.distribution))
        return weights

    def reopen(self) -> None:
        """Begin the next game at the distribution of the bound, with all hypotheses."""
        self._next = self._least[1]

    def _open(self, number: Number) -> None:
        """Begin at a distribution; no edge is known."""
        self.reach.forget()
        self._least = math.inf, Point(self, np.zeros(0), np.inf, given=number)
        self.reopen()

    # The weak learner

    def ask(self, point: Point | None = None, low: float = -np.inf, level: float = -np.inf) -> Found:
        """Ask the weak learner at a point; keep its hypotheses and the bound.

        None: the point is the prior, or the distribution that `recall`, `restrict` or `reopen` set. `low` is
        the largest soft margin so far: the game ends with a bound of at most `low` plus the tolerance. Only
        edges above `level` are of use; if `level` is inf, only the largest edge is.
        """
        at = self._next if point is None else point
        if not isinstance(at, Point) or not at.belongs_to(self):
            raise TypeError(f"the point must be one of this room; got {at!r}")
        before, driven = len(self), self.reach.is_above(low, level)
        answer = self.oracle_watch.timing(self.search)(at.number(), lambda: self._need(at, low, level))
        places, rounded = self._take(answer.hypotheses, at)
        edges = at.edges()
        best = int(np.argmax(edges))
        # A hypothesis met before may beat a heuristic learner's answer; an exact one's it can only tie.
        newest = places[0] if edges[places[0]] >= edges[best] else best
        bound = max(rounded if answer.bound is None else answer.bound, float(edges[best])) + self._excess
        if bound < self._least[0]:
            # One assignment: an interrupt never separates the bound from what attains it.
            self._least = bound, at
        return self.reach.learn(Found(edges, newest, len(self) > before, driven), self.bound, self._excess)

    def _need(self, at: Point, low: float, level: float) -> Need:
        """What an answer is for."""
        known = max(float(at.edges().max()) if len(self) > 0 else -1.0, level)
        return self.reach.need(known, low, level, self.bound, self._excess)

    def _take(self, hypotheses: Sequence[Any], at: Point) -> tuple[list[int], float]:
        """The numbers of hypotheses, new or known, and the largest rounded edge; parts keep new columns."""
        answers, told = self.parts.run(
            beside(asked(Part.take, self.search.told(hypotheses)), asked(Part.taken_edges, at.number()))
        )
        keys, (edges, rounded) = list(zip(*answers, strict=True)), zip(*told, strict=True)
        first = {key: k for k, key in reversed(list(enumerate(keys))) if key not in self._known}
        fresh = sorted(first.values())
        self.parts.ask(Part.keep, fresh)
        at.learn(added(edges)[fresh], len(self))
        for k in fresh:
            self._known[keys[k]] = len(self)
            self.hypotheses.append(hypotheses[k])
        return [self._known[key] for key in keys], max(rounded)

    # The end

    def proved(self, weights: Floats) -> float:
        """The soft margin of weights that `outcome` can prove, after all rounding."""
        weights = snapped_weights(weights)
        point, used = self.at(weights), np.flatnonzero(weights)
        # Signs add up exactly. Single precision rounded other entries down; their sums are rounded as well.
        error = 0.0 if all(self.parts.ask(Part.are_signs, used)) else _rounding(len(used))
        return self._below(point.with_margins, point.spent[1], error)

    def proved_of(self, hypotheses: Sequence[Hypothesis], weights: Floats) -> float:
        """The soft margin of a vote of any hypotheses with values in [-1, 1] that a certificate can prove."""
        number = self.new_number()
        self.parts.ask(Part.vote, number, self.search.told(hypotheses), weights)
        self.forgotten.append(number)
        return self._below(number, spent(self, number)[1], _rounding(len(weights)))

    def _below(self, number: Number, quantile: float, error: float) -> float:
        """The soft margin of margins that may be off by an error, rounded down."""
        whole, weight_error = Fraction(self.nu) * self._weight, self._weight_error
        return soft_margin_below(self.parts, number, quantile, whole, error=error, weight_error=weight_error)

    def outcome(self, weights: Floats) -> Solution:
        """The result of the game: the only method that returns vectors over the rows."""
        weights = snapped_weights(weights)
        soft_margin, used = self.proved(weights), largest_first(weights)
        hypotheses = [self.hypotheses[j] for j in used]
        least = self._least[1].number()
        bin_weights = self._bin_weights()
        gains = None if bin_weights is not None else self.search.gains(hypotheses, least)
        return Solution(
            hypotheses=hypotheses,
            weights=weights[used],
            soft_margin=soft_margin,
            # Below the soft margin it is a heuristic learner's, which failed to find what it found later.
            bound=self.bound if self.bound >= soft_margin else self._largest_known(),
            distribution=self._of_each(Part.distribution, least),
            capped=self._of_each(Part.capped, least),
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
        """A bound for the hypotheses known by now, at the distribution of the bound."""
        signs = all(self.parts.ask(Part.are_signs, np.arange(len(self))))
        error = 0.0 if signs else self.parts.rows * 2.0**-52
        return float(self._least[1].edges().max()) + error + self._excess

    def _of_each(self, question: Question, number: Number) -> Any:
        """A vector with one entry per row, in the form in which it leaves the room."""
        return np.concatenate(self.parts.ask(question, number))


def _rounding(terms: int) -> float:
    """What rounding may do to a sum of so many weights that sum to 1, times entries in [-1, 1]."""
    return (terms + 2) * 2.0**-53
