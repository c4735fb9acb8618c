"""What was run, and where it departs from the paper."""

import pytest

from studies.report.protocol import describe_runs, other_work, protocol, remarks
from study_runs import NONE, NUS, by_key, failed, run, study


def test_one_run():
    assert describe_runs(by_key(run("times", "heart", "LPB"))) == (
        "1 run (times 1) on 1 data set (heart), trees of depth 2 over all thresholds, nu = 0.1; 1 algorithm: "
        "LPB. A fit stops when bound - soft margin <= 0.01, or after 20 CPU seconds. This is not the paper's "
        "protocol: nu = 0.1 instead of 0.1, 0.2, 0.3, 0.4 and 0.5."
    )


def test_many_runs():
    text = describe_runs(study())
    assert text.startswith(
        "370 runs (times 70, curves 14, cv 250, errors 22, worst-case 14) on 2 data sets (banana, heart), "
        "trees of depth 2 over all thresholds, nu = 0.1, 0.2, 0.3, 0.4 and 0.5; 7 algorithms"
    )
    assert text.endswith("or after 20 CPU seconds.")
    assert (
        "7 algorithms: LevelBoost, LPB, ERLPB, MLPB (SS only), MLPB (PFW only), MLPB (SS) and MLPB (PFW)."
        in text
    )


def test_settings_that_differ_are_all_named():
    text = describe_runs(by_key(run(), run("times", "heart", max_bins=31, time_limit=1.5, tol=0.1)))
    assert "over all thresholds or at most 31 thresholds per feature" in text
    assert "<= 0.01 and 0.1, or after 1.5 and 20 CPU seconds" in text


def test_the_worst_case_alone_has_no_trees():
    text = describe_runs(by_key(run("worst-case", "worst-case", "LPB", 1 / 64, rows=64)))
    assert text.startswith("1 run (worst-case 1); 1 algorithm: LPB.")


def test_company():
    busy = run("times", "heart", "LPB", cpu_seconds=1.0, wall_seconds=1.6)
    assert other_work(by_key(run(), busy, failed("times", "banana", "FW"))) == (
        "In 1 of 2 timed runs wall seconds were more than 1.5 times the CPU seconds: other work was going on."
    )
    assert other_work(by_key(run("cv", split=0, fold=0, wall_seconds=9.0))) == other_work(study()) == ""


def test_failures_are_counted():
    assert remarks(by_key(run(), failed("times", "banana", "FW")))[1] == (
        "1 run failed; the table of failures has the messages."
    )
    assert len(remarks(study())) == 1


def test_nothing_yet():
    assert describe_runs(NONE) == "There are no runs yet."


# Where a study departs from the paper's protocol


def timed(dataset="heart", nus=NUS, **fields):
    return by_key(*(run("times", dataset, "LEVEL", nu, **fields) for nu in nus))


def test_the_papers_own():
    assert protocol(study()) == protocol(timed()) == protocol(timed(time_limit=1.0)) == protocol(NONE) == ""


@pytest.mark.parametrize(
    ("runs", "difference"),
    [
        (timed(nus=(0.1, 0.3)), "nu = 0.1 and 0.3 instead of 0.1, 0.2, 0.3, 0.4 and 0.5"),
        (timed(max_bins=31), "at most 31 thresholds per feature instead of all"),
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


def test_the_papers_own_test():
    text = describe_runs(by_key(run(), run("times", "heart", "LPB", stopping="paper")))
    assert (
        "A fit stops when bound - soft margin <= 0.01 (LPB: bound - smoothed soft margin <= tol/2, the "
        "paper's own test), or after 20 CPU seconds." in text
    )
