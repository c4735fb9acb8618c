"""nu and the depth of the trees, chosen on rows that are held out, along paths of warm starts.

The scale of nu is e, the error of the best single hypothesis: from nu of a little more than 2 e on that
hypothesis alone is the optimum, since its soft margin is 1 - 2 e / nu and no ensemble has to be worse than 0.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from frankboost.choosing.choice import Choice, Depth
from frankboost.choosing.constants import SHALLOW
from frankboost.choosing.course import is_over, nus_after, nus_below
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.choosing.trials import Trials, Tried, Visit
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import SHORT, Settings
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.typing import Flags

TrialsAt = Callable[[Depth, float], Trials]
"""The fits at a depth, the first of which may take so many seconds."""

Tell = Callable[[Tried], None]
Telling = Callable[[str], AbstractContextManager[Tell]]
"""For what is being done: what is told of each nu that is tried."""


def _unwatched(what: str) -> AbstractContextManager[Tell]:
    return nullcontext(lambda tried: None)


@dataclass(frozen=True, eq=False)
class Case:
    """A problem of two classes whose nu is to be chosen, and the settings of its fit."""

    data: TrainingSet
    carries: Flags  # which of the rows given to fit they are
    learner: WeakLearner
    settings: Settings
    halted: Callable[[], bool] = lambda: False
    telling: Telling = _unwatched


def choose_by_loss(
    case: Case,
    held_out: Sequence[Flags],
    depths: Sequence[Depth],
    nus: Sequence[float] | None = None,
    *,
    every_depth: bool = False,
) -> Choice:
    """The choice of least log-loss on parts of the rows that are held out, in half of the time."""

    def trials_at(depth: Depth, seconds: float) -> Trials:
        learner, settings = case.learner, replace(case.settings, time_limit=seconds)
        if depth is not None and isinstance(learner, BestTree):
            learner = replace(learner, max_depth=depth)
        return HeldOutLoss(case.data, learner, settings, held_out, nus=nus, halted=case.halted)

    half = case.settings.time_limit / 2.0
    return choose(trials_at, depths, every_depth=every_depth, seconds=half, telling=case.telling)


def choose(
    trials_at: TrialsAt,
    depths: Sequence[Depth],
    *,
    every_depth: bool,
    seconds: float = math.inf,
    telling: Telling = _unwatched,
) -> Choice:
    """The depth and nu of least loss; between depths of the same loss the first.

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
                trials, choice = _choose_nu(trials_at, depth, max(share, SHORT), tell)
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
            break
        found[depth] = choice
        interrupted = choice.interrupted
        if not every_depth and depth is not None and choice.single_error * trials.rows < 1.0:
            coming = [each for each in [min(depth - 1, SHALLOW)] if each > 0 and each not in found]
        elif not every_depth and choice.loss > min(each.loss for each in found.values()):
            break
    best = min(found.values(), key=lambda each: each.loss)
    paths = {depth: each.path for depth, each in found.items()}
    return replace(best, interrupted=interrupted, paths=paths)


def _choose_nu(trials_at: TrialsAt, depth: Depth, seconds: float, tell: Tell) -> tuple[Trials, Choice]:
    """The choice of nu at a depth."""
    end = time.perf_counter() + seconds
    trials = trials_at(depth, seconds)
    visit = _Visitor(trials, end, tell)
    visits = list(_course(visit, trials) if trials.nus is None else _each(visit, trials.nus))
    best = trials.best(visits)
    choice = Choice(
        nu=best.tried.nu,
        loss=best.tried.loss,
        single_error=trials.error,
        path=tuple(each.tried for each in visits),
        held_out=best.held_out,
        vote_size=trials.vote_size(best),
        ensemble=best.ensembles[0] if best.ensembles else None,
        learner=trials.learner,
        interrupted=visit.interrupted,
        max_depth=depth,
    )
    return trials, choice


class _Visitor:
    """Goes from one nu to the next until time is up or it is interrupted, but always to the first."""

    def __init__(self, trials: Trials, end: float, tell: Tell) -> None:
        self._trials, self._end, self._tell = trials, end, tell
        self._first = True
        self.interrupted = False

    def __call__(self, nu: float) -> Visit | None:
        left = self._end - time.perf_counter()
        if left <= 0.0 and not self._first:
            return None
        try:
            visit = self._trials.visit(nu, max(left, SHORT))
        except KeyboardInterrupt:
            if self._first:
                raise
            self.interrupted = True
            return None
        self._first = False
        self._tell(visit.tried)
        return visit


def _each(visit: _Visitor, nus: Sequence[float]) -> Iterator[Visit]:
    """Visits of values that are given."""
    for nu in nus:
        found = visit(nu)
        if found is None:
            return
        yield found


def _course(visit: _Visitor, trials: Trials) -> Iterator[Visit]:
    """Visits from the largest nu that matters down, until the loss falls no more."""
    path: list[Tried] = []
    values = nus_below(trials.error, trials.rows)
    while values:
        found = visit(values.pop(0))
        # Where no bound is above the gap asked for, a vote of nothing will do, and its sign is chance.
        if found is None or (path and found.tried.bound <= trials.tol):
            return
        path.append(found.tried)
        yield found
        if is_over(path, trials.error):
            return
        values = nus_after(found.tried, values, trials.error, trials.rows)
