"""The two ends of a certificate, from the data, as rational numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from frankboost.certificate import Certificate, CertificateError
from frankboost.typing import Floats
from frankboost.verification.hypotheses import DeclaredClass
from frankboost.verification.parts import Claim
from frankboost.verification.proof import Caps, Votes
from frankboost.verification.rationals import UNITS, whole_units
from frankboost.verification.sample import Sample


@dataclass(frozen=True)
class Ends:
    """What was found: the soft margin, the bound unless the class cannot be searched, and the right rows."""

    soft_margin: Fraction
    bound: Fraction | None
    right: int  # how many have a margin above 0


def ends_of(model: Claim, claim: Certificate, declared: DeclaredClass, sample: Sample) -> Ends:
    """Both ends without any rounding."""
    units = whole_units("distribution", _carried(model, sample))
    caps = Caps(sample.weight, float(claim.nu))
    hypotheses, shares = model.ensemble()
    weights = whole_units("weights", shares)
    votes = Votes(len(sample.y))
    for j, hypothesis in enumerate(hypotheses):
        votes.add(float(weights[j]), declared.values(f"hypothesis {j}", hypothesis, sample.X))
    margins, exponent = votes.margins(sample.y)
    unit = Fraction(2) ** exponent / UNITS
    bound = None
    if declared.provable:
        excess = 2 * caps.excess(units)
        claimed = (Fraction(float(claim.bound)) - excess) * UNITS
        bound = declared.largest_edge(sample.X, units * sample.y, claimed) / UNITS + excess
    return Ends(caps.soft_margin(margins) * unit, bound, sum(margin > 0 for margin in margins))


def _carried(model: Claim, sample: Sample) -> Floats:
    """The distribution on the rows that carry weight; it must be 0 elsewhere."""
    stored = model.shares(len(sample.carries))
    outside: list[Any] = stored[~sample.carries & (stored != 0.0)].tolist()
    if outside:
        raise CertificateError(f"distribution: claimed 0 on rows of weight 0, found {outside[0]!r}")
    carried: Floats = stored[sample.carries]
    return carried
