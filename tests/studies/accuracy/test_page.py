"""The ratios are what they say, worked out by hand on a few scores."""

from dataclasses import replace
from math import isnan, sqrt

import pytest

from studies.accuracy import page
from studies.accuracy.page import mean_scores, overview
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
    means = mean_scores(outcomes)
    assert set(means.index.get_level_values("set")) == {"a", "b", "c"}  # d has nothing to be compared to
    table = overview(means)
    assert table["sets"].to_dict() == {REFERENCE: 3, RIVAL: 2, OURS: 2}
    assert table.loc[REFERENCE, "test_error"] == 1
    assert table.loc[RIVAL, "test_error"] == pytest.approx(sqrt(0.5 * 2))
    ours = table.loc[OURS]
    assert ours["test_error"] == pytest.approx(sqrt(2 * 0.05))  # half a mistake in 100
    assert ours["log_loss"] == pytest.approx(sqrt(0.9 / 0.5 * 0.1 / 0.3))
    assert ours["fit_seconds"] == pytest.approx(2)
    assert ours["best_rival"] == ours["best_default"] == pytest.approx(sqrt(4 * 0.05))
    assert (ours["auc"], ours["trees"]) == (pytest.approx(0.9), 10)
    assert table.index[0] == OURS


def test_a_log_loss_that_the_rows_cannot_tell_from_another(outcomes):
    def tiny(each):
        loss = 1e-9 if each.trial.algorithm == OURS else 1e-3
        return replace(each, result=replace(each.score, log_loss=loss))

    table = overview(mean_scores(Outcomes(map(tiny, outcomes.done))))
    assert table.loc[OURS, "log_loss"] == pytest.approx(1)


def test_a_contestant_without_all_splits_has_no_mean(outcomes):
    means = mean_scores(Outcomes(outcomes[:3] + outcomes[4:]))
    assert set(means.loc["a"].index) == {REFERENCE, OURS}


def test_what_is_not_made_of_trees_has_no_number_of_them(outcomes):
    def treeless(each):
        none = replace(each, result=replace(each.result, trees=None)) if each.done else each
        return none if each.trial.algorithm == RIVAL else each

    table = overview(mean_scores(Outcomes(map(treeless, outcomes))))
    assert isnan(table.loc[RIVAL, "trees"])
    assert table.loc[OURS, "trees"] == 10


def test_the_page_and_the_figure(outcomes, tmp_path):
    page.write(outcomes, tmp_path)
    text = (tmp_path / "accuracy.md").read_text()
    assert "* 2026-01-02. a CPU, 2 cores, 8 GB, an OS; frankboost 0.1.0." in text
    assert f"| {OURS} | 2 | 0.316 | 0.447 | 0.447 | 0.775 | 2.000 | 1.000 | 0.9000 | 10 |" in text
    assert "| a | RandomForest() | 0.1000 | 4.000 |" in text
    assert "| b | HistGradientBoosting() | 0.1000 | 0.050 |" in text
    assert "| c | - | 0.1000 | - |" in text
    assert "| time | no result after 600 seconds |" in text
    drawn = (tmp_path / "accuracy.svg").read_bytes()
    page.write(outcomes, tmp_path)
    assert (tmp_path / "accuracy.svg").read_bytes() == drawn
    assert OURS.encode() in drawn


def test_results_without_the_reference_make_no_page(outcomes, tmp_path):
    with pytest.raises(ValueError, match="no set with a result of HistGradientBoosting"):
        page.write(Outcomes(outcomes[-1:]), tmp_path)
