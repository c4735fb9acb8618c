"""The paper's tables: column sums against those of the printed tables, and cells that are easy to mix up."""

import math

import pytest

from studies.report.numbers import Amount, total
from studies.report.paper_numbers import PAPER


@pytest.mark.parametrize(
    ("algorithm", "seconds"),
    [
        ("LPB", Amount(902.62)),
        ("ERLPB", Amount(30372.23)),
        ("FW", Amount(72561.59, ">")),
        ("PFW", Amount(35486.08, ">")),
        ("MLPB-SS", Amount(4807.29)),
        ("MLPB-PFW", Amount(4064.91)),
    ],
)
def test_times_add_up(algorithm, seconds):
    together = total([each.time(algorithm) for each in PAPER.values()])
    assert together.sense == seconds.sense
    assert math.isclose(together.value, seconds.value)


@pytest.mark.parametrize(("algorithm", "errors"), [("LPB", 2.95), ("ERLPB", 3.45), ("MLPB-SS", 2.53)])
def test_errors_add_up(algorithm, errors):
    known = [each.errors[algorithm] for each in PAPER.values() if each.errors]
    assert len(known) == 12
    assert math.isclose(sum(known), errors)


def test_limits_are_kept_as_printed():
    assert PAPER["heart"].times["FW"] == ">10^3"
    assert PAPER["heart"].time("FW") == Amount(1000.0, ">")
    assert PAPER["waveform"].time("PFW") == Amount(10000.0, ">")
    assert PAPER["thyroid"].time("PFW") == Amount(0.35)
    assert PAPER["thyroid"].time("LEVEL") is None


def test_shapes_do_not_count_the_label():
    assert (PAPER["banana"].m, PAPER["banana"].n_features) == (5300, 2)
    assert (PAPER["splice"].m, PAPER["splice"].n_features) == (2991, 60)
    assert sum(each.m for each in PAPER.values()) == 32861


def test_waveform_has_no_errors():
    assert PAPER["waveform"].errors == {}


def test_standard_error_is_that_of_a_fifth_of_the_rows_and_of_rounding():
    expected = math.sqrt(0.1 * 0.9 / 1060 + 0.01**2 / 12)
    assert math.isclose(PAPER["banana"].error("MLPB-SS").standard_error, expected)
