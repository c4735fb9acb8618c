"""Limits are carried through sums, means and ratios as far as they go."""

import math

import pytest

from frankboost.report.amount import Amount, geometric_mean, mean, total


@pytest.mark.parametrize(
    ("a", "b", "sense"),
    [
        ("", "", ""),
        (">", "", ">"),
        ("<", "", "<"),
        ("", ">", "<"),
        ("", "<", ">"),
        (">", "<", ">"),
        ("<", ">", "<"),
    ],
)
def test_a_ratio_knows_on_which_side_the_truth_is(a, b, sense):
    assert Amount(6.0, a).over(Amount(2.0, b)) == Amount(3.0, sense)


@pytest.mark.parametrize("sense", [">", "<"])
def test_nothing_can_be_said_of_a_ratio_of_two_limits_of_a_kind(sense):
    assert Amount(6.0, sense).over(Amount(2.0, sense)) is None


def test_nothing_is_divided_by_zero():
    assert Amount(6.0).over(Amount(0.0)) is None


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Amount(2.345), "2.35"),  # 2.345 lies just above in binary
        (Amount(6.669, ">"), ">6.66"),
        (Amount(6.661, "<"), "<6.67"),
        (Amount(20.1, ">"), ">20.10"),
        (Amount(20.1, "<"), "<20.10"),
        (Amount(0.29, ">"), ">0.29"),  # 100 * 0.29 is less than 29
        (Amount(1e4, ">"), ">10000.00"),
    ],
)
def test_rounding_keeps_a_limit_true(amount, text):
    assert amount.text(2) == text


def test_sums_and_means():
    assert total([Amount(1.0), Amount(20.0, ">")]) == Amount(21.0, ">")
    assert mean([Amount(1.0), Amount(20.0, ">"), Amount(3.0)]) == Amount(8.0, ">")
    assert total([Amount(1.0, "<"), Amount(20.0, ">")]) is None
    assert total([]) is mean([]) is geometric_mean([]) is None


def test_geometric_means():
    average = geometric_mean([Amount(2.0), Amount(8.0, ">")])
    assert average.sense == ">"
    assert math.isclose(average.value, 4.0)
    assert geometric_mean([Amount(2.0, "<"), Amount(8.0, ">")]) is None
    assert geometric_mean([Amount(0.0), Amount(8.0)]) is None
