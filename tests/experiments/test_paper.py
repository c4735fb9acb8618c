"""The paper's protocol, run by run."""

from collections import Counter
from dataclasses import replace

from frankboost.experiments import paper
from frankboost.experiments.paper import FULL, QUICK, chosen_nu


def validated(plan, error, **settings):
    """Results of the cross-validation, by a function of the run."""
    runs = paper.cross_validation(plan, {})
    return {run.key: {"status": "done", "test_error": error(run), **settings} for run in runs}


def test_the_full_study_is_the_papers():
    times = paper.times(FULL, {})
    assert len(times) == 13 * 7 * 5
    assert {run.nu for run in times} == {0.1, 0.2, 0.3, 0.4, 0.5}
    assert {(run.tol, run.max_depth, run.max_bins, run.threads, run.split) for run in times} == {
        (0.01, 2, None, 1, None)
    }
    curves = paper.curves(FULL, {})
    assert len(curves) == 13 * 7
    assert {(run.nu, run.split) for run in curves} == {(0.1, 0)}


def test_no_two_runs_have_the_same_key():
    for plan in (FULL, QUICK, replace(FULL, cv_each=True)):
        known = validated(plan, lambda run: 0.1)
        runs = [run for part in paper.PARTS for run in paper.RUNS_OF[part](plan, known)]
        assert max(Counter(run.key for run in runs).values()) == 1


def test_nu_is_the_one_of_least_error_and_the_largest_in_a_tie():
    plan = replace(FULL, sets=(("heart", None),))
    errors = {0.1: 0.3, 0.2: 0.2, 0.3: 0.25, 0.4: 0.2, 0.5: 0.4}
    known = validated(plan, lambda run: errors[run.nu] + 0.01 * (run.fold - 2))
    assert chosen_nu(plan, known, ("heart", None), "LPB", (0, 0)) == 0.4
    runs = paper.errors(plan, known)
    assert Counter(run.algorithm for run in runs) == {"LEVEL": 5} | dict.fromkeys(
        ("LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW"), 1
    )
    assert {run.nu for run in runs} == {0.4}
    assert {run.split for run in runs if run.algorithm != "LEVEL"} == {0}


def test_a_split_without_all_its_folds_has_no_error_yet():
    plan = replace(FULL, sets=(("heart", None), ("banana", None)))
    known = validated(plan, lambda run: 0.2)
    del known["cv/heart/LEVEL/nu=0.3/split=2/fold=4"]
    known["cv/banana/LEVEL/nu=0.1/split=0/fold=0"] = {"status": "failed"}
    runs = paper.errors(plan, known)
    assert {run.split for run in runs if run.dataset == "heart"} == {0, 1, 3, 4}
    assert {run.algorithm for run in runs if run.dataset == "banana"} == {"LEVEL"}
    assert {run.split for run in runs if run.dataset == "banana"} == {1, 2, 3, 4}


def test_each_algorithm_may_choose_its_own_nu():
    plan = replace(FULL, sets=(("heart", None),), cv_each=True)
    best = {"LPB": 0.2, "LEVEL": 0.5}
    known = validated(plan, lambda run: abs(run.nu - best.get(run.algorithm, 0.3)))
    chosen = {run.algorithm: run.nu for run in paper.errors(plan, known)}
    assert (chosen["LPB"], chosen["LEVEL"], chosen["ERLPB"]) == (0.2, 0.5, 0.3)


def test_rows_may_be_split_anew_for_levelboost():
    plan = replace(FULL, sets=(("heart", None),), seeds=3)
    known = validated(plan, lambda run: abs(run.nu - 0.1 * (run.seed + 1)))
    assert len(known) == 3 * 5 * 5 * 5
    runs = paper.errors(plan, known)
    ours = [run for run in runs if run.algorithm == "LEVEL"]
    assert {(run.seed, run.split) for run in ours} == {
        (seed, split) for seed in range(3) for split in range(5)
    }
    assert {run.seed: run.nu for run in ours} == {0: 0.1, 1: 0.2, 2: 0.3}
    assert {(run.seed, run.split, run.nu) for run in runs if run.algorithm != "LEVEL"} == {(0, 0, 0.1)}
