"""What a run tells is what its fit did."""

import json
from dataclasses import replace

import numpy as np
import pytest

from frankboost import SoftMarginClassifier, datasets
from studies.algorithms import ALGORITHMS
from studies.fits import fit_trial, load_rows
from studies.running.curves import MOST_POINTS
from studies.running.outcome import Outcome
from studies.running.trial import Trial

TRIAL = Trial("curves", "twonorm", "LEVEL", 0.3, rows=120, split=1, max_bins=15)


def test_an_outcome_is_that_of_the_same_fit_by_hand():
    told = fit_trial(TRIAL)
    data = datasets.twonorm(120, 0)
    rows, aside = TRIAL.split_rows(data.y)
    clf = SoftMarginClassifier(0.3, 0.01, max_bins=15, n_jobs=1).fit(data.X[rows], data.y[rows])
    assert told.certificate.soft_margin == clf.certificate_.soft_margin
    assert told.certificate.bound == clf.certificate_.bound
    assert told.certificate.status == "optimal"
    assert told.rounds == clf.n_iter_
    assert told.support == len(clf.estimators_)
    assert (told.m, told.m_test, told.n_features) == (96, 24, 20)
    assert told.test_error == np.mean(clf.predict(data.X[aside]) != data.y[aside])
    assert told.training_error == np.mean(clf.predict(data.X[rows]) != data.y[rows])
    assert told.test_curve.test_error[-1] == pytest.approx(told.test_error, abs=1e-5)
    assert told.test_curve.round[-1] == told.rounds
    assert told.trace.soft_margin == pytest.approx(clf.trace_["soft_margin"], rel=1e-5)
    assert told.trace.bound == pytest.approx(clf.trace_["bound"], rel=1e-5)
    times = told.trace.cpu_seconds
    assert times == sorted(times)
    assert 0.0 < times[-1] <= told.cpu_seconds * 1.00001 <= told.process_cpu_seconds * 1.0001
    assert told.peak_memory > 0.01
    json.dumps(Outcome(TRIAL, told, "", {}, {}).to_json(), allow_nan=False)


def test_a_run_of_all_rows_has_no_test_error():
    told = fit_trial(replace(TRIAL, split=None))
    assert (told.m, told.m_test, told.test_error, told.test_curve) == (120, 0, None, None)


def test_a_fold_is_told_without_its_curves():
    told = fit_trial(replace(TRIAL, fold=2))
    assert told.m + told.m_test == 96
    assert told.trace is None
    assert told.test_curve is None
    assert 0.0 <= told.test_error < 0.5


def test_the_limit_is_one_of_cpu_seconds():
    told = fit_trial(replace(TRIAL, algorithm="FW", time_limit=0.3, split=None))
    assert told.certificate.status == "time_limit"
    assert 0.3 <= told.cpu_seconds < 3.0
    assert len(told.trace.round) <= MOST_POINTS
    assert told.trace.round[0] == 1
    assert told.trace.round[-1] == told.rounds > MOST_POINTS


def test_secondary_updates_are_counted():
    told = fit_trial(replace(TRIAL, algorithm="MLPB-SS", split=None))
    counts = told.trace.secondary
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= told.rounds
    assert fit_trial(replace(TRIAL, algorithm="FW", time_limit=0.1)).trace.secondary[-1] == 0


@pytest.mark.parametrize(
    ("dataset", "rows", "shape"),
    [
        ("ringnorm", 50, (50, 20)),
        ("waveform", 40, (40, 21)),
        ("wisconsin", 569, (569, 30)),
        ("worst-case", 32, (32, 1)),
    ],
)
def test_problems_that_need_no_file(dataset, rows, shape):
    assert load_rows(replace(TRIAL, dataset=dataset, rows=rows), None).X.shape == shape


def test_sets_of_the_collection_come_from_the_folder(tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    rows = np.arange(30)
    np.savez(tmp_path / "banana.npz", X=X, y=y, full_ix=rows, train=rows[None, :20])
    told = fit_trial(replace(TRIAL, dataset="banana", rows=None, split=None), tmp_path)
    assert (told.m, told.n_features) == (30, 2)
    assert told.certificate.soft_margin > 0.99


@pytest.mark.parametrize("algorithm", ["LPB", "ERLPB", "MLPB-SS"])
def test_the_papers_own_test_comes_later(algorithm):
    trial = Trial("times", "twonorm", algorithm, 0.5, rows=60, tol=0.05, max_bins=15)
    ours, paper = (fit_trial(replace(trial, stopping=stopping)) for stopping in ("gap", "paper"))
    assert ours.certificate.status == paper.certificate.status == "optimal"
    assert paper.rounds >= ours.rounds + (algorithm != "ERLPB")
    assert paper.certificate.gap <= ours.certificate.gap <= 0.05


@pytest.fixture(scope="module")
def told():
    trial = Trial("compare", "twonorm", "", 0.5, rows=40, seed=3, tol=0.05, max_depth=1, max_bins=7)
    return {name: fit_trial(replace(trial, algorithm=name)) for name in ALGORITHMS}


def test_no_bound_contradicts_a_soft_margin(told):
    lowest = min(fit.certificate.bound for fit in told.values())
    assert all(fit.certificate.soft_margin <= lowest + 1e-12 for fit in told.values())
    assert {fit.certificate.status for fit in told.values()} == {"optimal"}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_a_fit_did_adds_up(told, name):
    fit = told[name]
    assert 1 <= fit.support <= fit.hypotheses <= fit.rounds * (20 if name == "LEVEL" else 1)
    assert 0 < fit.oracle_seconds + fit.rule_seconds <= fit.wall_seconds * 1.00001


def test_lpboost_visits_its_whole_worst_case():
    worst = Trial("worst-case", "worst-case", "LPB", 1 / 64, rows=64)
    assert fit_trial(worst).rounds == 33
    assert fit_trial(replace(worst, algorithm="ERLPB")).rounds < 5
