"""What the documents say of the paper's experiments is what the results say."""

import runpy
from pathlib import Path

import pytest

from studies.__main__ import main
from studies.plan import FULL, PARTS, TRIALS_OF
from studies.report.results import Outcomes
from studies.running.results import read

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "reproduction"


@pytest.fixture(scope="module")
def runs():
    return read(KEPT / "runs.jsonl")


def test_every_run_of_the_full_study_is_there(runs):
    planned = [trial for part in PARTS for trial in TRIALS_OF[part](FULL, runs)]
    assert len(planned) == 13 * 7 * 5 + 13 * 7 + 3 * 7 + 13 * 5 * 5 * 5 + 13 * (5 + 6)
    missing = [trial.key for trial in planned if trial.key not in runs or not runs[trial.key].is_of(trial)]
    assert missing == []
    assert all(outcome.done for outcome in runs.values())


def test_levelboost_closed_its_gap_in_all_65_cases(runs):
    ours = Outcomes(runs.values()).where(part="times").where(algorithm="LEVEL")
    assert len(ours) == 65
    assert all(each.closed and each.fit.certificate.gap <= 0.01 for each in ours)


def test_no_kept_time_is_of_a_run_that_had_to_wait(runs):
    timed = [outcome.fit for outcome in Outcomes(runs.values()).where(part="times")]
    assert all(fit.wall_seconds <= 1.5 * fit.cpu_seconds for fit in timed if fit.cpu_seconds > 0.1)


def test_the_kept_tables_and_figures_are_made_of_the_kept_runs(tmp_path, capsys):
    (tmp_path / "runs.jsonl").write_bytes((KEPT / "runs.jsonl").read_bytes())
    assert main(["report", "--results", str(tmp_path)]) == 0
    for kind in ("tables", "figures"):
        made = {path.name: path.read_text() for path in (tmp_path / kind).iterdir()}
        kept = {path.name: path.read_text() for path in (KEPT / kind).iterdir()}
        assert made == kept


def test_the_benchmarks_have_the_times_of_the_kept_tables():
    times = runpy.run_path(str(ROOT / "benchmarks" / "times.py"))
    assert times["table"](KEPT) in (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")


def test_the_shares_are_those_of_the_kept_times(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    fair = runpy.run_path(str(ROOT / "benchmarks" / "fair.py"))
    text = (KEPT / "README.md").read_text(encoding="utf-8")
    for table in fair["tables"](fair["recorded"](KEPT / "fair.csv")):
        assert table in text


def test_the_runs_to_their_end_are_those_of_the_text(runs):
    text = (KEPT / "README.md").read_text(encoding="utf-8")
    ended = read(KEPT / "to-the-end" / "runs.jsonl")
    assert {outcome.trial.algorithm for outcome in ended.values() if not outcome.closed} == {"FW"}
    for key, outcome in ended.items():
        trial, fit = outcome.trial, outcome.fit
        ours = runs[key.replace(f"/{trial.algorithm}/", "/LEVEL/")].fit.cpu_seconds
        unclosed = f">{trial.time_limit:g}, gap {fit.certificate.gap:.2g}"
        times = f"{fit.rounds} | {f'{fit.cpu_seconds:.3g}' if outcome.closed else unclosed} | {ours:.3g}"
        assert f"| {trial.dataset} | {trial.nu:g} | {trial.algorithm} | {times} |" in text
