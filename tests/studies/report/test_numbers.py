"""Limits are carried through sums, means and ratios as far as they go; errors are pooled with their own."""

import math

import pytest

from studies.report.numbers import Amount, geometric_mean, mean, pool_errors, total, verdict


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


# Errors over splits


def over_splits(*errors, shuffles=1):
    """Errors on splits of 100 rows, the same after each shuffle."""
    return pool_errors(errors * shuffles, [100] * len(errors) * shuffles, shuffles)


def test_binomial_where_splits_agree():
    error = over_splits(0.1, 0.1, 0.1, 0.1)
    assert math.isclose(error.mean, 0.1)
    q = 41 / 402
    assert math.isclose(error.standard_error, math.sqrt(q * (1 - q) / 400))


def test_spread_where_splits_differ():
    error = over_splits(0.1, 0.3)  # mean 0.2, standard deviation sqrt(0.02), two splits
    assert math.isclose(error.mean, 0.2)
    assert math.isclose(error.standard_error, 0.1)


def test_rows_count_once():
    assert math.isclose(pool_errors([0.0, 0.4], [30, 10], 1).mean, 0.1)


def test_one_split_has_the_binomial_one():
    q = 21 / 102
    assert math.isclose(over_splits(0.2).standard_error, math.sqrt(q * (1 - q) / 100))


def test_no_errors_at_all_are_no_certainty():
    assert math.isclose(over_splits(0.0, 0.0).standard_error, math.sqrt(1 / 202 * 201 / 202 / 200))


@pytest.mark.parametrize(
    ("difference", "word"),
    [(-0.021, "better"), (-0.02, "no worse"), (0.0, "no worse"), (0.02, "no worse"), (0.021, "worse")],
)
def test_two_standard_errors_are_still_no_worse(difference, word):
    assert verdict(difference, 0.01) == word


def test_without_a_standard_error_any_difference_counts():
    assert [verdict(difference, 0.0) for difference in (-0.1, 0.0, 0.1)] == ["better", "no worse", "worse"]


def test_rows_that_are_tested_again_are_no_new_rows():
    once, thrice = over_splits(0.1, 0.1, 0.1, 0.1), over_splits(0.1, 0.1, 0.1, 0.1, shuffles=3)
    assert math.isclose(thrice.standard_error, once.standard_error)
    # 0.1 from one shuffle; four splits taken for new would be 0.06
    assert over_splits(0.1, 0.3, shuffles=2).standard_error > 0.08
