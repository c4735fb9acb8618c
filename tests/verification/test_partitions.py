"""What partitions say adds up to what `verify` finds in all rows."""

from fractions import Fraction

import numpy as np
import pytest

from frankboost.verification.partitions import Part, soft_margin, tells_all
from frankboost.verification.rationals import UNITS, Caps


def part(margins, weight, units):
    nothing = np.zeros(0)
    sides = [margins > 0.0, margins < 0.0]
    return Part(margins, sides, weight, units, np.zeros((0, 0), dtype=np.uint16), [nothing], nothing, nothing)


@pytest.mark.parametrize(("spread", "scale"), [(3, 1), (2**30, 1), (2**52, 1), (2**53, 2)])
@pytest.mark.parametrize("nu", [0.01, 0.3, 1.0])
def test_soft_margins_and_excess(spread, scale, nu):
    rng = np.random.default_rng(spread % 97)
    margins = rng.integers(-spread, spread, 90, endpoint=True).astype(float)
    weight = rng.integers(1, 4, 90) * rng.choice([1.0, 0.1], 90)
    units = rng.integers(0, UNITS // 40, 90).astype(float)
    caps, cuts = Caps(weight, nu), [7, 50]
    parts = [part(*each) for each in zip(*(np.split(a, cuts) for a in (margins, weight, units)), strict=True)]

    def ask(method, *args):
        return [method(each, *args) for each in parts]

    room = Fraction(nu) * sum(total for _, total in ask(Part.totals))
    assert soft_margin(ask, room, scale) == caps.soft_margin([int(each) for each in margins])
    assert sum(ask(Part.excess, room)) == caps.excess(units)
    assert sum(count for count, _ in ask(Part.totals)) == int(units.sum())


def test_two_values_in_one_cell_may_lie_in_two_partitions():
    one, other = np.array([1.0, np.inf]), np.array([2.0, 5.0])
    assert tells_all([one], [np.array([1.0, -np.inf])])
    assert not tells_all([one, other], [np.array([1.0, -np.inf]), other])
