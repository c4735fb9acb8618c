"""The values of nu that are tried one after another, and when there have been enough.

They are multiples of e, the error of the best single hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

from frankboost.choosing.visits import Tried

RATIOS = (2.1, 1.95, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8, 0.6, 0.45, 0.33, 0.22, 0.14, 0.08)  # nu / e
MANY = 2000  # rows: to fewer the best of all trees is fitted so well that the scale of nu is not quite e
OTHERWISE = 0.2  # nu where no row can be held out, or one hypothesis errs nowhere
FAR = 0.1  # a bound at which many hypotheses do far better than one, and the best nu is below e
FALL = 1.2  # how many times smaller nu may become with next to nothing gained
PATIENCE = 2  # values that may bring nothing, unless one does harm
WORTH = 0.003  # the share of the loss that is something
CLOSE = 0.01  # the share of the loss that decides nothing


def nus_below(error: float, rows: int) -> list[float]:
    """Falling values of nu for an error of the best single hypothesis; each is at least one example."""
    if error <= 0.0:
        return [OTHERWISE]
    ratios = RATIOS if rows < MANY else RATIOS[1:]
    values = {min(max(ratio * error, 1.0 / rows), 1.0) for ratio in ratios}
    return sorted(values, reverse=True)


def nus_after(tried: Tried, values: Sequence[float], error: float, rows: int) -> list[float]:
    """Those of the next values that are worth a try."""
    if tried.bound <= FAR or rows < MANY:
        return list(values)
    return [each for each in values if each <= error] or list(values[-1:])


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
