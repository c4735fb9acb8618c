"""Choose nu and the depth of the trees on rows that are held out, along paths of warm starts.

The scale of nu is e, the error of the best single hypothesis: from nu of a little more than 2 e on that
hypothesis alone is the optimum, since its soft margin is 1 - 2 e / nu and no ensemble has to be worse than 0.
The values of nu that are tried one after another are multiples of e.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from frankboost.choosing.constants import (
    CLOSE,
    FALL,
    FAR,
    FEW_RATIOS,
    MOST_ROWS,
    OTHERWISE,
    PATIENCE,
    RATIOS,
    ROWS,
    SHALLOW,
    WORTH,
)
from frankboost.choosing.held_out import Patterns
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.choosing.joint_choice import LossTogether
from frankboost.choosing.trials import Choice, Depth, Trials, Tried, Visit
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import SHORT, Settings
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.typing import Flags, Indices

TrialsAt = Callable[[Depth, float], Trials]
"""The fits at a depth, the first of which may take so many seconds."""

Tell = Callable[[Tried], None]
Telling = Callable[[str], AbstractContextManager[Tell]]
"""For what is being done: what is told of each nu that is tried."""


@dataclass(frozen=True, eq=False)
class Case:
    """A problem of two classes, or of many in one game, whose nu is to be chosen; the settings of its fit."""

    data: TrainingSet
    carries: Flags  # which of the rows given to fit they are
    learner: WeakLearner
    settings: Settings
    halted: Callable[[], bool]
    telling: Telling
    patterns: Patterns  # of the rows
    sure: bool  # whether leaves may say how sure they are
    one_of_many: bool  # whether more than two classes have a fit each, whose votes will be compared

    @property
    def some(self) -> Flags:
        """The rows that suffice for a search, if there are very many."""
        return self.patterns.number < MOST_ROWS

    def sorted(self) -> Case:
        """The case with equal rows merged, in the order of their patterns, so that the order of the rows
        has no effect.

        Fits to other sums of the same weights would end elsewhere within their gap, and so might the choice.
        """
        return self.sorted_within(np.zeros(len(self.data.code), dtype=np.intp))[0]

    def sorted_within(self, group: Indices) -> tuple[Case, Indices]:
        """The same with equal rows merged only within groups; also the given row that stands for each."""
        kind = (self.data.classes * self.patterns.number + self.data.code) * (1 + group.max()) + group
        _, first, place = np.unique(kind, return_index=True, return_inverse=True)
        weight = np.bincount(place, self.data.sample_weight).astype(np.float64)
        data = replace(self.data.part(first), sample_weight=weight)
        patterns = replace(self.patterns, number=self.patterns.number[first])
        return replace(self, data=data, patterns=patterns), first


def choose_by_loss(
    case: Case,
    held_out: Sequence[Flags],
    depths: Sequence[Depth],
    nus: Sequence[float] | None = None,
    *,
    every_depth: bool = False,
) -> Choice:
    """Choose depth and nu by the log-loss on held-out parts of the rows, in half of the time."""
    loss = HeldOutLoss if case.data.classes == 2 else LossTogether

    def trials_at(depth: Depth, seconds: float) -> Trials:
        learner, settings = case.learner, replace(case.settings, time_limit=seconds)
        if depth is not None and isinstance(learner, BestTree):
            learner = replace(learner, max_depth=depth)
        return loss(
            case.data,
            learner,
            settings,
            held_out,
            distinct=case.patterns.count,
            some=case.some,
            nus=nus,
            halted=case.halted,
        )

    half = case.settings.time_limit / 2.0
    return choose(
        trials_at, depths, every_depth=every_depth, sure=case.sure, telling=case.telling, seconds=half
    )


def choose(
    trials_at: TrialsAt,
    depths: Sequence[Depth],
    *,
    every_depth: bool,
    telling: Telling,
    sure: bool = False,
    seconds: float = math.inf,
) -> Choice:
    """The depth and nu of least loss; between depths of the same loss, the first depth.

    Unless `every_depth`, rising depths are tried until the loss falls no more. Where a single tree errs on
    less than a row, it alone is the optimum at every nu, and nothing chooses among all that err nowhere. Then
    trees of less depth, 4 at the most, are tried instead of deeper ones.

    After an interrupt it is the best until then; if there is none yet, KeyboardInterrupt is raised.
    """
    begun = time.perf_counter()
    found: dict[Depth, Choice] = {}
    coming, interrupted = list(depths), False
    while coming and not interrupted:
        depth = coming.pop(0)
        only = depth is None or (not found and not coming)
        share = (seconds - (time.perf_counter() - begun)) / (len(coming) + 1)
        try:
            with telling("choosing nu" if only else f"choosing nu at depth {depth}") as tell:
                trials, choice = _choose_nu(trials_at, depth, max(share, SHORT), tell, sure=sure)
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
            break
        found[depth] = choice
        interrupted = choice.interrupted
        if not every_depth and depth is not None and choice.single_error * trials.rows < 1.0:
            coming = [each for each in [min(depth - 1, SHALLOW)] if each > 0 and each not in found]
        elif not every_depth and choice.loss_in_use > min(each.loss_in_use for each in found.values()):
            break
    best = min(found.values(), key=lambda each: each.loss_in_use)
    paths = {depth: each.path for depth, each in found.items()}
    return replace(best, interrupted=interrupted, paths=paths)


def _choose_nu(
    trials_at: TrialsAt, depth: Depth, seconds: float, tell: Tell, *, sure: bool
) -> tuple[Trials, Choice]:
    """Choose nu at one depth."""
    end = time.perf_counter() + seconds
    trials = trials_at(depth, seconds)
    visits: list[Visit] = []
    interrupted = False
    try:
        for visit in _visits(trials, end, tell):
            visits.append(visit)
    except KeyboardInterrupt:
        if not visits:
            raise
        interrupted = True
    best = trials.best(visits)
    if sure:
        best = trials.surer(best)
    choice = Choice(
        nu=best.tried.nu,
        loss=best.tried.loss,
        single_error=trials.error,
        path=tuple(each.tried for each in visits),
        held_out=best.held_out,
        sure=best.sure,
        ensemble=best.ensembles[0] if best.ensembles else None,
        learner=trials.learner,
        interrupted=interrupted,
        max_depth=depth,
    )
    return trials, choice


def _visits(trials: Trials, end: float, tell: Tell) -> Iterator[Visit]:
    """Fit at one nu after another until time is up; the first nu is always fitted.

    They are at the values given, or from the largest nu that matters down, until the loss falls no more.
    """
    given = trials.nus is not None
    values = list(nus_below(trials.error, trials.rows) if trials.nus is None else trials.nus)
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


def nus_below(error: float, rows: int) -> list[float]:
    """Falling values of nu for an error of the best single hypothesis; each is at least one example."""
    if error <= 0.0:
        return [OTHERWISE]
    ratios = FEW_RATIOS if _are_few(rows) else RATIOS[1:]
    values = {min(max(ratio * error, 1.0 / rows), 1.0) for ratio in ratios}
    return sorted(values, reverse=True)


def nus_after(tried: Tried, values: Sequence[float], error: float, rows: int) -> list[float]:
    """The next values of nu that are worth a try."""
    if tried.bound <= FAR or _are_few(rows):
        return list(values)
    return [each for each in values if each <= error] or list(values[-1:])


def _are_few(rows: int) -> bool:
    return rows < 2 * ROWS


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
