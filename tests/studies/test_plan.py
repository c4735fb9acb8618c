"""The paper's protocol, run by trial."""

from collections import Counter
from dataclasses import replace

from studies import plan as paper
from studies.plan import FULL, QUICK, choose_nu
from studies.running.outcome import Failure, Outcome
from study_runs import run

FITTED = Outcome.from_json(run("cv", split=0, fold=0))


def validated(plan, error):
    """Outcomes of the cross-validation, by a function of the trial."""
    trials = paper.plan_cross_validation(plan, {})
    return {
        trial.key: replace(FITTED, trial=trial, result=replace(FITTED.fit, test_error=error(trial)))
        for trial in trials
    }


def test_the_full_study_is_the_papers():
    times = paper.plan_times(FULL, {})
    assert len(times) == 13 * 7 * 5
    assert {trial.nu for trial in times} == {0.1, 0.2, 0.3, 0.4, 0.5}
    assert {(trial.tol, trial.max_depth, trial.max_bins, trial.threads, trial.split) for trial in times} == {
        (0.01, 2, None, 1, None)
    }
    curves = paper.plan_curves(FULL, {})
    assert len(curves) == 13 * 7
    assert {(trial.nu, trial.split) for trial in curves} == {(0.1, 0)}


def test_the_quick_study_times_levelboost_with_one_tree_per_round_too():
    timed = Counter(trial.algorithm for trial in paper.plan_times(QUICK, {}))
    assert timed["LEVEL-1"] == timed["LEVEL"] == timed["LPB"]
    assert "LEVEL-1" not in Counter(
        trial.algorithm for trial in paper.plan_times(replace(QUICK, algorithms=("LPB",)), {})
    )


def test_no_two_runs_have_the_same_key():
    for plan in (FULL, QUICK, replace(FULL, cv_each=True)):
        known = validated(plan, lambda trial: 0.1)
        runs = [trial for part in paper.PARTS for trial in paper.TRIALS_OF[part](plan, known)]
        assert max(Counter(trial.key for trial in runs).values()) == 1


def test_nu_is_the_one_of_least_error_and_the_largest_in_a_tie():
    plan = replace(FULL, sets=(("heart", None),))
    errors = {0.1: 0.3, 0.2: 0.2, 0.3: 0.25, 0.4: 0.2, 0.5: 0.4}
    known = validated(plan, lambda trial: errors[trial.nu] + 0.01 * (trial.fold - 2))
    assert choose_nu(plan, known, ("heart", None), "LPB", (0, 0)) == 0.4
    runs = paper.plan_errors(plan, known)
    assert Counter(trial.algorithm for trial in runs) == {"LEVEL": 5} | dict.fromkeys(
        ("LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW"), 1
    )
    assert {trial.nu for trial in runs} == {0.4}
    assert {trial.split for trial in runs if trial.algorithm != "LEVEL"} == {0}


def test_a_split_without_all_its_folds_has_no_error_yet():
    plan = replace(FULL, sets=(("heart", None), ("banana", None)))
    known = validated(plan, lambda trial: 0.2)
    del known["cv/heart/LEVEL/nu=0.3/split=2/fold=4"]
    key = "cv/banana/LEVEL/nu=0.1/split=0/fold=0"
    known[key] = replace(known[key], result=Failure("error", "out of luck"))
    runs = paper.plan_errors(plan, known)
    assert {trial.split for trial in runs if trial.dataset == "heart"} == {0, 1, 3, 4}
    assert {trial.algorithm for trial in runs if trial.dataset == "banana"} == {"LEVEL"}
    assert {trial.split for trial in runs if trial.dataset == "banana"} == {1, 2, 3, 4}


def test_each_algorithm_may_choose_its_own_nu():
    plan = replace(FULL, sets=(("heart", None),), cv_each=True)
    best = {"LPB": 0.2, "LEVEL": 0.5}
    known = validated(plan, lambda trial: abs(trial.nu - best.get(trial.algorithm, 0.3)))
    chosen = {trial.algorithm: trial.nu for trial in paper.plan_errors(plan, known)}
    assert (chosen["LPB"], chosen["LEVEL"], chosen["ERLPB"]) == (0.2, 0.5, 0.3)


def test_rows_may_be_split_anew_for_levelboost():
    plan = replace(FULL, sets=(("heart", None),), seeds=3)
    known = validated(plan, lambda trial: abs(trial.nu - 0.1 * (trial.seed + 1)))
    assert len(known) == 3 * 5 * 5 * 5
    runs = paper.plan_errors(plan, known)
    ours = [trial for trial in runs if trial.algorithm == "LEVEL"]
    assert {(trial.seed, trial.split) for trial in ours} == {
        (seed, split) for seed in range(3) for split in range(5)
    }
    assert {trial.seed: trial.nu for trial in ours} == {0: 0.1, 1: 0.2, 2: 0.3}
    assert {(trial.seed, trial.split, trial.nu) for trial in runs if trial.algorithm != "LEVEL"} == {
        (0, 0, 0.1)
    }


def test_the_papers_own_test_is_for_the_papers_algorithms():
    plan = replace(FULL, stopping="paper")
    trials = [
        *paper.plan_times(plan, {}),
        *paper.plan_worst_case(plan, {}),
        *paper.plan_cross_validation(plan, {}),
    ]
    assert {trial.stopping for trial in trials if trial.algorithm == "LEVEL"} == {"gap"}
    assert {trial.stopping for trial in trials if trial.algorithm != "LEVEL"} == {"paper"}
