"""Distributions over rows in parts, and lines through the weights."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from frankboost import native
from frankboost.grid import magic_for
from frankboost.rooms.margin_matrix import covariance_of_signs
from frankboost.rooms.parts import added
from frankboost.rooms.projecting import projected, total
from frankboost.rooms.sample import Sample
from frankboost.rooms.spending import spent
from frankboost.typing import Floats, Indices

if TYPE_CHECKING:
    from frankboost.rooms.parts_room import PartsRoom


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
        # The room keeps points: if they kept it, its rows would stay until garbage is collected.
        self._room: PartsRoom = weakref.proxy(room)
        self._edges = np.zeros(0)
        self._masses: list[Floats] | None = None  # in buckets of margins
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
        scale = projected(room.parts, self._number, steps, len(answers))
        largest = max(each["largest"] for each in answers)
        filled, takers = room.parts.ask_all(
            ("fill", (self._number, steps.limit, scale, largest, room.parts.rows)),
            ("open", (self._number, "with_weight")),
        )
        room.hand_out(self._number, sum(given for _, given in filled), takers)
        capped, free, _ = total([paid for paid, _ in filled])
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
        return spent(self._room.parts, self._number, self._steps(), len(self._started[0]), self._masses)

    def _steps(self) -> native.SoftMarginSteps:
        answers = self._started[0]
        low, high = min(each["low"] for each in answers), max(each["high"] for each in answers)
        return native.SoftMarginSteps(low, high, self._room.parts.rows, self._room.nu, self._room.total)

    def edges(self) -> Floats:
        """A^T d; of hypotheses that are new since the last time only theirs are computed."""
        known, size = len(self._edges), len(self._room)
        if known < size:
            first = known // 8 * 8
            fresh = added(self._ask_edges(first))
            self._edges = np.concatenate([self._edges, fresh[known - first :]])
        return self._edges.copy()

    def _ask_edges(self, first: int) -> list[Floats]:
        """From a column on; where questions are dear, with the one that comes next as a rule."""
        parts, number = self._room.parts, self.number()
        if parts.in_one_place or self._given or "spent" in vars(self) or self._masses:
            return parts.ask("edges", number, first)
        cut = self._steps().cut
        edges, self._masses = parts.ask_all(("edges", (number, first)), ("buckets", (number, cut)))
        return edges

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d, from a sample of rows if they are many."""
        parts, number = self._room.parts, self.number()
        sample = Sample.of(len(columns), parts.rows, rough=rough)
        stride = sample.stride
        least, counts = self._free(sample.share, stride)
        if stride > 1 and sum(count for count, *_ in counts) < sample.enough:
            stride = 1
            least, counts = self._free(sample.share, stride)
        free = sum(count for count, *_ in counts)
        if free == 0:
            return np.zeros((len(columns), len(columns)))
        step = max(1, free // sample.enough)
        if parts.in_one_place:
            (_, weight, rows), *_ = counts
            stood_for = stride * weight, sample.dtype
            return np.asarray(parts.ask("covariance", number, rows[::step], columns, stood_for)[0])
        before = np.concatenate([[0], np.cumsum([count for count, *_ in counts])[:-1]])
        groups = np.unique(columns // 8)
        samples = [(first, step) for first in (-before % step).tolist()]
        answers = parts.ask("picked", number, least, stride, groups, sample=samples)
        d = np.concatenate([each for each, _ in answers])
        signs = np.concatenate([each for _, each in answers], axis=1)
        mass = d * (stride * sum(weight for _, weight, *_ in counts) / d.sum())
        slots = np.searchsorted(groups, columns // 8) * 8 + columns % 8
        return covariance_of_signs(np.ascontiguousarray(signs), slots, mass, sample.dtype, self._room.threads)

    def _free(self, share: float, stride: int) -> tuple[tuple[float, ...], list[Any]]:
        parts, number = self._room.parts, self.number()
        least = tuple(share * max(each) for each in zip(*parts.ask("largest", number, stride), strict=True))
        return least, parts.ask("moving" if parts.in_one_place else "free", number, least, stride)


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

    def at(self, step: float) -> PartsLinePoint:
        """Its point at this step."""
        point = PartsPoint(self._room, np.zeros(0), self._room.eta, along=(*self._ends, step))
        return PartsLinePoint(self, point)

    def slope(self, point: PartsPoint) -> float:
        """At a point of it."""
        magic = magic_for(self._length)
        return float(sum(self._room.parts.ask("slope", point.number(), self._ends[1], magic)))

    def length(self) -> float:
        """||A direction||_inf."""
        return self._length


@dataclass(frozen=True, eq=False)
class PartsLinePoint:
    """A point of a line over parts."""

    line: PartsLine
    point: PartsPoint

    @property
    def value(self) -> float:
        """The smoothed soft margin."""
        return self.point.value

    def slope(self) -> float:
        """Its derivative d . A direction."""
        return self.line.slope(self.point)
