"""Computations that take several questions to parts: projection, soft margin, units that rounding left.

For a single part that has all rows the kernels run the same steps in one call (native/projection.cpp,
native/soft_margin.cpp, native/grid.cpp). All sums are exact, so both give the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from frankboost import native
from frankboost.grid import UNITS, magics_for, rounded_down
from frankboost.rooms.part import Bucket, Keys, Near, Pair, Part, Some, Sums
from frankboost.rooms.questions import Asked, Number, Parts, Steps, added, asked, asked_each, beside
from frankboost.typing import Floats

FEW = 2**15  # rows of all parts that are looked at here: another question to all costs more
NEAR = 0.25  # of a step of Newton's method: the next ones together are no longer, as a rule
ERROR = 0.1  # of the limit that a sample of the rows tells, at most as a rule


class Board(Protocol):
    """The part of a room that points need, and their steps."""

    parts: Parts
    nu: float
    total: float  # the sum of the sample weights
    eta: float
    threads: int
    forgotten: list[Number]  # numbers that nobody holds any more

    def __len__(self) -> int: ...

    def new_number(self) -> Number:
        """A number for one more distribution."""


def project(board: Board, number: Number, eta: float) -> Steps[float]:
    """Make a distribution of margins, see `Part.project`; the minimum."""
    keys = yield from _keys(board, number, eta)
    return (yield from _distribution(board, number, eta, keys))


def project_and_spend(board: Board, number: Number, eta: float) -> Steps[tuple[float, Pair]]:
    """Project and spend in one run."""
    keys = yield from _keys(board, number, eta)
    return (
        yield from beside(_distribution(board, number, eta, keys), _spend(board, number, _extremes(keys)))
    )


def spent(board: Board, number: Number) -> Pair:
    """The soft margin of margins, and the margin up to which rows count in it."""
    parts = board.parts
    if parts.can(Part.soft_margin):
        return parts.ask(Part.soft_margin, number)[0]
    return parts.run(_spend(board, number, _extremes(parts.ask(Part.extremes, number))))


def _keys(board: Board, number: Number, eta: float) -> Asked[Keys]:
    return asked(Part.keys, number, eta, native.sample_stride(board.parts.rows))


def _extremes(told: Sequence[Keys] | Sequence[Pair]) -> Pair:
    """The extremes of all margins, from those of each part, which stand first."""
    return min(each[0] for each in told), max(each[1] for each in told)


def _distribution(board: Board, number: Number, eta: float, keys: Sequence[Keys]) -> Steps[float]:
    """Newton's method finds the scale. Few rows matter to its last steps, and come here."""
    parts, nu = board.parts, board.nu
    key, weight = (np.concatenate(each) for each in zip(*(each[3:] for each in keys), strict=True))
    start = native.projection_start(key, weight, nu, len(key) < parts.rows)
    steps = native.ProjectionSteps(start, parts.rows, nu, board.total)
    near = _limit(key, weight, native.ProjectionSteps(start, len(key), nu, float(weight.sum()))) - ERROR
    scale = yield from _scale(parts, number, steps, near)
    largest = max(each.largest for each in keys)
    filled, takers = yield from beside(
        asked(Part.fill, number, steps.limit, scale, largest, parts.rows),
        asked(Part.open, number, "with_weight"),
    )
    yield from hand_out(parts, number, sum(given for _, given in filled), takers)
    capped, free, _ = _total([paid for paid, _ in filled])
    return float(steps.value(scale, capped, free, eta))


def _limit(key: Floats, weight: Floats, steps: native.ProjectionSteps) -> float:
    """The limit at which the steps end, of keys that are all here."""
    while steps.next(*_total(_moved([(key, weight)], steps))) is None:
        pass
    return steps.limit


def _scale(parts: Parts, number: Number, steps: native.ProjectionSteps, near: float) -> Steps[float]:
    """The scale at which the steps end, probably no further than `near`."""
    low, answers = np.inf, list[Near]()
    while True:
        if steps.fresh or steps.limit < low:
            shift = steps.shift if steps.fresh else None
            low = min(near, steps.limit)
            answers = yield from asked(
                Part.sums_near, number, shift, (low, steps.limit), steps.terms, FEW // parts.count
            )
            if any(each.rows is None for each in answers):
                low = np.inf  # some say what is true of this limit alone
        before = steps.limit
        scale = steps.next(
            *_total([each.sums for each in answers] + _moved([each.rows for each in answers], steps))
        )
        if scale is not None:
            return float(scale)
        near = steps.limit - NEAR * max(before - steps.limit, 0.0)


