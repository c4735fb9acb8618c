"""What the trees of a class are declared to keep to."""

from __future__ import annotations

from typing import Any

from frankboost.certificate import CertificateError
from frankboost.constraints import ALONE, LARGEST, PAIRWISE, Constraints


def declared_constraints(declared: Any, categories: tuple[int, ...]) -> Constraints | None:
    """What trees are declared to keep to, if it is what trees over these features can keep to."""
    if declared is None:
        return None
    signs, sets, features = tuple(declared.monotonic), declared.interactions, len(categories)
    fit = len(signs) in (0, features) and all(each in (-1, 0, 1) for each in signs)
    if not fit or any(sign and count for sign, count in zip(signs, categories, strict=False)):
        raise CertificateError(
            f"constraints: claimed -1, 0 or 1 for each of {features} features, found {signs}"
        )
    known = isinstance(sets, str) and sets in (PAIRWISE, ALONE)
    if sets is not None and not known:
        sets = tuple(map(tuple, sets))
        if {f for each in sets for f in each} != set(range(features)):
            raise CertificateError(f"constraints: claimed sets of all {features} features, found {sets}")
    least = float(getattr(declared, "leaf_weight", 0.0))
    if not 0.0 <= least <= LARGEST:
        raise CertificateError(f"constraints: claimed leaves of some weight, found {least}")
    return Constraints(tuple(map(int, signs)), sets, least)
