"""The room whose rows lie in parts: on the workers of a cluster, on a device, or here."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from frankboost import native
from frankboost.grid import UNITS, magics_for, playable_nu, rounded_down, snapped_weights
from frankboost.learners.base import Hypothesis, Start
from frankboost.learners.tree_oracle import NEGLIGIBLE
from frankboost.rooms.base import Found, Point, Room, Solution, largest_first, leading, recalled, spread
from frankboost.rooms.handing_out import hand_out
from frankboost.rooms.parts import Parts, Search
from frankboost.rooms.parts_point import PartsLine, PartsPoint
from frankboost.stopwatch import Stopwatch
from frankboost.typing import Floats


class PartsRoom(Room):
    """Rows in parts: the same game, bit for bit, as in a room that has them all.

    Parameters
    ----------
    parts : Parts
    search : Search
        The weak learner over these parts.
    nu, tol : float
        They give the caps of the distributions and the smoothing of the objective.
    threads : int
        To work with here; no answer depends on it.
    weight_error : float
        As in `Examples`.
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
        self.hypotheses = []
        self.oracle_watch = Stopwatch()
        self.parts = parts
        self.threads = threads
        self._weight_error = weight_error
        self._search = search
        self._numbers = itertools.count()
        self.forgotten: list[int] = []  # distributions that nobody holds; no point holds the room by it
        self._known: dict[tuple[bytes, ...], int] = {}
        self._weight = sum(parts.ask("weigh"), Fraction(0))
        self.total = float(self._weight)
        self._lightest = min(parts.ask("least_weight"))
        self._cap(nu, tol)
        number = self.new_number()
        self.hand_out(number, sum(parts.ask("prior", number)))
        self._open(PartsPoint(self, np.zeros(0), np.inf, number=number))

    def _cap(self, nu: float, tol: float) -> None:
        self.nu = playable_nu(nu, self._lightest, self.total)
        answers = self.parts.ask("cap", self.nu, self.total)
        density, least, units = zip(*answers, strict=True)
        if min(least) < NEGLIGIBLE / self.parts.rows:
            raise ValueError(
                "where the rows lie in parts, sample_weight must hold no weight below a millionth of their "
                f"mean; got {min(least) * self.parts.rows:.3g} of it"
            )
        self._excess = max(1.0 - sum(units) / UNITS, 0.0)
        self.entropy_range = native.log(max(density))
        self.eta = max(2.0 * self.entropy_range / max(tol, 1e-9), 1e-3)

    def new_number(self) -> int:
        """For one more distribution."""
        return next(self._numbers)

    @property
    def bound(self) -> float:
        """The least best edge so far."""
        return self._bound

    def at(self, multipliers: Floats, eta: float | None = None) -> PartsPoint:
        """The point that belongs to multipliers; eta is the room's by default."""
        if self.forgotten:
            self.parts.ask("forget", [self.forgotten.pop() for _ in range(len(self.forgotten))])
        return PartsPoint(self, multipliers, self.eta if eta is None else eta)

    def line(self, weights: Floats, direction: Floats) -> PartsLine:
        """The objective from `weights` along `direction`."""
        return PartsLine(self, weights, direction)

    def hand_out(self, number: int, given: float, counts: list[int] | None = None) -> None:
        """Give or take back what rounding down left of a distribution."""
        hand_out(self.parts, number, given, counts)

    def restrict(self, nu: float, tol: float) -> None:
        """Go on with another nu: the hypotheses stay, and of the distributions the one of least edge."""
        self._cap(nu, tol)
        self._open_next_to(self._least.number())

    def _open_next_to(self, of: int) -> None:
        """Begin at the distribution within the caps next to one, see `CappedSimplex.nearest`."""
        rows = self.parts.rows
        number, magics = self.new_number(), magics_for(min(1.0 / self.nu, rows), rows)
        parts = [sum(each) for each in zip(*self.parts.ask("nearest_sums", of, *magics), strict=True)]
        inside, room = parts[0] + parts[1], parts[2] + parts[3]
        share = min((1.0 - inside) / room, 1.0) if inside <= 1.0 and room > 0.0 else 0.0
        given = self.parts.ask("nearest", number, of, max(inside, 1.0), share)
        self.hand_out(number, sum(given))
        self._open(PartsPoint(self, np.zeros(0), np.inf, number=number))

    def recall(self, start: Start) -> Floats | None:
        """Take in what is known beforehand and in the class; with others the certificate would be false."""
        hypotheses, weights = recalled(start, self._search.recall)
        if not weights.any():
            return None
        places = self._add(hypotheses)
        weights = spread(weights, places, len(self))
        if start.distribution is None:
            self._open(leading(partial(self.at, weights)))
        elif len(start.distribution) == self.parts.rows:  # otherwise it stayed with other rows
            number, ends = self.new_number(), np.cumsum(self.parts.ask("size"))[:-1]
            self.parts.ask("place", number, d=np.split(start.distribution, ends))
            self._open_next_to(number)
            self.forgotten.append(number)
        return weights

    def reopen(self) -> None:
        """Let the next game begin at the distribution of the bound."""
        self._next = self._least

    def _open(self, point: PartsPoint) -> None:
        self._bound, self._least = math.inf, point
        self.reopen()

    def ask(self, point: Point | None = None, low: float = -np.inf, level: float = -np.inf) -> Found:
        """Ask the weak learner at a point; keep its hypotheses and the bound."""
        asked = self._next if point is None else point
        if not isinstance(asked, PartsPoint):
            raise TypeError(f"the point must be one of this room; got {asked!r}")
        before = len(self)
        found = self.oracle_watch.timing(self._search)(asked.number())
        places = self._add(found)
        edges = asked.edges()
        best = int(np.argmax(edges))
        newest = places[0] if edges[places[0]] >= edges[best] else best
        bound = float(edges[best]) + 2.0 * self._excess
        if bound < self._bound:
            self._bound, self._least = bound, asked
        return Found(edges, newest, len(self) > before)

    def _add(self, hypotheses: Sequence[Hypothesis]) -> list[int]:
        """The numbers of hypotheses, new or known; parts keep columns that are new."""
        before = len(self)
        keys = self._keys(hypotheses)
        fresh = [k for k, key in enumerate(keys) if key not in self._known and key not in keys[:k]]
        if len(fresh) < len(keys):
            self.parts.ask("drop", before)
            if fresh:
                self._keys([hypotheses[k] for k in fresh])
        for k in fresh:
            self._known[keys[k]] = len(self)
            self.hypotheses.append(hypotheses[k])
        return [self._known[key] for key in keys]

    def _keys(self, hypotheses: Sequence[Hypothesis]) -> list[tuple[bytes, ...]]:
        """What tells the columns of hypotheses apart, which the parts take in."""
        return list(zip(*self.parts.ask("add", self._search.forest(hypotheses)), strict=True))

    def proved(self, weights: Floats) -> float:
        """The soft margin of weights, put on the grid, that can be proved."""
        return self._proved(snapped_weights(weights))

    def _proved(self, weights: Floats) -> float:
        point = self.at(weights)
        t = math.floor(point.spent[1] * UNITS)
        shortfall = sum(self.parts.ask("proof", point.started(), t), Fraction(0))
        exact = (t - shortfall / (Fraction(self.nu) * self._weight)) / int(UNITS)
        return rounded_down(exact - 5 * Fraction(self._weight_error))

    def outcome(self, weights: Floats, *, importances: bool = True) -> Solution:
        """What is left when the game is over."""
        weights = snapped_weights(weights)
        used = largest_first(weights)
        hypotheses = [self.hypotheses[j] for j in used]
        least = self._least.number()
        gains = self._search.gains(hypotheses, least) if importances else None
        return Solution(
            hypotheses=hypotheses,
            weights=weights[used],
            soft_margin=self._proved(weights),
            bound=self.bound,
            distribution=self._distribution(least),
            capped=self._capped(least),
            importances=None if gains is None else (weights[used, None] * gains).sum(axis=0),
        )

    def _distribution(self, number: int) -> Floats:
        return np.concatenate(self.parts.ask("distribution", number))

    def _capped(self, number: int) -> Any:
        return np.concatenate(self.parts.ask("capped", number))
