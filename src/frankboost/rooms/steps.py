"""Computations that ask the parts several questions: the projection, the soft margin, and the handing out of
units that rounding left over.

If one part has all rows, a kernel runs the same steps in one call (native/projection.cpp,
native/soft_margin.cpp, native/grid.cpp). All sums are exact, so that both give the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from frankboost import native
from frankboost.grid import UNITS, magics_for, rounded_down
from frankboost.rooms.part import Bucket, Keys, Near, Pair, Part, RowValues, Sums
from frankboost.rooms.questions import Asked, Number, Parts, Steps, added, asked, asked_each, asked_together
from frankboost.typing import Floats

MOST_TOLD = 2**15  # rows that the parts may send here: up to this number another question takes longer
STEP_SHARE = 0.25  # later Newton steps together are, as a rule, no longer than this share of the last one
SAMPLE_ERROR = 0.1  # the largest error, as a rule, of the limit that a sample of the rows gives


class RoomView(Protocol):
    """The attributes of a room that points, lines and the steps of this module use."""

    parts: Parts
    nu: float
    total: float  # the sum of the sample weights
    eta: float
    threads: int
    forgotten: list[Number]  # numbers of distributions that the parts may free

    def __len__(self) -> int: ...

    def new_number(self) -> Number:
        """A number for one more distribution."""


def project(room: RoomView, number: Number, eta: float) -> Steps[float]:
    """Make the distribution of margins, see `Part.project`; returns the minimum."""
    keys = yield from _ask_keys(room, number, eta)
    return (yield from _fill_distribution(room, number, eta, keys))


def project_with_soft_margin(room: RoomView, number: Number, eta: float) -> Steps[tuple[float, Pair]]:
    """`project` and the soft margin of the same margins, in the number of exchanges that `project` needs."""
    keys = yield from _ask_keys(room, number, eta)
    filling = _fill_distribution(room, number, eta, keys)
    return (yield from asked_together(filling, _find_soft_margin(room, number, _extremes_of_all(keys))))


def soft_margin_and_quantile(room: RoomView, number: Number) -> Pair:
    """The soft margin of margins, and the largest margin that counts in it."""
    parts = room.parts
    if parts.can(Part.soft_margin):
        return parts.ask(Part.soft_margin, number)[0]
    return parts.run(_find_soft_margin(room, number, _extremes_of_all(parts.ask(Part.extremes, number))))


def _ask_keys(room: RoomView, number: Number, eta: float) -> Asked[Keys]:
    return asked(Part.keys, number, eta, native.sample_stride(room.parts.rows))


def _extremes_of_all(answers: Sequence[Keys] | Sequence[Pair]) -> Pair:
    """The least and the largest margin of all parts, from answers that begin with those of each part."""
    return min(each[0] for each in answers), max(each[1] for each in answers)


def _fill_distribution(room: RoomView, number: Number, eta: float, keys: Sequence[Keys]) -> Steps[float]:
    """Find the scale of the distribution by Newton's method, and let the parts fill it in.

    The last steps of Newton's method depend on few rows. The parts send these rows, which saves exchanges.
    """
    parts, nu = room.parts, room.nu
    key, weight = (np.concatenate(each) for each in zip(*(each[3:] for each in keys), strict=True))
    start = native.projection_start(key, weight, nu, len(key) < parts.rows)
    steps = native.ProjectionSteps(start, parts.rows, nu, room.total)
    sample = native.ProjectionSteps(start, len(key), nu, float(weight.sum()))
    near = _sample_limit(key, weight, sample) - SAMPLE_ERROR
    scale = yield from _find_scale(parts, number, steps, near)
    largest = max(each.largest for each in keys)
    filled, takers = yield from asked_together(
        asked(Part.fill, number, steps.limit, scale, largest, parts.rows),
        asked(Part.open, number, "with_weight"),
    )
    yield from hand_out(parts, number, sum(given for _, given in filled), takers)
    capped, free, _ = _add_sums([paid for paid, _ in filled])
    return float(steps.value(scale, capped, free, eta))


def _sample_limit(key: Floats, weight: Floats, steps: native.ProjectionSteps) -> float:
    """The limit at which Newton's method ends for a sample of the keys."""
    while steps.next(*_add_sums(_sums_here([(key, weight)], steps))) is None:
        pass
    return steps.limit


def _find_scale(parts: Parts, number: Number, steps: native.ProjectionSteps, near: float) -> Steps[float]:
    """The scale at which Newton's method ends; its limit is probably not below `near`."""
    low, answers = np.inf, list[Near]()
    while True:
        if steps.fresh or steps.limit < low:
            shift = steps.shift if steps.fresh else None
            low = min(near, steps.limit)
            answers = yield from asked(
                Part.sums_near, number, shift, (low, steps.limit), steps.terms, MOST_TOLD // parts.count
            )
            if any(each.rows is None for each in answers):
                low = np.inf  # the sums of some part hold for this limit alone
        before = steps.limit
        scale = steps.next(
            *_add_sums([each.sums for each in answers] + _sums_here([each.rows for each in answers], steps))
        )
        if scale is not None:
            return float(scale)
        near = steps.limit - STEP_SHARE * max(before - steps.limit, 0.0)


