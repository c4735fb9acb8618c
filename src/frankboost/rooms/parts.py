"""The room whose rows lie in parts: on the workers of a cluster, on a device, or here."""

from __future__ import annotations

import itertools
import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from frankboost import native
from frankboost.grid import UNITS, magic_for, magics_for, rounded_down, snapped_weights, total_magics
from frankboost.learners.base import Hypothesis, Start
from frankboost.learners.tree_oracle import NEGLIGIBLE
from frankboost.rooms.base import Found, Point, Room, Solution
from frankboost.rooms.margin_matrix import covariance_of_signs
from frankboost.stopwatch import Stopwatch
from frankboost.typing import Floats, Indices


class Parts(Protocol):
    """All parts, in the order of their rows."""

    @property
    def rows(self) -> int:
        """Of all parts."""

    @property
    def in_one_place(self) -> bool:
        """Whether there is a single part, which computes a `covariance` faster than it hands out columns."""

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """The answers of all parts to a method of `LocalPart`; `each` has one argument for each part."""


@dataclass(frozen=True)
class PartsHere:
    """Parts in this process, asked one after the other."""

    parts: Sequence[Any]
    rows: int
    in_one_place: bool = False

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """The answers of all parts."""
        return [
            getattr(part, question)(*args, **{name: values[k] for name, values in each.items()})
            for k, part in enumerate(self.parts)
        ]


class Search(Protocol):
    """A weak learner over parts: what it finds at a distribution that the parts know by a number."""

    exact: bool
    hypothesis_class: Any
    stop: Callable[[], bool] | None
    kappa: float

    def __call__(self, number: int) -> Sequence[Hypothesis]:
        """Hypotheses that vote -1 and +1, best first; the first is the best of the class."""

    def forest(self, hypotheses: Sequence[Hypothesis]) -> Any:
        """As the parts take them in."""

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """A hypothesis of another fit as this class has it, if it has."""

    def gains(self, hypotheses: Sequence[Any], number: int) -> Floats:
        """What each feature adds to the edge of each hypothesis."""


