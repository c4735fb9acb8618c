"""What takes several questions to parts: a projection, a soft margin, and units that rounding left.

For a single part that has all rows the kernels run the same steps in one call (native/projection.cpp,
native/soft_margin.cpp, native/grid.cpp). All sums are exact, so both give the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from frankboost import native
from frankboost.grid import UNITS, magics_for, rounded_down
from frankboost.rooms.part import Bucket, Near, Pair, Part, Some, Sums
from frankboost.rooms.questions import Number, Parts, added, asked
from frankboost.typing import Floats

FEW = 2**13  # rows of all parts that are looked at here: another question to all costs more
NEAR = 0.25  # of a step of Newton's method: the next ones together are no longer, as a rule


def project(parts: Parts, number: Number, *, nu: float, total: float, eta: float) -> tuple[float, Pair]:
    """Make a distribution of margins, see `Part.project`; the minimum, and the extremes of the margins.

    Newton's method finds the scale of the distribution. Few rows matter to its last steps, and come here.
    """
    stride = native.sample_stride(parts.rows)
    keys = parts.ask(Part.keys, number, eta, stride)
    key, weight = (np.concatenate(each) for each in zip(*(each[2:] for each in keys), strict=True))
    start = native.projection_start(key, weight, nu, stride > 1)
    steps = native.ProjectionSteps(start, parts.rows, nu, total)
    scale = _scale(parts, number, steps, len(keys))
    low, high = min(each.low for each in keys), max(each.high for each in keys)
    largest = max(abs(native.log(nu) - eta * each) for each in (low, high))
    filled, takers = parts.ask_both(
        asked(Part.fill, number, steps.limit, scale, largest, parts.rows),
        asked(Part.open, number, "with_weight"),
    )
    hand_out(parts, number, sum(given for _, given in filled), takers)
    capped, free, _ = _total([paid for paid, _ in filled])
    return float(steps.value(scale, capped, free, eta)), (low, high)


def _scale(parts: Parts, number: Number, steps: native.ProjectionSteps, count: int) -> float:
    """The scale at which the steps end, of keys that `count` parts have."""
    low, answers = np.inf, list[Near]()
    before = steps.limit
    while True:
        if steps.fresh or steps.limit < low:
            shift = steps.shift if steps.fresh else None
            low = steps.limit - NEAR * max(before - steps.limit, 0.0)
            near = (low, steps.limit)
            answers = parts.ask(Part.sums_near, number, shift, near, steps.terms, FEW // count)
            if any(each.rows is None for each in answers):
                low = np.inf  # some say what is true of this limit alone
        before = steps.limit
        scale = steps.next(*_total([each.sums for each in answers] + _moved(answers, steps)))
        if scale is not None:
            return float(scale)


def _moved(answers: Sequence[Near], steps: native.ProjectionSteps) -> list[Sums]:
    """What is true of the rows that parts have told."""
    rows = [each.rows for each in answers if each.rows is not None and len(each.rows[0]) > 0]
    if not rows:
        return []
    key, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    power = native.projection_powers(key, steps.shift, 1)
    return [native.projection_sums(key, power, weight, steps.limit, *steps.terms, 1)]


def _total(answers: Sequence[Sums]) -> tuple[float, float, float]:
    """Both sums, each of two exact parts, and the largest key."""
    a, b, c, d, top = zip(*answers, strict=True)
    return sum(a) + sum(b), sum(c) + sum(d), max(top)


def soft_margin(
    parts: Parts, number: Number, steps: native.SoftMarginSteps, masses: Sequence[Floats] | None = None
) -> Pair:
    """The soft margin, and the margin up to which rows count in it.

    Margins are put in buckets, then those of the last one that counts in finer ones. `masses` is the weight
    in the first buckets, if that is known.
    """
    few: Some = None
    while True:
        cut = steps.cut
        if few is None:
            last = steps.last_bucket(added(masses or parts.ask(Part.buckets, number, cut)))
            masses = None
            found = parts.ask(Part.within_bucket, number, cut, last, FEW // parts.count)
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

    Parameters
    ----------
    parts, number
        The margins.
    quantile : float
        Up to which rows count.
    whole : Fraction
        nu n.
    error : float
        How far the margins may be off.
    weight_error : float
        The same of the sample weights, relatively. It changes the mean of max(t - margin_i, 0) / nu, which is
        at most 2 at the best t, by twice that share.
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
    hand_out(parts, number, sum(parts.ask(Part.nearest, number, of, max(inside, 1.0), share)))


def hand_out(parts: Parts, number: Number, given: float, counts: list[int] | None = None) -> None:
    """Hand out in whole units what rounding down to the grid left of 1, or take a surplus back.

    `counts` says how many rows with weight may take more, if that is known.
    """
    left = 1.0 - given
    if left < 0.0:
        _take_back(parts, number, -left)
        return
    for takers in ("with_weight", "below_their_caps", "all"):
        while left > 0.0:
            counts = counts or parts.ask(Part.open, number, takers)
            if sum(counts) == 0:
                break
            left, counts = _give(parts, number, left, takers, counts), None
        counts = None


def _give(parts: Parts, number: Number, left: float, takers: str, counts: list[int]) -> float:
    units, rows = round(left * UNITS), sum(counts)
    if units < rows:
        parts.ask_each(Part.give_first, _first(units, counts), number, takers)
        return 0.0
    share = units // rows / UNITS
    return left - float(sum(parts.ask(Part.give, number, takers, share)))


def _take_back(parts: Parts, number: Number, surplus: float) -> None:
    while surplus > 0.0:
        units = round(surplus * UNITS)
        if units < parts.rows:
            counts = parts.ask(Part.weighty, number)
            parts.ask_each(Part.take_first, _first(units, counts), number)
            surplus -= min(units, sum(counts)) / UNITS
        else:
            surplus -= sum(parts.ask(Part.take_back, number, units // parts.rows / UNITS))


def _first(units: int, counts: Sequence[int]) -> list[int]:
    """How many of the first units fall to each part."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return [int(n) for n in np.clip(units - before, 0, counts)]
