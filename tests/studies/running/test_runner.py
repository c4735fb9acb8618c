"""A study loses nothing that finished, repeats nothing that finished, and records what failed."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from studies.fits import fit_trial
from studies.running.outcome import Failure
from studies.running.results import open_results, read
from studies.running.runner import run_missing
from studies.running.trial import Trial

TRIAL = Trial("times", "twonorm", "LEVEL", 0.5, rows=60, max_bins=7, time_limit=5.0)
MANY = [replace(TRIAL, part="cv", nu=nu, split=0, fold=fold) for nu in (0.3, 0.5) for fold in range(5)]


class Watch:
    """Takes notes of a study."""

    def __init__(self, on_call=lambda: None):
        self.todo, self.most, self.processes = None, 0, []
        self._on_call = on_call

    def __call__(self, study):
        if self.todo is None:
            self.todo, self.finished = list(study.waiting), study.before
        self.most = max(self.most, len(study.running))
        self.running = [each.trial for each in study.running]
        self.processes = [each.process for each in study.running]
        self.results = [outcome for outcome, _ in study.ended]
        self._on_call()


@pytest.fixture
def study(tmp_path):
    def run(runs, watch=None, **settings):
        watch = watch or Watch()
        with open_results(tmp_path / "runs.jsonl") as file:
            run_missing(runs, file, watch, fit_trial, **settings)
        return watch

    run.path = tmp_path / "runs.jsonl"
    return run


def test_what_is_finished_is_not_repeated(study):
    assert len(study(MANY[:4]).results) == 4
    watch = study(MANY)
    assert [run.key for run in watch.todo] == [run.key for run in MANY[4:]]
    assert watch.finished == 4
    assert study(MANY).todo == []
    lines = [json.loads(line) for line in study.path.read_text().splitlines()]
    assert [line["key"] for line in lines] == [run.key for run in MANY]
    assert all(line["status"] == "done" and line["certificate"]["status"] == "optimal" for line in lines)
    assert lines[0]["machine"]["cores"] >= 1
    assert "numpy" in lines[0]["versions"]
    assert lines[0]["date"].startswith("20")


def test_side_by_side_gives_the_same_results(study, tmp_path):
    watch = study(MANY, jobs=3)
    assert 1 < watch.most <= 3
    side_by_side = read(study.path)
    study.path.unlink()
    study(MANY)
    alone = read(study.path)
    for run in MANY:
        for name in ("certificate", "test_error", "rounds", "support"):
            assert getattr(side_by_side[run.key].fit, name) == getattr(alone[run.key].fit, name)


def test_what_is_timed_runs_alone(study):
    class Alone(Watch):
        def __call__(self, study):
            super().__call__(study)
            assert len(self.running) < 2 or not any(trial.timed for trial in self.running)

    timed = [replace(TRIAL, nu=nu) for nu in (0.3, 0.4, 0.5)]
    study([MANY[0], timed[0], *MANY[1:4], timed[1], timed[2], *MANY[4:]], Alone(), jobs=3)
    assert len(read(study.path)) == 13


def test_an_error_is_a_failure_and_repeated_on_request(study, tmp_path):
    broken = replace(TRIAL, dataset="banana", rows=None)
    (result,) = study([broken], folder=tmp_path).results
    assert not result.done
    assert result.failure.kind == "error"
    assert result.failure.message.startswith("FileNotFoundError: the data set 'banana' is not here")
    assert study([broken], folder=tmp_path).todo == []
    assert len(study([broken], folder=tmp_path, repeat=failed).results) == 1
    assert study([TRIAL], repeat=failed).results[0].done
    assert study([TRIAL], repeat=failed).todo == []


def test_too_little_memory_is_a_failure(study):
    big = replace(TRIAL, rows=400_000, max_bins=None, memory_limit=0.5)
    (result,) = study([big, TRIAL]).results[:1]
    assert not result.done
    assert result.failure == Failure("memory", "more than 0.5 GB")
    assert read(study.path)[TRIAL.key].done


def test_a_process_that_dies_is_a_failure(study):
    watch = Watch(lambda: send(watch, signal.SIGKILL))
    (result,) = study([replace(TRIAL, algorithm="FW", tol=1e-6)], watch).results
    assert result.failure == Failure("crash", "ended by SIGKILL")


def test_a_process_that_waits_too_long_has_not_struck_its_limit(study, monkeypatch):
    monkeypatch.setattr("studies.running.trial.PATIENCE", -15.0)
    slow = replace(TRIAL, algorithm="FW", tol=1e-6, time_limit=4.0)
    watch = Watch(lambda: send(watch, signal.SIGSTOP))
    (result,) = study([slow], watch).results
    assert result.failure == Failure("hung", "no result after 0 seconds by the wall clock")


def test_a_limit_by_the_wall_clock(study):
    watch = Watch(lambda: send(watch, signal.SIGSTOP))
    (result,) = study([replace(TRIAL, time_limit=0.001, clock="wall")], watch).results
    assert result.failure == Failure("time", "no result after 0.001 seconds by the wall clock")


def test_a_fit_is_charged_for_its_own_work_alone(study):
    (result,) = study([TRIAL]).results
    assert result.fit.cpu_seconds <= 1.1 * result.fit.wall_seconds + 0.02


def test_an_interrupt_loses_only_what_is_running(study):
    slow = replace(TRIAL, algorithm="FW", tol=1e-6, time_limit=60.0)
    watch = Watch()

    def interrupt():
        if [run.key for run in watch.running] == [slow.key]:
            raise KeyboardInterrupt

    watch._on_call = interrupt
    with pytest.raises(KeyboardInterrupt):
        study([TRIAL, slow], watch)
    assert list(read(study.path)) == [TRIAL.key]
    (process,) = watch.processes
    assert not process.is_alive()


def test_killed_three_times_every_run_is_there_exactly_once(tmp_path):
    command = [sys.executable, "-m", "studies", "paper", "--parts", "cv,errors,worst-case", "--jobs", "2"]
    command += ["--datasets", "twonorm", "--algorithms", "LEVEL,LPB", "--out", str(tmp_path)]
    path = tmp_path / "runs.jsonl"
    workers = set()
    for kill_after in (3, 14, 25):
        study = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while lines(path) < kill_after and study.poll() is None:
            workers |= descendants(study.pid)
            time.sleep(0.05)
        workers |= descendants(study.pid)
        study.kill()
        assert study.wait() == -signal.SIGKILL
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{lines(path)} results in {path}" in done.stdout
    keys = [json.loads(line)["key"] for line in path.read_text().splitlines()]
    # 2 splits x 2 nus x 5 folds; LevelBoost on both splits and LPBoost on one; both on the worst case.
    assert len(keys) == len(set(keys)) == 20 + 3 + 2
    deadline = time.monotonic() + 20.0
    while any(alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(alive(pid) for pid in workers), "processes of a killed study go on"


def failed(outcome):
    return not outcome.done


def send(watch, sign):
    """A signal to every process that the study is running, and to no other child of this one."""
    for process in watch.processes:
        os.kill(process.pid, sign)


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def descendants(pid):
    """The processes that a process has started, and theirs."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    parent = {int(line.split()[0]): int(line.split()[1]) for line in listed.splitlines()}
    found, layer = set(), {pid}
    while layer:
        layer = {child for child, its in parent.items() if its in layer}
        found |= layer
    return found


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_round_that_does_not_end_is_ended():
    code = """
import threading
from multiprocessing import Pipe
from studies.running.runner import _watch
ours, theirs = Pipe()
threading.Thread(target=_watch, args=(theirs, 0.1), daemon=True).start()
while True: pass
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 124