class PartsPoint:
    """A distribution over rows in parts. Nothing is computed before it is asked for."""

    def __init__(
        self,
        room: PartsRoom,
        multipliers: Floats,
        eta: float,
        *,
        number: int | None = None,
        along: tuple[int, int, float] | None = None,
    ) -> None:
        self.multipliers = multipliers
        self.eta = eta
        self._room = room
        self._edges = np.zeros(0)
        self._number = room.new_number() if number is None else number
        self._given = number is not None
        self._along = along
        weakref.finalize(self, room.forgotten.append, self._number)

    @cached_property
    def _started(self) -> tuple[list[dict[str, Any]], int]:
        parts = self._room.parts
        stride = native.sample_stride(parts.rows)
        if self._along is not None:
            return parts.ask("start_along", self._number, self._along, self.eta, stride), stride
        return parts.ask("start", self._number, self.multipliers, self.eta, stride), stride

    @cached_property
    def _value(self) -> float:
        room, (answers, stride) = self._room, self._started
        key, weight = (np.concatenate([each[name] for each in answers]) for name in ("key", "weight"))
        start = native.projection_start(key, weight, room.nu, stride > 1)
        steps = native.ProjectionSteps(start, room.parts.rows, room.nu, room.total)
        scale = None
        while scale is None:
            shift = steps.shift if steps.fresh else None
            sums = room.parts.ask("sums", self._number, shift, steps.limit, steps.coarse, steps.fine)
            scale = steps.next(*_added(sums))
        largest = max(each["largest"] for each in answers)
        filled = room.parts.ask("fill", self._number, steps.limit, scale, largest, room.parts.rows)
        room.hand_out(self._number, sum(given for _, given in filled))
        capped, free, _ = _added([paid for paid, _ in filled])
        return float(steps.value(scale, capped, free, self.eta))

    @property
    def value(self) -> float:
        """min over d in P of d . A lam + KL(d || prior) / eta."""
        return self.soft_margin() if self._given else self._value

    def number(self) -> int:
        """By which the parts know the distribution, which is on the grid."""
        if not self._given:
            _ = self._value
        return self._number

    def started(self) -> int:
        """By which the parts know the margins."""
        _ = self._started
        return self._number

    def soft_margin(self) -> float:
        """min over d in P of d . A lam."""
        return self.spent[0]

    @cached_property
    def spent(self) -> tuple[float, float]:
        """The soft margin, and the margin up to which rows count in it."""
        room, answers = self._room, self._started[0]
        low, high = min(each["low"] for each in answers), max(each["high"] for each in answers)
        steps = native.SoftMarginSteps(low, high, room.nu, room.total)
        while True:
            cut = steps.cut
            last = steps.last_bucket(added(room.parts.ask("buckets", self._number, cut)))
            paid, lowest, highest = zip(*room.parts.ask("in_bucket", self._number, cut, last), strict=True)
            low = min(lowest)
            found = steps.enter(sum(paid), low, max(highest))
            if found is not None:
                return float(found), float(low)

    def edges(self) -> Floats:
        """A^T d; of hypotheses that are new since the last time only theirs are computed."""
        known, size = len(self._edges), len(self._room)
        if known < size:
            first = known // 8 * 8
            fresh = added(self._room.parts.ask("edges", self.number(), first))
            self._edges = np.concatenate([self._edges, fresh[known - first :]])
        return self._edges.copy()

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d, from a sample of rows if they are many."""
        parts, number, share = self._room.parts, self.number(), 1e-2 if rough else 1e-7
        enough = max(20 * len(columns), 8192 if rough else 65536)
        stride = max(1, parts.rows // (4 * enough))
        least, counts = self._free(share, stride)
        if stride > 1 and sum(count for count, _ in counts) < enough:
            stride = 1
            least, counts = self._free(share, stride)
        free = sum(count for count, _ in counts)
        if free == 0:
            return np.zeros((len(columns), len(columns)))
        step = max(1, free // enough)
        dtype = np.float32 if rough else np.float64
        if parts.in_one_place:
            sample = step, counts[0][1], dtype
            return np.asarray(parts.ask("covariance", number, least, stride, columns, sample)[0])
        before = np.concatenate([[0], np.cumsum([count for count, _ in counts])[:-1]])
        groups = np.unique(columns // 8)
        samples = [(first, step) for first in (-before % step).tolist()]
        answers = parts.ask("picked", number, least, stride, groups, sample=samples)
        d = np.concatenate([each for each, _ in answers])
        signs = np.concatenate([each for _, each in answers], axis=1)
        mass = d * (stride * sum(weight for _, weight in counts) / d.sum())
        slots = np.searchsorted(groups, columns // 8) * 8 + columns % 8
        return covariance_of_signs(np.ascontiguousarray(signs), slots, mass, dtype, self._room.threads)

    def _free(self, share: float, stride: int) -> tuple[float, list[tuple[int, float]]]:
        parts, number = self._room.parts, self.number()
        least = share * max(parts.ask("densest", number, stride))
        return least, parts.ask("free", number, least, stride)


class PartsLine:
    """The smoothed soft margin along a line, from the margins at its start and their change."""

    def __init__(self, room: PartsRoom, weights: Floats, direction: Floats) -> None:
        self._room = room
        self._ends = room.new_number(), room.new_number()
        for number in self._ends:
            weakref.finalize(self, room.forgotten.append, number)
        sizes = [
            max(room.parts.ask("margins", number, each))
            for number, each in zip(self._ends, (weights, direction), strict=True)
        ]
        self._length = float(sizes[1])

    def _at(self, step: float) -> PartsPoint:
        return PartsPoint(self._room, np.zeros(0), self._room.eta, along=(*self._ends, step))

    def value(self, step: float) -> float:
        """The smoothed soft margin at this step."""
        return self._at(step).value

    def slope(self, step: float) -> float:
        """Its derivative d . A direction."""
        point, magic = self._at(step), magic_for(self._length)
        return float(sum(self._room.parts.ask("slope", point.number(), self._ends[1], magic)))

    def length(self) -> float:
        """||A direction||_inf."""
        return self._length


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
        magics = total_magics(parts.rows, max(parts.ask("largest_weight")))
        high, low = (sum(each) for each in zip(*parts.ask("weigh", *magics), strict=True))
        self.total = high + low
        self._cap(nu, tol)
        number = self.new_number()
        self.hand_out(number, sum(parts.ask("prior", number)))
        self._open(PartsPoint(self, np.zeros(0), np.inf, number=number))

    def _cap(self, nu: float, tol: float) -> None:
        self.nu = nu
        answers = self.parts.ask("cap", nu, self.total)
        density, least, units, weight = zip(*answers, strict=True)
        if min(least) < NEGLIGIBLE / self.parts.rows:
            raise ValueError(
                "where the rows lie in parts, sample_weight must hold no weight below a millionth of their "
                f"mean; got {min(least) * self.parts.rows:.3g} of it"
            )
        self._weight = sum(weight, Fraction(0))
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

    def hand_out(self, number: int, given: float) -> None:
        """Hand out what rounding down left of a distribution, or take a surplus back, in whole units."""
        left = 1.0 - given
        if left < 0.0:
            self._take_back(number, -left)
            return
        for takers in ("with_weight", "below_their_caps", "all"):
            while left > 0.0 and sum(counts := self.parts.ask("open", number, takers)) > 0:
                left = self._give(number, left, takers, counts)

    def _give(self, number: int, left: float, takers: str, counts: list[int]) -> float:
        units, rows = round(left * UNITS), sum(counts)
        if units < rows:
            self.parts.ask("give_first", number, takers, count=_first(units, counts))
            return 0.0
        share = units // rows / UNITS
        return left - float(sum(self.parts.ask("give", number, takers, share)))

    def _take_back(self, number: int, surplus: float) -> None:
        while surplus > 0.0:
            units = round(surplus * UNITS)
            if units < self.parts.rows:
                counts = self.parts.ask("weighty", number)
                self.parts.ask("take_first", number, count=_first(units, counts))
                surplus -= min(units, sum(counts)) / UNITS
            else:
                surplus -= sum(self.parts.ask("take", number, units // self.parts.rows / UNITS))

    def restrict(self, nu: float, tol: float) -> None:
        """Go on with another nu: the hypotheses stay, and of the distributions the one of least edge."""
        self._cap(nu, tol)
        self._open_next_to(self._least.number())

    def _open_next_to(self, of: int) -> None:
        """Begin at the distribution within the caps next to one, see `CappedSimplex.nearest`."""
        number, magics = self.new_number(), magics_for(1.0 / self.nu, self.parts.rows)
        parts = [sum(each) for each in zip(*self.parts.ask("nearest_sums", of, *magics), strict=True)]
        inside, room = parts[0] + parts[1], parts[2] + parts[3]
        share = min((1.0 - inside) / room, 1.0) if inside <= 1.0 and room > 0.0 else 0.0
        given = self.parts.ask("nearest", number, of, max(inside, 1.0), share)
        self.hand_out(number, sum(given))
        self._open(PartsPoint(self, np.zeros(0), np.inf, number=number))

    def recall(self, start: Start) -> Floats | None:
        """Take in what is known beforehand and in the class; with others the certificate would be false."""
        known = [(self._search.recall(h), w) for h, w in zip(start.hypotheses, start.weights, strict=True)]
        kept = [(hypothesis, weight) for hypothesis, weight in known if hypothesis is not None]
        weights = np.array([weight for _, weight in kept])
        if not weights.any():
            return None
        places = self._add([hypothesis for hypothesis, _ in kept])
        if len(start.distribution) == self.parts.rows:  # otherwise it stayed with other rows
            number, ends = self.new_number(), np.cumsum(self.parts.ask("size"))[:-1]
            self.parts.ask("place", number, d=np.split(start.distribution, ends))
            self._open_next_to(number)
            self.forgotten.append(number)
        total = np.zeros(len(self))
        np.add.at(total, places, weights / weights.sum())
        return total

    def reopen(self) -> None:
        """Let the next game begin at the distribution of the bound."""
        self._next = self._least

    def _open(self, point: PartsPoint) -> None:
        self._bound, self._least = math.inf, point
        self.reopen()

    def ask(self, point: Point | None = None, low: float = -np.inf) -> Found:
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

    def outcome(self, weights: Floats) -> Solution:
        """What is left when the game is over."""
        weights = snapped_weights(weights)
        used = np.flatnonzero(weights)
        used = used[np.argsort(-weights[used], kind="stable")]
        hypotheses = [self.hypotheses[j] for j in used]
        least = self._least.number()
        gains = self._search.gains(hypotheses, least)
        return Solution(
            hypotheses=hypotheses,
            weights=weights[used],
            soft_margin=self._proved(weights),
            bound=self.bound,
            distribution=self._distribution(least),
            capped=self._capped(least),
            importances=(weights[used, None] * gains).sum(axis=0),
        )

    def _distribution(self, number: int) -> Floats:
        return np.concatenate(self.parts.ask("distribution", number))

    def _capped(self, number: int) -> Any:
        return np.concatenate(self.parts.ask("capped", number))


def added(answers: Sequence[Floats]) -> Floats:
    """The sum of arrays; of one, itself."""
    return answers[0] if len(answers) == 1 else sum(answers[1:], start=answers[0])


def _added(answers: Sequence[tuple[float, ...]]) -> tuple[float, float, float]:
    """Both sums, each of two exact parts, and the largest key."""
    a, b, c, d, top = zip(*answers, strict=True)
    return sum(a) + sum(b), sum(c) + sum(d), max(top)


def _first(units: int, counts: Sequence[int]) -> list[int]:
    """How many of the first units fall to each part."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return [int(n) for n in np.clip(units - before, 0, counts)]
