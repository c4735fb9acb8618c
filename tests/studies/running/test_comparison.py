"""Every algorithm of the comparison agrees on the optimum, and says what it did."""

import dataclasses

import numpy as np
import pytest

from frankboost import BestTree, LPBoostClassifier
from frankboost.datasets import twonorm
from studies.problems import Problem, embedded_problems, tree_learner
from studies.running.comparison import ALGORITHMS, ComparisonRow, compared

SMALL = Problem(twonorm(40, 3), nu=0.5, learner=BestTree(1, 7), tol=0.05)


def test_the_algorithms_are_ours_and_the_six_of_the_paper():
    assert list(ALGORITHMS) == ["LEVEL", "LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW"]
    rules = {name: make().rules() for name, make in ALGORITHMS.items()}
    kinds = {name: [type(rule).__name__ for rule in rules[name]] for name in rules}
    assert kinds == {
        "LEVEL": ["Level"],
        "LPB": ["LinearProgram"],
        "ERLPB": ["FullyCorrective"],
        "FW": ["ShortStep"],
        "PFW": ["Pairwise"],
        "MLPB-SS": ["ShortStep", "LinearProgram"],
        "MLPB-PFW": ["Pairwise", "LinearProgram"],
    }


@pytest.fixture(scope="module")
def results():
    return {name: compared(name, SMALL, time_limit=10) for name in ALGORITHMS}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_result_says_what_happened(results, name):
    result = results[name]
    assert (result.dataset, result.m, result.n_features) == ("twonorm", 40, 20)
    assert (result.algorithm, result.nu, result.tol) == (name, 0.5, 0.05)
    assert result.status == "optimal"
    assert result.exact
    assert result.certified
    assert result.gap == pytest.approx(result.bound - result.soft_margin)
    assert 1 <= result.support <= result.hypotheses <= result.rounds * (20 if name == "LEVEL" else 1)
    assert 0 <= result.oracle_seconds + result.rule_seconds <= result.seconds
    assert 0 <= result.training_error < 0.5
    assert result.hypothesis_class == SMALL.hypothesis_class()


def test_no_bound_contradicts_a_soft_margin(results):
    lowest = min(result.bound for result in results.values())
    assert all(result.soft_margin <= lowest + 1e-12 for result in results.values())


def test_a_result_is_what_the_estimator_says(results):
    data = SMALL.dataset
    clf = LPBoostClassifier(0.5, 0.05, max_depth=1, max_bins=7).fit(data.X, data.y)
    result = results["LPB"]
    assert result.soft_margin == clf.certificate_.soft_margin
    assert result.bound == clf.certificate_.bound
    assert result.rounds == clf.n_iter_
    assert result.training_error == np.mean(clf.predict(data.X) != data.y)


def test_the_callback_sees_every_round():
    records = []
    result = compared("ERLPB", SMALL, callbacks=[records.append])
    assert [record.round for record in records] == list(range(1, result.rounds + 1))


def test_out_of_time_the_gap_is_honest():
    result = compared("FW", dataclasses.replace(SMALL, tol=1e-6), time_limit=1e-9)
    assert (result.status, result.rounds) == ("time_limit", 1)
    assert result.gap > 1e-6
    assert not result.certified


def test_interrupted_the_best_so_far_is_the_result():
    def interrupt(record):
        if record.round == 3:
            raise KeyboardInterrupt

    result = compared("FW", dataclasses.replace(SMALL, tol=1e-6), callbacks=[interrupt])
    assert (result.status, result.rounds) == ("interrupted", 3)


def test_the_embedded_problems():
    problems = list(embedded_problems())
    assert [(p.dataset.name, *p.dataset.X.shape, p.nu, p.tol) for p in problems] == [
        ("wisconsin", 569, 30, 0.1, 0.01),
        ("twonorm", 200, 20, 0.3, 0.01),
        ("ringnorm", 150, 20, 0.3, 0.01),
        ("waveform", 300, 21, 0.3, 0.01),
        ("worst-case", 64, 1, 1 / 64, 0.01),
    ]
    *others, worst = embedded_problems(0.4, 0.02, 1, "all")
    assert {(p.nu, p.tol, p.learner) for p in others} == {(0.4, 0.02, BestTree(1, None))}
    assert (worst.nu, worst.tol) == (1 / 64, 0.02)
    assert tree_learner(2, 9) == BestTree(2, 9)


def test_lpboost_visits_its_whole_worst_case():
    worst = list(embedded_problems())[-1]
    assert compared("LPB", worst).rounds == 33
    assert compared("ERLPB", worst).rounds < 5


def test_a_result_is_certified_only_by_an_exact_search(results):
    result = results["LPB"]
    assert isinstance(result, ComparisonRow)
    assert not dataclasses.replace(result, exact=False).certified
    assert not dataclasses.replace(result, bound=result.soft_margin + 0.06).certified
