"""The ratios are what they say, worked out by hand on a few scores."""

from dataclasses import replace
from math import sqrt

import pytest

from studies.accuracy import figure, page
from studies.accuracy.summary import summary_of
from studies.report.results import Outcomes
from studies.running.outcome import Failure, Outcome, Score
from studies.running.trial import Trial

REFERENCE, RIVAL, OURS = "HistGradientBoosting()", "RandomForest()", "SoftMarginClassifier()"
MACHINE = {"cpu": "a CPU", "cores": 2, "memory": "8 GB", "os": "an OS"}


def scored(name, split, model, error, seconds=1.0):
    trial = Trial("accuracy", name, model, 0.0, split=split, train_rows=20_000, test_rows=20_000, threads=2)
    score = Score(400, 5, 100, error, 0.9, 2 * error + 0.1, seconds, 0.1, 10)
    return Outcome(trial, score, "2026-01-02T03:04:05+00:00", MACHINE, {"frankboost": "0.1.0"})


@pytest.fixture
def outcomes():
    late = replace(scored("c", 0, OURS, 0.10), result=Failure("time", "no result after 600 seconds"))
    return Outcomes([
        scored("a", 0, REFERENCE, 0.10),
        scored("a", 1, REFERENCE, 0.30),
        scored("a", 0, RIVAL, 0.05, 3.0),
        scored("a", 1, RIVAL, 0.15, 1.0),
        scored("a", 0, OURS, 0.40, 4.0),
        scored("a", 1, OURS, 0.40, 4.0),
        scored("b", 0, REFERENCE, 0.10),
        scored("b", 0, RIVAL, 0.20),
        scored("b", 0, OURS, 0.00),
        scored("c", 0, REFERENCE, 0.10),
        late,
        scored("d", 0, OURS, 0.10),
    ])  # fmt: skip


def test_ratios(outcomes):
    summary = summary_of(outcomes)
    assert set(summary.sets) == {"a", "b", "c"}  # d has nothing to be compared to
    assert [summary.count(model) for model in (REFERENCE, RIVAL, OURS)] == [3, 2, 2]
    assert summary.ratio(REFERENCE, "error") == 1
    assert summary.ratio(RIVAL, "error") == pytest.approx(sqrt(0.5 * 2))
    assert summary.ratio(OURS, "error") == pytest.approx(sqrt(2 * 0.05))  # half a mistake in 100
    assert summary.ratio(OURS, "log_loss") == pytest.approx(sqrt(0.9 / 0.5 * 0.1 / 0.3))
    assert summary.ratio(OURS, "fit_seconds") == pytest.approx(2)
    assert summary.against_best(OURS, [REFERENCE, RIVAL]) == pytest.approx(sqrt(4 * 0.05))
    assert summary.models[0] == OURS


def test_a_log_loss_that_the_rows_cannot_tell_from_another(outcomes):
    def tiny(each):
        loss = 1e-9 if each.trial.algorithm == OURS else 1e-3
        return replace(each, result=replace(each.score, log_loss=loss))

    assert summary_of(Outcomes(map(tiny, outcomes.done))).ratio(OURS, "log_loss") == 1


def test_a_contestant_without_all_splits_has_no_score(outcomes):
    summary = summary_of(Outcomes(outcomes[:3] + outcomes[4:]))
    assert set(summary.sets["a"]) == {REFERENCE, OURS}


def test_the_page_and_the_figure(outcomes, tmp_path):
    summary = summary_of(outcomes)
    text = page.text(outcomes, summary)
    assert "* 2026-01-02. a CPU, 2 cores, 8 GB, an OS; frankboost 0.1.0." in text
    assert "| a | RandomForest() | 0.1000 | 4.000 |" in text
    assert "| b | HistGradientBoosting() | 0.1000 | 0.050 |" in text
    assert "| time | no result after 600 seconds |" in text
    for name in ("one.svg", "two.svg"):
        figure.draw(summary, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_results_without_the_reference_make_no_page(outcomes, tmp_path):
    with pytest.raises(ValueError, match="no set with a result of HistGradientBoosting"):
        page.write(Outcomes(outcomes[-1:]), tmp_path)
