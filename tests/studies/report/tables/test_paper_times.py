"""The paper's times beside ours: ratios only where they mean something."""

import pytest

from looking import column, row
from studies.report.tables.times import paper_times
from study_runs import NUS, by_key, hit_limit, run, study


def timed(dataset, algorithm, seconds, **fields):
    return [run("times", dataset, algorithm, nu, cpu_seconds=seconds, **fields) for nu in NUS]


def test_ratios():
    cells = row(
        paper_times(by_key(*timed("heart", "LEVEL", 0.5), *timed("heart", "LPB", 2.0))), "heart", "LPB"
    )
    assert cells["ours (s)"].text == "2.000"
    assert cells["paper (s)"].text == "10.03"
    assert cells["paper / ours"].text == "5.01"  # 5.015, in binary just below
    assert cells["paper / ours"].value == pytest.approx(5.015)
    assert cells["paper / our LevelBoost"].text == "20.06"


def test_limits_on_either_side():
    runs = by_key(
        *timed("heart", "LEVEL", 0.5),
        *timed("heart", "FW", 4.0),
        *(hit_limit("times", "heart", "ERLPB", nu) for nu in NUS),
        *(hit_limit("times", "banana", "FW", nu) for nu in NUS),
    )
    table = paper_times(runs)
    theirs = row(table, "heart", "MLPB (SS only)")
    assert theirs["paper (s)"].text == ">10^3"
    assert theirs["paper / ours"].text == ">250.00"
    assert theirs["paper / our LevelBoost"].text == ">2000.00"
    ours = row(table, "heart", "ERLPB")
    assert (ours["ours (s)"].text, ours["paper / ours"].text) == (">20", "<9.68")  # 193.58 / 20 = 9.679
    both = row(table, "banana", "MLPB (SS only)")
    assert (both["paper / ours"].text, both["paper / our LevelBoost"].text) == ("-", "-")


def test_one_struck_of_five_is_no_reason_to_claim_more():
    runs = by_key(*timed("heart", "LPB", 1.0)[1:], hit_limit("times", "heart", "LPB", 0.1))
    cells = row(paper_times(runs), "heart", "LPB")
    assert cells["ours (s)"].text == ">4.800"
    assert cells["paper / ours"].text == "<2.09"  # 10.03 / ((4 * 1 + 20) / 5) = 2.0896


@pytest.mark.parametrize(
    "fields", [{"m": 200}, {"n_features": 12}, {"tol": 0.1}, {"max_bins": 31}, {"max_depth": 1}]
)
def test_another_problem_is_left_out(fields):
    other = timed("heart", "LPB", 1.0, **fields)
    assert paper_times(by_key(*other)) is None
    table = paper_times(by_key(*other, *timed("titanic", "LPB", 1.0)))
    assert set(column(table, "set")) == {"titanic", "average"}


def test_the_paper_averages_over_five_nu():
    four = timed("heart", "LPB", 1.0)[:4]
    assert paper_times(by_key(*four)) is None
    cells = row(paper_times(by_key(*four, *timed("heart", "LEVEL", 1.0))), "heart", "LPB")
    assert (cells["ours (s)"].text, cells["paper / ours"].text) == ("1.000", "-")
    assert cells["ours (s)"].note == "over 4 of 5 nu"


def test_the_caption_says_what_the_seconds_are_of():
    assert "whole process, reading the data included, ours of the fit alone" in paper_times(study()).caption


def test_averages_are_geometric_means():
    runs = by_key(*timed("titanic", "LPB", 0.25), *timed("heart", "LPB", 10.03 / 4))
    average = row(paper_times(runs), "average", "-", "-", "LPB")
    assert average["paper / ours"].text == "2.00"  # of 1 and 4
    assert average["paper / ours"].note == ""
    assert average["paper / our LevelBoost"].text == "-"


def test_averages_of_limits_on_both_sides_take_the_exact_ones():
    runs = by_key(
        *timed("titanic", "FW", 0.29),  # the paper's is 0.58
        *timed("banana", "FW", 5.0),  # > 10^4
        *(hit_limit("times", "breast-cancer", "FW", nu, m=263, n_features=9) for nu in NUS),  # ours is
    )
    average = row(paper_times(runs), "average", "-", "-", "MLPB (SS only)")
    assert average["paper / ours"].text == "2.00"
    assert average["paper / ours"].note == "over 1 of 3 sets, those without a limit"


def test_sets_that_the_paper_has_not_are_left_out():
    assert paper_times(by_key(run("times", "unheard-of"))) is None
    assert set(column(paper_times(study(("heart", "unheard-of"))), "set")) == {"heart", "average"}
