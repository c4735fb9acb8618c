"""The depth of the trees and nu, chosen on rows held out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from frankboost.estimators.cv_results import Candidate, results_of
from frankboost.estimators.held_out import mask_of
from frankboost.estimators.nu_choice import SHORT, NuChoice, choose_nu
from frankboost.estimators.nu_visits import Tried
from frankboost.estimators.problems import Problems
from frankboost.estimators.run import Settings, time_left
from frankboost.learners.best_tree import BestTree
from frankboost.typing import Indices


@dataclass(frozen=True, eq=False)
class DepthSearch:
    """The choice of depth and nu by the loss on folds; `found` keeps what was tried for each problem."""

    nus: Sequence[float] | None
    depths: Sequence[int | None]  # None: the weak learner has none
    tests: Sequence[Indices]
    patient: bool  # whether all depths are tried
    found: dict[int, list[tuple[int | None, NuChoice]]] = field(default_factory=dict)

    def __call__(
        self,
        problems: Problems,
        k: int,
        settings: Settings,
        halted: Callable[[], bool],
        telling: Callable[[str], AbstractContextManager[Callable[[Tried], None]]],
    ) -> NuChoice:
        carries, learner = problems.data.carries, problems.learner
        parts = [mask_of(rows, len(carries))[carries] for rows in self.tests]
        rows, tried = problems.rows[k], []
        half, begun = replace(settings, time_limit=settings.time_limit / 2.0), time.perf_counter()
        for j, depth in enumerate(self.depths):
            chosen = learner
            if depth is not None and isinstance(learner, BestTree):
                chosen = replace(learner, max_depth=depth)
            share = max(time_left(half, begun), 0.0) / (len(self.depths) - j)
            within = replace(half, time_limit=max(share, SHORT))
            with telling("choosing nu" if depth is None else f"choosing nu at depth {depth}") as tell:
                choice = choose_nu(rows, chosen, within, parts, nus=self.nus, halted=halted, tell=tell)
            tried.append((depth, choice))
            if not self.patient and choice.loss > min(each.loss for _, each in tried):
                break
        self.found[k] = tried
        return self._best(k)

    def _best(self, k: int) -> NuChoice:
        return min((choice for _, choice in self.found[k]), key=lambda choice: choice.loss)

    def score(self) -> float:
        """Minus the loss of what was chosen, a mean over the problems."""
        return -sum(self._best(k).loss for k in self.found) / len(self.found)

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
