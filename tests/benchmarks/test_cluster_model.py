"""The cost model of a cluster finds the coefficients of costs that follow it, and is near those measured."""

import csv
from importlib import import_module

import pytest

KNOWN = {
    "a, 255 bins": 4e-9,
    "a, 63 bins": 1e-9,
    "a, categories": 2e-9,
    "1/Z": 4e-10,
    "b, numbers": 1e-9,
    "b, categories": 3e-9,
    "g, numbers": 4e-9,
    "g, categories": 7e-9,
    "c": 5e-8,
    "e": 5e-11,
    "1/S": 3e-10,
    "1/R": 1e-9,
}
SHARES = {"fill": 0.0, "features": 0.5, "roots": 1.0, "points": 0.25, "share": 0.1}


@pytest.fixture
def model():
    return import_module("cluster_model")


def lines(model):
    """Runs that cost what the coefficients say."""
    for rows, bins, categories, workers, threads, role in [
        (400_000, 255, 0, 2, 1, "fit"),
        (100_000, 255, 0, 1, 1, "fit"),
        (400_000, 63, 0, 2, 1, "fit"),
        (300_000, 63, 1, 3, 1, "fit"),
        (200_000, 63, 0, 1, 2, "threads"),
    ]:
        size = (rows, 10, bins, categories, 45 * (bins + 2) ** 2, workers, threads, 10)
        run = model.Run(role, {}, {}, *size, points=1.5, columns=rows / 2e3, questions=20.0)
        told = model.said(run, KNOWN)
        run.seconds.update({cost: sum(each.values()) for cost, each in told.items()})
        for cost, share in SHARES.items():
            by_many = run.seconds[cost] - (told["fill"]["1/Z"] if cost == "fill" else 0.0)
            run.one[cost] = run.seconds[cost] - by_many * (1.0 - share) * (1.0 - 1.0 / threads)
        yield run


def test_the_coefficients_are_found(model):
    *fit, threads = lines(model)
    found = model.fitted(fit)
    assert found == pytest.approx(KNOWN)
    assert model.alone([threads], found) == pytest.approx(SHARES, abs=1e-9)


def test_a_kind_of_run_that_was_not_measured_is_named(model):
    *_, other = lines(model)
    with pytest.raises(SystemExit, match="a run whose role is fit for 'a, 63 bins'"):
        model.said(other, {})


def test_what_was_measured_is_near_what_is_said(model):
    with open(model.TABLE, newline="") as file:
        runs = [model.Run.of(line) for line in csv.DictReader(file)]
    known = model.fitted([run for run in runs if run.role == "fit"])
    checks = [run for run in runs if run.role == "check"]
    assert len(checks) == 2
    for run in checks:
        told = sum(sum(each.values()) for each in model.said(run, known).values())
        assert told == pytest.approx(sum(run.seconds.values()), rel=0.25)


def test_the_report(model, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["cluster_model.py"])
    model.main()
    said = capsys.readouterr().out
    assert "predicted for 1,000,000,000 rows of 28 features, 255 bins, 100 workers with 16 threads" in said
