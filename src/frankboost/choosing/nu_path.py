"""The values of nu to try one after another, and where this path ends.

The scale of nu is e, the training error of the best single hypothesis. That hypothesis has the soft margin
1 - 2 e / nu, and no ensemble has to be worse than 0. So from nu of a little more than 2 e on, it is the
optimum. The values to try are multiples of e.
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
from frankboost.choosing.depths import Depth
from frankboost.choosing.trials import NuResult, NuSearch, NuTrial
from frankboost.fitting.run import MIN_SECONDS
from frankboost.learners.tree_class import DEEPEST

Report = Callable[[NuResult], None]
"""A function that is called with the result of each nu, such as to print it."""


def try_nus(search: NuSearch, end: float, report: Report, largest: float) -> Iterator[NuTrial]:
    """Fit at one nu after another until time is up; the first fit takes place in any case.

    The values are those of `search.nus`. If this is None, nu falls from the largest value that matters, which
    is at most `largest`, until the loss falls no more.
    """
    are_given = search.nus is not None
    values = list(falling_nus(search.error, search.rows, largest) if search.nus is None else search.nus)
    path: list[NuResult] = []
    while values:
        seconds_left = end - time.perf_counter()
        if seconds_left <= 0.0 and path:
            return
        trial = search.fit_at(values.pop(0), max(seconds_left, MIN_SECONDS))
        result = trial.result
        report(result)
        path.append(result)
        yield trial
        if search.is_complete(path) or (not are_given and len(path) > 1 and result.is_chance(search.tol)):
            return
        if not are_given:
            after = remaining_nus(trial, values, search.error, search.rows)
            values = [] if has_stopped_improving(path, search.error) else after


def falling_nus(error: float, rows: int, largest: float = math.inf) -> list[float]:
    """The values of nu for an error of the best single hypothesis; each is at least one row.

    Values above `largest` are left out; if all are above, the smallest value remains.
    """
    if error <= 0.0:
        return [OTHERWISE]
    ratios = FEW_RATIOS if are_few(rows) else RATIOS[1:]
    values = {min(max(ratio * error, 1.0 / rows), 1.0) for ratio in ratios}
    return sorted((each for each in values if each <= largest), reverse=True) or [min(values)]


def remaining_nus(trial: NuTrial, values: Sequence[float], error: float, rows: int) -> list[float]:
    """The values of nu that are still worth a try after a trial.

    If no row is at its cap, the optimum at any smaller nu is about the same: one more value shows whether it
    is.
    """
    if trial.has_no_caps:
        return list(values[-1:])
    if trial.result.bound <= FAR or are_few(rows):
        return list(values)
    return [each for each in values if each <= error] or list(values[-1:])


def are_few(rows: int) -> bool:
    """Whether there are so few rows that chance decides more than a finer choice would."""
    return rows < 2 * ROWS


def is_deep(depth: Depth) -> bool:
    """Whether trees of this depth are not searched exactly, so that a fit takes long."""
    return depth is not None and depth > DEEPEST


def has_stopped_improving(path: Sequence[NuResult], error: float) -> bool:
    """Whether nu is clearly smaller than the last value that lowered the loss.

    A single value that does not lower the loss may do so by chance. It ends the path only if it raises the
    loss. If the bound is high, votes of few trees have a loss that rises and falls at random while nu is
    above e; these values are left out.
    """
    is_far = path[0].bound > FAR
    near = [each for each in path if not is_far or each.nu <= error]
    best = 0  # the index of the last value that lowered the loss, or that has the same ensemble as this value
    for k in range(1, len(near)):
        is_same = best == k - 1 and near[k].loss == near[best].loss
        if is_same or near[k].loss < (1.0 - WORTH) * near[best].loss:
            best = k
    if not near or near[best].nu < FALL * near[-1].nu:
        return False
    return len(near) - 1 - best >= PATIENCE or near[-1].loss > (1.0 + CLOSE) * near[best].loss
