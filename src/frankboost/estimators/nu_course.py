"""The values of nu that are tried one after another, and when there have been enough.

They are multiples of e, the error of the best single hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frankboost.estimators.calibration import weighted_mean
from frankboost.estimators.nu_visits import Tried, Visit

RATIOS = (2.1, 1.95, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8, 0.6, 0.45, 0.33, 0.22, 0.14, 0.08)  # nu / e
MANY = 2000  # rows: to fewer the best of all trees is fitted so well that the scale of nu is not quite e
OTHERWISE = 0.2  # nu where no row can be held out, or one hypothesis errs nowhere
FAR = 0.1  # a bound at which many hypotheses do far better than one, and the best nu is below e
FALL = 1.2  # how many times smaller nu may become with next to nothing gained
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


def is_over(visits: Sequence[Visit], error: float) -> bool:
    """Whether smaller values of nu have brought next to nothing, or did harm twice in a row.

    Where the bound is high, votes of few trees have a loss that rises and falls at random while nu is above
    e, which says nothing.
    """
    far = visits[0].tried.bound > FAR
    near = [each for each in visits if not far or each.tried.nu <= error]
    path = [each.tried for each in near]
    return bool(path) and (_has_stayed(path) or _has_risen(near))


def _has_stayed(path: Sequence[Tried]) -> bool:
    """Whether nothing has been gained since a nu that is clearly larger than the last."""
    gain = 0  # the last to bring something, or as far as the ensemble stayed the same from there
    for k in range(1, len(path)):
        stayed = gain == k - 1 and path[k].loss == path[gain].loss
        if stayed or path[k].loss < (1.0 - WORTH) * path[gain].loss:
            gain = k
    return path[gain].nu >= FALL * path[-1].nu


def _has_risen(visits: Sequence[Visit]) -> bool:
    """Whether the last two ensembles have a loss that is larger than the least, clearly and not by chance.

    By more than a standard error of the difference over the rows held out.
    """
    changed = [each for k, each in enumerate(visits) if k == 0 or each.tried.loss != visits[k - 1].tried.loss]
    best = min(changed, key=lambda each: each.tried.loss)
    return len(changed) > 2 and all(_is_worse(each, best) for each in changed[-2:])


def _is_worse(visit: Visit, best: Visit) -> bool:
    weight, more = visit.held_out.weight, visit.row_losses - best.row_losses
    mean = weighted_mean(more, weight)
    error = float(np.sqrt(np.square(weight * (more - mean)).sum()) / weight.sum())
    return visit.tried.loss > (1.0 + CLOSE) * best.tried.loss and mean > error
