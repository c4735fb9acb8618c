"""The values of nu that are tried one after another, and where their path ends.

The scale of nu is e, the error of the best single hypothesis: from nu of a little more than 2 e on that
hypothesis alone is the optimum, since its soft margin is 1 - 2 e / nu and no ensemble has to be worse than 0.
The values of nu that are tried one after another are multiples of e.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence

from frankboost.choosing.constants import (
    CLOSE,
    FALL,
    FAR,
    FEW_RATIOS,
    OTHERWISE,
    PATIENCE,
    RATIOS,
    ROWS,
    WORTH,
)
from frankboost.choosing.trials import Depth, Trials, Tried, Visit
from frankboost.fitting.run import SHORT
from frankboost.learners.tree_class import DEEPEST

Tell = Callable[[Tried], None]
"""What is told of each nu that was tried."""


def visits_along(trials: Trials, end: float, tell: Tell, most: float) -> Iterator[Visit]:
    """Fit at one nu after another until time is up; the first nu is always fitted.

    The values are those that were given. If none were, nu falls from the largest value that matters, which
    is no larger than `most`, until the loss falls no more.
    """
    given = trials.nus is not None
    values = list(nus_below(trials.error, trials.rows, most) if trials.nus is None else trials.nus)
    path: list[Tried] = []
    while values:
        left = end - time.perf_counter()
        if left <= 0.0 and path:
            return
        found = trials.visit(values.pop(0), max(left, SHORT))
        tell(found.tried)
        # Where no bound is above the gap asked for, a vote of nothing will do, and its sign is chance.
        if not given and path and found.tried.bound <= trials.tol:
            return
        path.append(found.tried)
        yield found
        if trials.is_over(path):
            return
        if not given:
            after = nus_after(found.tried, values, trials.error, trials.rows)
            values = [] if is_over(path, trials.error) else after


def nus_below(error: float, rows: int, most: float = math.inf) -> list[float]:
    """Falling values of nu for an error of the best single hypothesis; each is at least one example.

    Values above `most` are left out; if all values are above, the smallest one remains.
    """
    if error <= 0.0:
        return [OTHERWISE]
    ratios = FEW_RATIOS if are_few(rows) else RATIOS[1:]
    values = {min(max(ratio * error, 1.0 / rows), 1.0) for ratio in ratios}
    return sorted((each for each in values if each <= most), reverse=True) or [min(values)]


def nus_after(tried: Tried, values: Sequence[float], error: float, rows: int) -> list[float]:
    """The next values of nu that are worth a try."""
    if tried.bound <= FAR or are_few(rows):
        return list(values)
    return [each for each in values if each <= error] or list(values[-1:])


def are_few(rows: int) -> bool:
    """Whether rows are so few that chance decides more than a fine choice would."""
    return rows < 2 * ROWS


def is_deep(depth: Depth) -> bool:
    """Whether trees are deeper than those that are searched exactly, so that a fit takes long."""
    return depth is not None and depth > DEEPEST


def is_over(path: Sequence[Tried], error: float) -> bool:
    """Whether nu is clearly smaller than the last value that improved the loss.

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
