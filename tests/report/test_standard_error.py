"""Which of two standard errors counts, and what they decide."""

import math

import pytest

from frankboost.report.standard_error import pooled, verdict
from report.runs import run


def over_splits(*errors, m_test=100):
    return [run("errors", split=k, test_error=error, m_test=m_test) for k, error in enumerate(errors)]


def test_binomial_where_splits_agree():
    error = pooled(over_splits(0.1, 0.1, 0.1, 0.1))
    assert math.isclose(error.mean, 0.1)
    q = 41 / 402
    assert math.isclose(error.standard_error, math.sqrt(q * (1 - q) / 400))


def test_spread_where_splits_differ():
    error = pooled(over_splits(0.1, 0.3))  # mean 0.2, standard deviation sqrt(0.02), two splits
    assert math.isclose(error.mean, 0.2)
    assert math.isclose(error.standard_error, 0.1)


def test_rows_count_once():
    first, second = (
        run("errors", split=0, test_error=0.0, m_test=30),
        run("errors", split=1, test_error=0.4, m_test=10),
    )
    assert math.isclose(pooled([first, second]).mean, 0.1)


def test_one_split_has_the_binomial_one():
    q = 21 / 102
    assert math.isclose(pooled(over_splits(0.2)).standard_error, math.sqrt(q * (1 - q) / 100))


def test_no_errors_at_all_are_no_certainty():
    assert math.isclose(pooled(over_splits(0.0, 0.0)).standard_error, math.sqrt(1 / 202 * 201 / 202 / 200))


@pytest.mark.parametrize(
    ("difference", "word"),
    [(-0.021, "better"), (-0.02, "no worse"), (0.0, "no worse"), (0.02, "no worse"), (0.021, "worse")],
)
def test_two_standard_errors_are_still_no_worse(difference, word):
    assert verdict(difference, 0.01) == word


def test_without_a_standard_error_any_difference_counts():
    assert [verdict(difference, 0.0) for difference in (-0.1, 0.0, 0.1)] == ["better", "no worse", "worse"]


def test_rows_that_are_tested_again_are_no_new_rows():
    once = over_splits(0.1, 0.1, 0.1, 0.1)
    again = [{**each, "seed": seed} for seed in range(3) for each in once]
    assert math.isclose(pooled(again).standard_error, pooled(once).standard_error)
    spread = over_splits(0.1, 0.3)
    twice = [{**each, "seed": seed} for seed in range(2) for each in spread]
    assert (
        pooled(twice).standard_error > 0.08
    )  # 0.1 from one shuffle; four splits taken for new would be 0.06
