"""The values of nu that are tried one after another, and when there have been enough.

They are multiples of e, the error of the best single hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

from frankboost.choosing.constants import CLOSE, FALL, FAR, OTHERWISE, PATIENCE, RATIOS, ROWS, WORTH
from frankboost.choosing.trials import Tried


def nus_below(error: float, rows: int) -> list[float]:
    """Falling values of nu for an error of the best single hypothesis; each is at least one example."""
    if error <= 0.0:
        return [OTHERWISE]
    ratios = RATIOS if _are_few(rows) else RATIOS[1:]
    values = {min(max(ratio * error, 1.0 / rows), 1.0) for ratio in ratios}
    return sorted(values, reverse=True)


def nus_after(tried: Tried, values: Sequence[float], error: float, rows: int) -> list[float]:
    """Those of the next values that are worth a try."""
    if tried.bound <= FAR or _are_few(rows):
        return list(values)
    return [each for each in values if each <= error] or list(values[-1:])


def _are_few(rows: int) -> bool:
    return rows < 2 * ROWS


def is_over(path: Sequence[Tried], error: float) -> bool:
    """Whether nu has become clearly smaller since a value of it brought anything.

    A single value that brings nothing may do so by chance, and ends the path only if it does harm. Where the
    bound is high, votes of few trees have a loss that rises and falls at random while nu is above e, which
    says nothing.
    """
    far = path[0].bound > FAR
    near = [each for each in path if not far or each.nu <= error]
    gain = 0  # the last to bring something, or as far as the ensemble stayed the same from there
    for k in range(1, len(near)):
        stayed = gain == k - 1 and near[k].loss == near[gain].loss
        if stayed or near[k].loss < (1.0 - WORTH) * near[gain].loss:
            gain = k
    if not near or near[gain].nu < FALL * near[-1].nu:
        return False
    return len(near) - 1 - gain >= PATIENCE or near[-1].loss > (1.0 + CLOSE) * near[gain].loss
