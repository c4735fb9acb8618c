"""Choose nu and the depth of the trees on rows that are held out, along paths of warm starts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from frankboost.choosing.constants import FALLEN, MOST_ROWS, SHALLOW
from frankboost.choosing.held_out import Patterns
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.choosing.joint_choice import LossTogether
from frankboost.choosing.nu_path import Tell, is_deep, visits_along
from frankboost.choosing.trials import Choice, Depth, Trials, Visit
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import SHORT, Settings
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.typing import Flags, Indices

TrialsAt = Callable[[Depth, float], Trials]
"""The fits at a depth, the first of which may take so many seconds."""

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
        """The case with equal rows merged within groups only, and for each merged row one given row."""
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
    less than a row, that tree alone is the optimum at every nu, and nothing chooses among all trees that err
    nowhere. Then trees of less depth, 4 at the most, are tried instead of deeper ones.

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
                most = _most(found.values(), depth)
                trials, choice = _choose_nu(trials_at, depth, max(share, SHORT), tell, sure=sure, most=most)
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
            break
        found[depth] = choice
        interrupted = choice.interrupted
        if every_depth or depth is None:
            continue
        if choice.single_error * trials.rows < 1.0:
            coming = [each for each in [min(depth - 1, SHALLOW)] if each > 0 and each not in found]
        elif choice.loss_in_use > _least_loss(found.values()).loss_in_use:
            break
    best = _least_loss(found.values())
    paths = {depth: each.path for depth, each in found.items()}
    return replace(best, interrupted=interrupted, paths=paths)


def _least_loss(found: Iterable[Choice]) -> Choice:
    return min(found, key=lambda each: each.loss_in_use)


def _most(found: Collection[Choice], depth: Depth) -> float:
    """The largest nu to try at a depth, as the best nu falls when trees get deeper."""
    return FALLEN * _least_loss(found).nu if found and is_deep(depth) else math.inf


def _choose_nu(
    trials_at: TrialsAt, depth: Depth, seconds: float, tell: Tell, *, sure: bool, most: float
) -> tuple[Trials, Choice]:
    """Choose nu at one depth."""
    end = time.perf_counter() + seconds
    trials = trials_at(depth, seconds)
    visits: list[Visit] = []
    interrupted = False
    try:
        for visit in visits_along(trials, end, tell, most):
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
