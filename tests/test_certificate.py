"""A certificate prints as one line that is as true as what it stores."""

import dataclasses
import re

from frankboost import Certificate, CertificateError

CERTIFICATE = Certificate(
    soft_margin=0.1700051,
    bound=0.1799949,
    tol=0.01,
    nu=0.2,
    exact=True,
    status="optimal",
    hypothesis_class="depth-2 trees over all thresholds",
)


def test_one_line_rounded_outwards():
    text = str(CERTIFICATE)
    assert "\n" not in text
    low, high = map(float, re.search(r"soft margin (\S+) <= optimum <= (\S+)", text).groups())
    assert low <= CERTIFICATE.soft_margin
    assert high >= CERTIFICATE.bound
    assert "gap 0.00999 <= tol 0.01, optimal; nu = 0.2, depth-2 trees over all thresholds" in text


def test_an_open_gap_says_so():
    text = str(dataclasses.replace(CERTIFICATE, bound=0.3, status="time_limit"))
    assert "> tol 0.01, time_limit" in text


def test_another_vote_in_use_says_what_it_gives_up_if_anything():
    less, more = (
        str(dataclasses.replace(CERTIFICATE, in_use=each)).splitlines()[-1] for each in (0.1, 0.171)
    )
    assert less.endswith("its soft margin is 0.10000, which is 0.07001 less.")
    assert more.endswith("its soft margin is 0.17100.")


def test_a_heuristic_learner_bounds_nothing():
    text = str(dataclasses.replace(CERTIFICATE, exact=False))
    assert "<= optimum" not in text
    assert "heuristic bound" in text
    assert "optimal" not in text  # though a file may say so
    assert "<= tol 0.01, closed;" in text


def test_the_error_is_a_value_error():
    assert issubclass(CertificateError, ValueError)
