"""Choose nu and the depth of the trees on rows that are held out, along paths of warm starts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from frankboost.choosing.constants import FALLEN, MOST_ROWS, SHALLOW
from frankboost.choosing.depths import Depth
from frankboost.choosing.held_out import Patterns
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.choosing.joint_choice import JointHeldOutLoss
from frankboost.choosing.nu_path import Report, is_deep, try_nus
from frankboost.choosing.trials import Choice, NuSearch, NuTrial
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import MIN_SECONDS, Settings
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.typing import Flags, Indices

MakeSearch = Callable[[Depth, float], NuSearch]
"""Makes the search at a depth; the number is the time limit of its first fit, in seconds."""

Reporting = Callable[[str], AbstractContextManager[Report]]
"""Opens a report of the results under a heading, such as "choosing nu"."""


@dataclass(frozen=True, eq=False)
class ChoiceProblem:
    """The rows of one game, and how its nu is to be chosen."""

    data: TrainingSet
    carries: Flags  # which of the rows given to `fit` these rows are
    learner: WeakLearner
    settings: Settings  # of the fit to all rows
    halted: Callable[[], bool]  # whether the fit of another class was interrupted
    reporting: Reporting
    patterns: Patterns  # which rows are equal
    sure: bool  # whether the vote in use may have sure leaves
    one_of_many: bool  # whether more than two classes have a game each, so that their votes will be compared

    @property
    def leaf_rows(self) -> Flags:
        """The rows that sure leaves are fitted to: at most `MOST_ROWS` different ones."""
        return self.patterns.number < MOST_ROWS

    def with_merged_rows(self) -> ChoiceProblem:
        """The problem with equal rows merged, in the order of their patterns.

        So the order of the rows has no effect. A fit to other sums of the same weights would end elsewhere
        within its gap, and might lead to another choice.
        """
        return self.with_rows_merged_within(np.zeros(len(self.data.code), dtype=np.intp))[0]

    def with_rows_merged_within(self, group: Indices) -> tuple[ChoiceProblem, Indices]:
        """The problem with equal rows of the same group merged.

        Also returns, for each merged row, the position of one of its rows.
        """
        kind = (self.data.classes * self.patterns.number + self.data.code) * (1 + group.max()) + group
        _, first, kind = np.unique(kind, return_index=True, return_inverse=True)
        weight = np.bincount(kind, self.data.sample_weight).astype(np.float64)
        data = replace(self.data.select(first), sample_weight=weight)
        patterns = replace(self.patterns, number=self.patterns.number[first])
        return replace(self, data=data, patterns=patterns), first


def choose_by_loss(
    problem: ChoiceProblem,
    held_out: Sequence[Flags],
    depths: Sequence[Depth],
    nus: Sequence[float] | None = None,
    *,
    every_depth: bool = False,
    nu_parts: int | None = None,
) -> Choice:
    """Choose depth and nu by the log-loss on held-out parts of the rows, in half of the time limit.

    If rows are few, the first `nu_parts` parts choose nu; None: all parts.
    """
    loss = HeldOutLoss if problem.data.classes == 2 else JointHeldOutLoss

    def make_search(depth: Depth, seconds: float) -> NuSearch:
        learner = problem.learner
        if depth is not None and isinstance(learner, BestTree):
            learner = replace(learner, max_depth=depth)
        return loss(
            problem.data,
            learner,
            replace(problem.settings, time_limit=seconds),
            held_out,
            distinct=problem.patterns.count,
            leaf_rows=problem.leaf_rows,
            nus=nus,
            nu_parts=nu_parts,
            halted=problem.halted,
        )

    return choose(
        make_search,
        depths,
        every_depth=every_depth,
        sure=problem.sure,
        reporting=problem.reporting,
        seconds=problem.settings.time_limit / 2.0,
    )


def choose(
    make_search: MakeSearch,
    depths: Sequence[Depth],
    *,
    every_depth: bool,
    reporting: Reporting,
    sure: bool = False,
    seconds: float = math.inf,
) -> Choice:
    """The depth and nu of least loss; between depths of the same loss, the first depth.

    Unless `every_depth`, depths are tried in order until the loss falls no more. If a single tree makes less
    than one error, this tree alone is the optimum at every nu, and nothing chooses among all trees without an
    error. Then the next smaller depth, at most `SHALLOW`, is tried instead of larger ones.

    An interrupt ends the search with the best choice so far; before the first one it raises
    KeyboardInterrupt.
    """
    start = time.perf_counter()
    found: dict[Depth, Choice] = {}
    remaining, interrupted = list(depths), False
    while remaining and not interrupted:
        depth = remaining.pop(0)
        is_only = depth is None or (not found and not remaining)
        share = max((seconds - (time.perf_counter() - start)) / (len(remaining) + 1), MIN_SECONDS)
        largest = _largest_nu(found.values(), depth)
        try:
            with reporting("choosing nu" if is_only else f"choosing nu at depth {depth}") as report:
                search, choice = _choose_nu(make_search, depth, share, report, sure=sure, largest=largest)
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
            break
        found[depth] = choice
        interrupted = choice.interrupted
        if every_depth or depth is None:
            continue
        if choice.single_error * search.rows < 1.0:
            smaller = min(depth - 1, SHALLOW)
            remaining = [smaller] if smaller > 0 and smaller not in found else []
        elif choice.loss_in_use > _least_loss(found.values()).loss_in_use:
            break
    best = _least_loss(found.values())
    paths = {depth: each.path for depth, each in found.items()}
    return replace(best, interrupted=interrupted, paths=paths)


def _least_loss(found: Iterable[Choice]) -> Choice:
    return min(found, key=lambda each: each.loss_in_use)


def _largest_nu(found: Collection[Choice], depth: Depth) -> float:
    """The largest nu to try at a depth; the best nu falls as trees get deeper."""
    return FALLEN * _least_loss(found).nu if found and is_deep(depth) else math.inf


def _choose_nu(
    make_search: MakeSearch, depth: Depth, seconds: float, report: Report, *, sure: bool, largest: float
) -> tuple[NuSearch, Choice]:
    """Choose nu at one depth."""
    end = time.perf_counter() + seconds
    search = make_search(depth, seconds)
    trials: list[NuTrial] = []
    interrupted = False
    try:
        for trial in try_nus(search, end, report, largest):
            trials.append(trial)
        best = search.with_all_parts(search.best(trials), max(end - time.perf_counter(), MIN_SECONDS))
    except KeyboardInterrupt:
        if not trials:
            raise
        best, interrupted = search.best(trials), True
    if sure:
        best = search.with_sure_leaves(best, trials)
    choice = Choice(
        nu=best.result.nu,
        loss=best.result.loss,
        single_error=search.error,
        path=tuple(each.result for each in trials),
        held_out=best.held_out,
        sure=best.sure,
        ensemble=best.ensembles[0] if best.ensembles else None,
        learner=search.learner,
        interrupted=interrupted,
        max_depth=depth,
    )
    return search, choice
