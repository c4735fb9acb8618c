"""The experiments of "Boosting as Frank-Wolfe" as a study.

The paper's protocol: tol = 0.01, nu = 0.1, 0.2, ..., 0.5 of the rows, the best tree of depth 2 over all
thresholds, CPU seconds, user and system. `TRIALS_OF` has its parts.

All algorithms solve the same problem, so one cross-validation, LevelBoost's, is enough; `cv_each` gives each
algorithm its own, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Any

from frankboost.datasets import NAMES
from studies.algorithms import ALGORITHMS, EQUAL, OURS, TREE
from studies.running.outcome import Outcome
from studies.running.trial import FIFTHS, Stopping, Trial
from studies.sets import SMALL_SETS, WORST_CASE

Known = Mapping[str, Outcome]
NamedSet = tuple[str, int | None]
Partition = tuple[int, int]  # seed and split


@dataclass(frozen=True)
class Plan:
    """How much of the paper to run.

    `sets` are names and rows as in `Trial`, `worst_cases` numbers of examples. `splits` fifths are the test
    set in turn, and `seeds` times the rows are shuffled and split anew, for LevelBoost; the other algorithms
    have the first of all. With `cv_each` each algorithm chooses its own nu. With `like_for_like` and all
    algorithms, LevelBoost is also timed with one tree per round. `stopping` is for the paper's algorithms;
    LevelBoost has no smoothed soft margin to ask about. `learner` is "tree" or another package's.
    """

    sets: tuple[NamedSet, ...]
    algorithms: tuple[str, ...] = tuple(ALGORITHMS)
    nus: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5)
    splits: int = FIFTHS
    seeds: int = 1
    worst_cases: tuple[int, ...] = (64, 128, 256)
    cv_each: bool = False
    time_limit: float = 20.0
    memory_limit: float = 4.0
    max_bins: int | None = None
    stopping: Stopping = "gap"
    learner: str = TREE
    like_for_like: bool = False

    def trial(self, part: str, dataset: NamedSet, algorithm: str, nu: float, **where: Any) -> Trial:
        """A trial with these settings, on the rows that seed, split and fold name."""
        name, rows = dataset
        trial = Trial(part, name, algorithm, nu, rows, max_bins=self.max_bins, **where)
        if algorithm not in (OURS, EQUAL):
            trial = replace(trial, stopping=self.stopping)
        learner = TREE if name == WORST_CASE else self.learner  # that game has a class of its own
        return replace(trial, learner=learner, time_limit=self.time_limit, memory_limit=self.memory_limit)


FULL = Plan(tuple((name, None) for name in NAMES))
# Two minutes on two cores, on a machine without the collection.
QUICK = Plan(
    SMALL_SETS, nus=(0.1, 0.3), splits=2, worst_cases=(64,), time_limit=0.75, max_bins=31, like_for_like=True
)


def times(plan: Plan, known: Known) -> list[Trial]:
    """Every algorithm on all rows of every set at every nu: how long it takes, and how the margin grows."""
    more = (EQUAL,) if plan.like_for_like and plan.algorithms == tuple(ALGORITHMS) else ()
    pairs = product(plan.sets, (*plan.algorithms, *more))
    return [plan.trial("times", *each, nu) for each in pairs for nu in plan.nus]


def curves(plan: Plan, known: Known) -> list[Trial]:
    """Every algorithm on the first split, at the smallest nu: how the test error falls."""
    nu = min(plan.nus)
    return [plan.trial("curves", *each, nu, split=0) for each in product(plan.sets, plan.algorithms)]


def worst_case(plan: Plan, known: Known) -> list[Trial]:
    """Every algorithm on LPBoost's worst case, where nu is one example: the hard margin."""
    return [
        plan.trial(WORST_CASE, (WORST_CASE, rows), algorithm, 1.0 / rows)
        for rows, algorithm in product(plan.worst_cases, plan.algorithms)
    ]


def cross_validation(plan: Plan, known: Known) -> list[Trial]:
    """Every fold of every split that a test error is wanted for, at every nu."""
    return [trial for each in _wanted(plan) for folds in _folds(plan, *each).values() for trial in folds]


def errors(plan: Plan, known: Known) -> list[Trial]:
    """LevelBoost on each split, the others on the first, at the chosen nu; none where there is none yet."""
    return [
        plan.trial("errors", dataset, algorithm, nu, seed=part[0], split=part[1])
        for dataset, algorithm in product(plan.sets, plan.algorithms)
        for part in _partitions(plan, algorithm)
        if (nu := chosen_nu(plan, known, dataset, algorithm, part)) is not None
    ]


def without_nu(plan: Plan, known: Known) -> int:
    """How many splits a test error is wanted for and no nu is chosen for yet."""
    return sum(chosen_nu(plan, known, *each) is None for each in _wanted(plan))


def chosen_nu(plan: Plan, known: Known, dataset: NamedSet, algorithm: str, part: Partition) -> float | None:
    """The `best_nu` of a split, by the algorithm itself or by LevelBoost."""
    judge = algorithm if plan.cv_each else OURS
    return best_nu(
        {
            nu: errors_aside(known[trial.key] for trial in folds if trial.key in known)
            for nu, folds in _folds(plan, dataset, judge, part).items()
        }
    )


def errors_aside(outcomes: Iterable[Outcome]) -> list[float]:
    """The errors on the rows kept aside, of the fits that have one."""
    done = (outcome.fit.test_error for outcome in outcomes if outcome.done)
    return [error for error in done if error is not None]


def best_nu(errors: Mapping[float, Sequence[float]]) -> float | None:
    """The nu of least mean error over its folds, the largest in a tie; None unless all folds are there."""
    if any(len(each) < FIFTHS for each in errors.values()):
        return None
    # Rounded, so that the last bit decides no tie.
    return min(errors, key=lambda nu: (round(fmean(errors[nu]), 12), -nu))


def _partitions(plan: Plan, algorithm: str) -> list[Partition]:
    return list(product(range(plan.seeds), range(plan.splits))) if algorithm == OURS else [(0, 0)]


def _wanted(plan: Plan) -> list[tuple[NamedSet, str, Partition]]:
    """The splits that a nu is chosen for, and by which algorithm."""
    judges = plan.algorithms if plan.cv_each else (OURS,)
    return [(*each, part) for each in product(plan.sets, judges) for part in _partitions(plan, each[1])]


def _folds(plan: Plan, dataset: NamedSet, judge: str, part: Partition) -> dict[float, list[Trial]]:
    seed, split = part
    return {
        nu: [plan.trial("cv", dataset, judge, nu, seed=seed, split=split, fold=k) for k in range(FIFTHS)]
        for nu in plan.nus
    }


TRIALS_OF: dict[str, Callable[[Plan, Known], Sequence[Trial]]] = {
    WORST_CASE: worst_case,
    "cv": cross_validation,
    "errors": errors,
    "curves": curves,
    "times": times,
}
PARTS = tuple(TRIALS_OF)  # in their order: errors need what cross-validation chose
