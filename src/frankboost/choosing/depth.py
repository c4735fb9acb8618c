"""The depth of the trees and nu, chosen on rows held out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from frankboost.choosing.held_out import mask_of
from frankboost.choosing.nu import SHORT, NuChoice, choose_nu
from frankboost.choosing.results import Candidate, results_of
from frankboost.choosing.visits import Tried
from frankboost.fitting.problems import Problems, TrainingSet
from frankboost.fitting.run import Settings, time_left
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.typing import Flags, Indices

LESS = (
    4  # the depth after a larger one of which a tree errs nowhere: those between would hardly choose better
)

Depth = int | None
"""None: the weak learner has none, or its own."""

Telling = Callable[[str], AbstractContextManager[Callable[[Tried], None]]]
"""For what is being done: what is told of each nu that is tried."""


def try_depths(
    data: TrainingSet,
    learner: WeakLearner,
    settings: Settings,
    held_out: Sequence[Flags],
    *,
    depths: Sequence[Depth],
    patient: bool,
    telling: Telling,
    nus: Sequence[float] | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> list[tuple[Depth, NuChoice]]:
    """The choice of nu at each depth, with half of the time for all.

    Unless `patient`, rising depths are tried until the loss falls no more. Where a single tree errs on less
    than a row, it alone is the optimum at every nu, and nothing chooses among all that err nowhere. Then
    trees of less depth, 4 at the most, are tried instead of deeper ones.

    After an interrupt the last one says so; if there is none yet, KeyboardInterrupt is raised.
    """
    half, begun = replace(settings, time_limit=settings.time_limit / 2.0), time.perf_counter()
    tried: list[tuple[Depth, NuChoice]] = []
    coming = list(depths)
    while coming:
        depth = coming.pop(0)
        share = max(time_left(half, begun) / (len(coming) + 1), SHORT)
        what = (
            "choosing nu" if depth is None or (not tried and not coming) else f"choosing nu at depth {depth}"
        )
        try:
            with telling(what) as tell:
                choice = choose_nu(
                    data,
                    _of_depth(learner, depth),
                    replace(half, time_limit=share),
                    held_out,
                    nus=nus,
                    halted=halted,
                    tell=tell,
                )
        except KeyboardInterrupt:
            if not tried:
                raise
            tried[-1] = tried[-1][0], replace(tried[-1][1], interrupted=True)
            break
        tried.append((depth, choice))
        if choice.interrupted:
            break
        if not patient and depth is not None and choice.single_error * len(data.y) < 1.0:
            coming = [min(depth - 1, LESS)] if depth > 1 else []
        elif not patient and choice.loss > best_of(tried).loss:
            break
    return tried


def _of_depth(learner: WeakLearner, depth: Depth) -> WeakLearner:
    if depth is None or not isinstance(learner, BestTree):
        return learner
    return replace(learner, max_depth=depth)


def best_of(tried: Sequence[tuple[Depth, NuChoice]]) -> NuChoice:
    """The one of least loss, and in a tie the first."""
    choices = [choice for _, choice in tried]
    best = min(choices, key=lambda choice: choice.loss)
    return replace(best, interrupted=any(each.interrupted for each in choices))


@dataclass(frozen=True, eq=False)
class DepthSearch:
    """The choice of depth and nu by the loss on folds; `found` keeps what was tried for each problem."""

    nus: Sequence[float] | None
    depths: Sequence[Depth]
    tests: Sequence[Indices]
    patient: bool
    found: dict[int, list[tuple[Depth, NuChoice]]] = field(default_factory=dict)

    def __call__(
        self,
        problems: Problems,
        k: int,
        settings: Settings,
        halted: Callable[[], bool],
        telling: Telling,
    ) -> NuChoice:
        carries = problems.data.carries
        self.found[k] = try_depths(
            problems.rows[k],
            problems.learner,
            settings,
            [mask_of(rows, len(carries))[carries] for rows in self.tests],
            depths=self.depths,
            patient=self.patient,
            telling=telling,
            nus=self.nus,
            halted=halted,
        )
        return best_of(self.found[k])

    def score(self) -> float:
        """Minus the loss of what was chosen, a mean over the problems."""
        return -sum(best_of(tried).loss for tried in self.found.values()) / len(self.found)

    def results(self) -> list[dict[str, Any]]:
        """What was tried, one table per problem."""
        return [
            results_of(
                [
                    Candidate(depth, at.nu, [-loss for loss in at.losses], -at.loss, at.seconds, at.rounds)
                    for depth, choice in self.found[k]
                    for at in choice.path
                ]
            )
            for k in sorted(self.found)
        ]
