"""The experiments of "Boosting as Frank-Wolfe" as a study.

The paper's protocol: tol = 0.01, nu = 0.1, 0.2, ..., 0.5 of the rows, the best tree of depth 2 over all
thresholds, CPU seconds, user and system. `TRIALS_OF` has its parts.

All algorithms solve the same problem, so that one cross-validation is enough: that of LevelBoost. With
`cv_each`, each algorithm has its own, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Any

from frankboost.datasets import NAMES
from studies.algorithms import ALGORITHMS, OURS, OURS_ONE_TREE, TREE
from studies.running.outcome import Outcome
from studies.running.trial import FIFTHS, Stopping, Trial
from studies.sets import SMALL_SETS, WORST_CASE

Known = Mapping[str, Outcome]  # the outcomes so far, by key
NamedSet = tuple[str, int | None]  # the name of a data set and its rows, as in `Trial`
Partition = tuple[int, int]  # seed and split


@dataclass(frozen=True)
class Plan:
    """How much of the paper to run.

    For the test errors of LevelBoost, the rows are shuffled and split `seeds` times, and `splits` of the five
    parts of each split are the test set, one after the other. The other algorithms have the first of all
    splits.
    """

    sets: tuple[NamedSet, ...]
    algorithms: tuple[str, ...] = tuple(ALGORITHMS)
    nus: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5)
    splits: int = FIFTHS
    seeds: int = 1
    worst_cases: tuple[int, ...] = (64, 128, 256)  # their numbers of rows
    cv_each: bool = False  # whether each algorithm chooses its own nu
    time_limit: float = 20.0
    memory_limit: float = 4.0
    max_bins: int | None = None
    stopping: Stopping = "gap"  # of the paper's algorithms; LevelBoost has no smoothed soft margin
    learner: str = TREE  # or the weak learner of a plugin
    like_for_like: bool = False  # whether LevelBoost is also timed with one tree per round

    def trial(self, part: str, dataset: NamedSet, algorithm: str, nu: float, **where: Any) -> Trial:
        """Make a trial with these settings; `where` may have a seed, a split and a fold."""
        name, rows = dataset
        trial = Trial(part, name, algorithm, nu, rows, max_bins=self.max_bins, **where)
        if algorithm not in (OURS, OURS_ONE_TREE):
            trial = replace(trial, stopping=self.stopping)
        learner = TREE if name == WORST_CASE else self.learner  # the worst case has its own hypotheses
        return replace(trial, learner=learner, time_limit=self.time_limit, memory_limit=self.memory_limit)


FULL = Plan(tuple((name, None) for name in NAMES))
# Takes two minutes on two cores, and needs no files.
QUICK = Plan(
    SMALL_SETS, nus=(0.1, 0.3), splits=2, worst_cases=(64,), time_limit=0.75, max_bins=31, like_for_like=True
)


def plan_times(plan: Plan, known: Known) -> list[Trial]:
    """Plan to fit every algorithm to all rows of every set at every nu: how long it takes, and the
    margins."""
    more = (OURS_ONE_TREE,) if plan.like_for_like and plan.algorithms == tuple(ALGORITHMS) else ()
    pairs = product(plan.sets, (*plan.algorithms, *more))
    return [plan.trial("times", *each, nu) for each in pairs for nu in plan.nus]


def plan_curves(plan: Plan, known: Known) -> list[Trial]:
    """Plan to fit every algorithm to the first split at the smallest nu: how the test error falls."""
    nu = min(plan.nus)
    return [plan.trial("curves", *each, nu, split=0) for each in product(plan.sets, plan.algorithms)]


def plan_worst_case(plan: Plan, known: Known) -> list[Trial]:
    """Plan to fit every algorithm to LPBoost's worst case, for the hard margin: nu is one row."""
    return [
        plan.trial(WORST_CASE, (WORST_CASE, rows), algorithm, 1.0 / rows)
        for rows, algorithm in product(plan.worst_cases, plan.algorithms)
    ]


def plan_cross_validation(plan: Plan, known: Known) -> list[Trial]:
    """Plan to fit every fold of every split that will have a test error, at every nu."""
    splits = _splits_to_test(plan)
    return [trial for each in splits for folds in _folds(plan, *each).values() for trial in folds]


def plan_errors(plan: Plan, known: Known) -> list[Trial]:
    """Plan to fit LevelBoost to each split, and the others to the first, at the chosen nu.

    Splits without a chosen nu are left out.
    """
    return [
        plan.trial("errors", dataset, algorithm, nu, seed=part[0], split=part[1])
        for dataset, algorithm in product(plan.sets, plan.algorithms)
        for part in _partitions(plan, algorithm)
        if (nu := choose_nu(plan, known, dataset, algorithm, part)) is not None
    ]


def count_splits_without_nu(plan: Plan, known: Known) -> int:
    """The number of splits that will have a test error, but have no chosen nu yet."""
    return sum(choose_nu(plan, known, *each) is None for each in _splits_to_test(plan))


def choose_nu(plan: Plan, known: Known, dataset: NamedSet, algorithm: str, part: Partition) -> float | None:
    """Choose the `best_nu` of a split, from the folds of the algorithm itself or of LevelBoost."""
    validated = algorithm if plan.cv_each else OURS
    return best_nu(
        {
            nu: held_out_errors(known[trial.key] for trial in folds if trial.key in known)
            for nu, folds in _folds(plan, dataset, validated, part).items()
        }
    )


def held_out_errors(outcomes: Iterable[Outcome]) -> list[float]:
    """The errors on held-out rows, of the fits that have them."""
    done = (outcome.fit.test_error for outcome in outcomes if outcome.done)
    return [error for error in done if error is not None]


def best_nu(errors: Mapping[float, Sequence[float]]) -> float | None:
    """The nu of least mean error over its folds; in a tie, the largest. None if a fold is missing."""
    if any(len(each) < FIFTHS for each in errors.values()):
        return None
    # Rounded, so that the last bit decides no tie.
    return min(errors, key=lambda nu: (round(fmean(errors[nu]), 12), -nu))


def _partitions(plan: Plan, algorithm: str) -> list[Partition]:
    return list(product(range(plan.seeds), range(plan.splits))) if algorithm == OURS else [(0, 0)]


def _splits_to_test(plan: Plan) -> list[tuple[NamedSet, str, Partition]]:
    """The splits for which a nu is chosen, with the algorithm of their cross-validation."""
    validated = plan.algorithms if plan.cv_each else (OURS,)
    return [(*each, part) for each in product(plan.sets, validated) for part in _partitions(plan, each[1])]


def _folds(plan: Plan, dataset: NamedSet, algorithm: str, part: Partition) -> dict[float, list[Trial]]:
    """The trials of the folds of a split, by nu."""
    seed, split = part
    return {
        nu: [plan.trial("cv", dataset, algorithm, nu, seed=seed, split=split, fold=k) for k in range(FIFTHS)]
        for nu in plan.nus
    }


TRIALS_OF: dict[str, Callable[[Plan, Known], Sequence[Trial]]] = {
    WORST_CASE: plan_worst_case,
    "cv": plan_cross_validation,
    "errors": plan_errors,
    "curves": plan_curves,
    "times": plan_times,
}
PARTS = tuple(TRIALS_OF)  # in this order, since test errors need the nu of the cross-validation
