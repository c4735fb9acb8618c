"""Where a study departs from the paper's protocol."""

import pytest

from frankboost.report.findings.protocol import protocol
from report.runs import NUS, by_key, failed, run, study


def timed(dataset="heart", nus=NUS, **fields):
    return by_key(*(run("times", dataset, "LEVEL", nu, **fields) for nu in nus))


def test_the_papers_own():
    assert protocol(study()) == protocol(timed()) == protocol(timed(time_limit=1.0)) == protocol({}) == ""


@pytest.mark.parametrize(
    ("runs", "difference"),
    [
        (timed(nus=(0.1, 0.3)), "nu = 0.1 and 0.3 instead of 0.1, 0.2, 0.3, 0.4 and 0.5"),
        (timed(max_bins=31), "at most 31 thresholds a feature instead of all"),
        (timed(tol=0.1), "tol = 0.1 instead of 0.01"),
        (timed(max_depth=3), "max_depth = 3 instead of 2"),
        (timed("twonorm", rows=200, m=200), "twonorm has 200 rows and 5 features instead of 7400 and 20"),
        (timed("odd"), "odd is not among its sets"),
    ],
)
def test_differences(runs, difference):
    assert protocol(runs) == f"This is not the paper's protocol: {difference}."


def test_all_of_them():
    text = protocol(timed(nus=(0.1,), max_bins=31) | timed("odd", nus=(0.1,)))
    assert text.count("; ") == 2


def test_what_tells_nothing_of_the_protocol():
    folds = by_key(*(run("cv", "heart", "LEVEL", nu, split=0, fold=0, m=172, m_test=44) for nu in NUS))
    assert protocol(folds) == ""  # their shape is not the set's
    assert protocol(by_key(run("errors", "heart", "LEVEL", 0.2, split=0))) == ""
    assert protocol(by_key(run("worst-case", "worst-case", "LPB", 1 / 64, rows=64))) == ""
    assert protocol(by_key(*(failed("times", "heart", "LPB", nu) for nu in NUS))) == ""