def _sums_here(sent: Sequence[RowValues], steps: native.ProjectionSteps) -> list[Sums]:
    """The sums over the rows that the parts have sent."""
    rows = [each for each in sent if each is not None and len(each[0]) > 0]
    if not rows:
        return []
    key, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    power = native.projection_powers(key, steps.shift, 1)
    return [native.projection_sums(key, power, weight, steps.limit, *steps.terms, 1)]


def _add_sums(answers: Sequence[Sums]) -> tuple[float, float, float]:
    """The totals over all parts: the sum over capped rows, that over free rows, and the largest free key."""
    a, b, c, d, top = zip(*answers, strict=True)
    return sum(a) + sum(b), sum(c) + sum(d), max(top)


def _find_soft_margin(room: RoomView, number: Number, extremes: Pair) -> Steps[Pair]:
    """Find the soft margin by buckets of margins: the last bucket that counts is cut into finer ones."""
    parts = room.parts
    steps = native.SoftMarginSteps(*extremes, parts.rows, room.nu, room.total)
    few: RowValues = None
    while True:
        cut = steps.cut
        if few is None:
            last = steps.last_bucket(added((yield from asked(Part.buckets, number, cut))))
            found = yield from asked(Part.within_bucket, number, cut, last, MOST_TOLD // parts.count)
            few = _join_rows([each.rows for each in found])
        else:
            last = steps.last_bucket(native.soft_margin_buckets(*few, cut))
            found = [Bucket(*native.soft_margin_in_bucket(*few, cut, last), None)]
        low, high = min(each.low for each in found), max(each.high for each in found)
        value = steps.enter(sum(each.paid for each in found), low, high)
        if value is not None:
            return float(value), float(low)


def _join_rows(sent: Sequence[RowValues]) -> RowValues:
    """The margins and weights of a bucket, if every part has sent its own."""
    rows = [each for each in sent if each is not None]
    if len(rows) < len(sent):
        return None
    margins, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    return margins, weight


def soft_margin_below(
    parts: Parts, number: Number, quantile: float, whole: Fraction, *, error: float, weight_error: float
) -> float:
    """The soft margin of margins on the grid, rounded down to a double.

    With n the sum of the sample weights s it is the maximum over t of
    t - sum_i s_i max(t - margin_i, 0) / (nu n), so that any t gives a lower bound. The best t is the quantile
    of the margins. The least margin is a lower bound, too, and may be the better one where nu is next to 0
    and weights differ much in size, since rounding may then move the quantile to another margin.

    `whole` is nu n. The error of each margin is at most `error`. The relative error of the sample weights is
    at most `weight_error`: it changes the mean of max(t - margin_i, 0) / nu, which is at most 2 at the best
    t, by at most twice that share.
    """
    t = math.floor((quantile - error) * UNITS)
    shortfalls, least = zip(*parts.ask(Part.proof, number, t, error), strict=True)
    exact = (t - sum(shortfalls, Fraction(0)) / whole) / int(UNITS) - 5 * Fraction(weight_error)
    return rounded_down(max(exact, Fraction(min(least), int(UNITS))))


def nearest(parts: Parts, number: Number, of: Number, nu: float) -> None:
    """Make the distribution within the caps that is nearest to the distribution `of`."""
    coarse, fine = magics_for(min(1.0 / nu, parts.rows), parts.rows)
    sums = [sum(each) for each in zip(*parts.ask(Part.nearest_sums, of, coarse, fine), strict=True)]
    inside, room = sums[0] + sums[1], sums[2] + sums[3]
    share = min((1.0 - inside) / room, 1.0) if inside <= 1.0 and room > 0.0 else 0.0
    given = sum(parts.ask(Part.nearest, number, of, max(inside, 1.0), share))
    parts.run(hand_out(parts, number, given))


def hand_out(parts: Parts, number: Number, given: float, counts: list[int] | None = None) -> Steps[None]:
    """Make a distribution whose entries sum to `given` sum to 1, by whole units of the grid.

    Rounding down to the grid left 1 - given, which is handed out evenly; a surplus is taken back. `counts`
    has, for each part, how many rows with weight may take more, if that is known.
    """
    left = 1.0 - given
    if left < 0.0:
        yield from _take_back(parts, number, -left)
        return
    for takers in ("with_weight", "below_their_caps", "all"):
        if counts is None and left > 0.0:
            counts = yield from asked(Part.open, number, takers)
        while left > 0.0 and counts is not None and sum(counts) > 0:
            units, rows = round(left * UNITS), sum(counts)
            if units < rows:
                yield from asked_each(Part.give_first, _split_units(units, counts), number, takers)
                return
            share = units // rows / UNITS
            taken, counts = yield from asked_together(
                asked(Part.give, number, takers, share), asked(Part.open, number, takers)
            )
            left -= float(sum(taken))
        counts = None


def _take_back(parts: Parts, number: Number, surplus: float) -> Steps[None]:
    while surplus > 0.0:
        units = round(surplus * UNITS)
        if units < parts.rows:
            counts = yield from asked(Part.weighty, number)
            yield from asked_each(Part.take_first, _split_units(units, counts), number)
            surplus -= min(units, sum(counts)) / UNITS
        else:
            surplus -= sum((yield from asked(Part.take_back, number, units // parts.rows / UNITS)))


def _split_units(units: int, counts: Sequence[int]) -> list[int]:
    """How many of the units each part gets, if the first rows of all parts take one each."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return [int(n) for n in np.clip(units - before, 0, counts)]