def _moved(told: Sequence[Some], steps: native.ProjectionSteps) -> list[Sums]:
    """The sums over the rows that parts have told."""
    rows = [each for each in told if each is not None and len(each[0]) > 0]
    if not rows:
        return []
    key, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    power = native.projection_powers(key, steps.shift, 1)
    return [native.projection_sums(key, power, weight, steps.limit, *steps.terms, 1)]


def _total(answers: Sequence[Sums]) -> tuple[float, float, float]:
    """Both sums, each of two exact parts, and the largest key."""
    a, b, c, d, top = zip(*answers, strict=True)
    return sum(a) + sum(b), sum(c) + sum(d), max(top)


def _spend(board: Board, number: Number, extremes: Pair) -> Steps[Pair]:
    """Margins are put in buckets, then those of the last one that counts in finer ones."""
    parts = board.parts
    steps = native.SoftMarginSteps(*extremes, parts.rows, board.nu, board.total)
    few: Some = None
    while True:
        cut = steps.cut
        if few is None:
            last = steps.last_bucket(added((yield from asked(Part.buckets, number, cut))))
            found = yield from asked(Part.within_bucket, number, cut, last, FEW // parts.count)
            few = _joined([each.rows for each in found])
        else:
            last = steps.last_bucket(native.soft_margin_buckets(*few, cut))
            found = [Bucket(*native.soft_margin_in_bucket(*few, cut, last), None)]
        low, high = min(each.low for each in found), max(each.high for each in found)
        value = steps.enter(sum(each.paid for each in found), low, high)
        if value is not None:
            return float(value), float(low)


def _joined(told: Sequence[Some]) -> Some:
    """The margins and weights of a bucket, if every part tells them."""
    rows = [each for each in told if each is not None]
    if len(rows) < len(told):
        return None
    margins, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    return margins, weight


def soft_margin_below(
    parts: Parts, number: Number, quantile: float, whole: Fraction, *, error: float, weight_error: float
) -> float:
    """The soft margin of margins on the grid, rounded down to a double.

    With n the sum of the sample weights s it is the largest t - sum_i s_i max(t - margin_i, 0) / (nu n), so
    that any t gives a lower bound; the best t is the quantile of the margins. The least margin is a lower
    bound, too: with nu next to 0 and weights of very different sizes the quantile may be a margin above it.

    `whole` is nu n. The margins may be off by `error`, and the sample weights, relatively, by `weight_error`:
    that changes the mean of max(t - margin_i, 0) / nu, which is at most 2 at the best t, by twice that share.
    """
    t = math.floor((quantile - error) * UNITS)
    shortfalls, least = zip(*parts.ask(Part.proof, number, t, error), strict=True)
    exact = (t - sum(shortfalls, Fraction(0)) / whole) / int(UNITS) - 5 * Fraction(weight_error)
    return rounded_down(max(exact, Fraction(min(least), int(UNITS))))


def nearest(parts: Parts, number: Number, of: Number, nu: float) -> None:
    """Make the distribution within the caps next to another one."""
    coarse, fine = magics_for(min(1.0 / nu, parts.rows), parts.rows)
    sums = [sum(each) for each in zip(*parts.ask(Part.nearest_sums, of, coarse, fine), strict=True)]
    inside, room = sums[0] + sums[1], sums[2] + sums[3]
    share = min((1.0 - inside) / room, 1.0) if inside <= 1.0 and room > 0.0 else 0.0
    given = sum(parts.ask(Part.nearest, number, of, max(inside, 1.0), share))
    parts.run(hand_out(parts, number, given))


def hand_out(parts: Parts, number: Number, given: float, counts: list[int] | None = None) -> Steps[None]:
    """Hand out in whole units what rounding down to the grid left of 1, or take a surplus back.

    `counts` says how many rows with weight may take more, if that is known.
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
                yield from asked_each(Part.give_first, _first(units, counts), number, takers)
                return
            share = units // rows / UNITS
            taken, counts = yield from beside(
                asked(Part.give, number, takers, share), asked(Part.open, number, takers)
            )
            left -= float(sum(taken))
        counts = None


def _take_back(parts: Parts, number: Number, surplus: float) -> Steps[None]:
    while surplus > 0.0:
        units = round(surplus * UNITS)
        if units < parts.rows:
            counts = yield from asked(Part.weighty, number)
            yield from asked_each(Part.take_first, _first(units, counts), number)
            surplus -= min(units, sum(counts)) / UNITS
        else:
            surplus -= sum((yield from asked(Part.take_back, number, units // parts.rows / UNITS)))


def _first(units: int, counts: Sequence[int]) -> list[int]:
    """How many of the first units fall to each part."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return [int(n) for n in np.clip(units - before, 0, counts)]
