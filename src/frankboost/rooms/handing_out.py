"""What rounding down to the grid left of a distribution over rows in parts, handed out in whole units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frankboost.grid import UNITS
from frankboost.rooms.parts import Parts


def hand_out(parts: Parts, number: int, given: float, counts: list[int] | None = None) -> None:
    """Hand out what is left of 1, or take a surplus back, as `CappedSimplex.snapped` does.

    `counts` says how many rows with weight may take more, if that is known.
    """
    left = 1.0 - given
    if left < 0.0:
        _take_back(parts, number, -left)
        return
    for takers in ("with_weight", "below_their_caps", "all"):
        while left > 0.0:
            counts = counts or parts.ask("open", number, takers)
            if sum(counts) == 0:
                break
            left, counts = _give(parts, number, left, takers, counts), None
        counts = None


def _give(parts: Parts, number: int, left: float, takers: str, counts: list[int]) -> float:
    units, rows = round(left * UNITS), sum(counts)
    if units < rows:
        parts.ask("give_first", number, takers, count=_first(units, counts))
        return 0.0
    share = units // rows / UNITS
    return left - float(sum(parts.ask("give", number, takers, share)))


def _take_back(parts: Parts, number: int, surplus: float) -> None:
    while surplus > 0.0:
        units = round(surplus * UNITS)
        if units < parts.rows:
            counts = parts.ask("weighty", number)
            parts.ask("take_first", number, count=_first(units, counts))
            surplus -= min(units, sum(counts)) / UNITS
        else:
            surplus -= sum(parts.ask("take", number, units // parts.rows / UNITS))


def _first(units: int, counts: Sequence[int]) -> list[int]:
    """How many of the first units fall to each part."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return [int(n) for n in np.clip(units - before, 0, counts)]
