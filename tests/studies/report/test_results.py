"""When and where, in one line each."""

from study_runs import MACHINE, NONE, by_key, failed, run


def test_one_machine_one_day():
    runs = by_key(run(), failed("times", "heart"))
    assert (
        runs.machine
        == "Abacus 3000, 2 cores, 25.3 GB, Linux-6.1; frankboost 0.1.0, python 3.11.7, numpy 2.0.0"
    )
    assert runs.date == "2026-11-15"


def test_two_of_them():
    other = run("times", "heart", machine=MACHINE | {"cpu": "Slide rule"}, date="2026-11-17T01:00:00+00:00")
    runs = by_key(run(), other)
    assert runs.date == "2026-11-15 to 2026-11-17"
    assert runs.machine.startswith("Abacus 3000, ")
    assert "; also Slide rule, 2 cores" in runs.machine


def test_none():
    assert (NONE.machine, NONE.date) == ("unknown machine", "unknown date")
