"""The ratios are what they say, worked out by hand on a few lines."""

from importlib import import_module
from math import sqrt

import pytest

REFERENCE, RIVAL, OURS = "HistGradientBoosting()", "RandomForest()", "SoftMarginClassifier()"


def line(name, split, model, error, seconds=1.0, **other):
    about = {"cpu": "a CPU", "cores": 2, "memory": "8 GB", "os": "an OS"}
    conditions = {"train_rows": 20_000, "test_rows": 20_000, "threads": 2}
    score = {"error": error, "auc": 0.9, "log_loss": 2 * error + 0.1, "fit_seconds": seconds, "trees": 10}
    rest = {"m_test": 100, "predict_seconds": 0.1, "status": "done", "date": "2026-01-02T03:04:05+00:00"}
    more = {"machine": about, "versions": {"frankboost": "0.1.0"}}
    return {"set": name, "split": split, "model": model, **conditions, **score, **rest, **more, **other}


@pytest.fixture
def lines():
    return [
        line("a", 0, REFERENCE, 0.10),
        line("a", 1, REFERENCE, 0.30),
        line("a", 0, RIVAL, 0.05, 3.0),
        line("a", 1, RIVAL, 0.15, 1.0),
        line("a", 0, OURS, 0.40, 4.0),
        line("a", 1, OURS, 0.40, 4.0),
        line("b", 0, REFERENCE, 0.10),
        line("b", 0, RIVAL, 0.20),
        line("b", 0, OURS, 0.00),
        line("c", 0, REFERENCE, 0.10),
        line("c", 0, OURS, 0.10, status="time", message="no result after 600 seconds"),
        line("d", 0, OURS, 0.10),
    ]


def test_ratios(lines):
    summary = import_module("studies.accuracy.summary").summary_of(lines)
    assert set(summary.cells) == {"a", "b", "c"}  # d has nothing to be compared to
    assert [summary.count(model) for model in (REFERENCE, RIVAL, OURS)] == [3, 2, 2]
    assert summary.ratio(REFERENCE, "error") == 1
    assert summary.ratio(RIVAL, "error") == pytest.approx(sqrt(0.5 * 2))
    assert summary.ratio(OURS, "error") == pytest.approx(sqrt(2 * 0.05))  # half a mistake in 100
    assert summary.ratio(OURS, "log_loss") == pytest.approx(sqrt(0.9 / 0.5 * 0.1 / 0.3))
    assert summary.ratio(OURS, "fit_seconds") == pytest.approx(2)
    assert summary.against_best(OURS, [REFERENCE, RIVAL]) == pytest.approx(sqrt(4 * 0.05))
    assert summary.models[0] == OURS


def test_a_log_loss_that_the_rows_cannot_tell_from_another(lines):
    summary_of = import_module("studies.accuracy.summary").summary_of
    tiny = [each | {"log_loss": 1e-9 if each["model"] == OURS else 1e-3} for each in lines]
    assert summary_of(tiny).ratio(OURS, "log_loss") == 1


def test_a_contestant_without_all_splits_has_no_cell(lines):
    summary = import_module("studies.accuracy.summary").summary_of(lines[:3] + lines[4:])
    assert set(summary.cells["a"]) == {REFERENCE, OURS}


def test_the_page_and_the_figure(lines, tmp_path):
    page = import_module("studies.accuracy.page")
    summary = import_module("studies.accuracy.summary").summary_of(lines)
    text = page.markdown(lines, summary)
    assert "* 2026-01-02. a CPU, 2 cores, 8 GB; an OS. frankboost 0.1.0." in text
    assert "| a | RandomForest() | 0.1000 | 4.000 |" in text
    assert "| b | HistGradientBoosting() | 0.1000 | 0.050 |" in text
    assert "* c, split 0, SoftMarginClassifier(): time, no result after 600 seconds" in text
    figure = import_module("studies.accuracy.figure")
    for name in ("one.svg", "two.svg"):
        figure.draw(summary, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_results_without_the_reference_make_no_page(tmp_path):
    page = import_module("studies.accuracy.page")
    (tmp_path / "results.jsonl").write_text("")
    with pytest.raises(ValueError, match="no set with a result of HistGradientBoosting"):
        page.write(tmp_path)
