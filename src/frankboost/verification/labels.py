"""What labels mean to a certificate: the margins of votes, and the signed weights that an edge is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.scope import joint_text
from frankboost.typing import AnyArray, Flags, Floats, Indices
from frankboost.verification.hypotheses import DeclaredClass
from frankboost.verification.parts import Claim
from frankboost.verification.rationals import exact_votes


@dataclass(frozen=True, eq=False)
class TwoClasses:
    """The margin of a row is y times the vote, and u_i = D_i y_i."""

    y: Floats
    scale = 1  # of votes and edges

    @property
    def sides(self) -> list[Flags]:
        """The rows of either class."""
        return [self.y > 0.0, self.y < 0.0]

    def masses(self, units: Floats) -> Floats:
        """The units of each row."""
        return units

    def signed(self, units: Floats) -> list[Floats]:
        """What hypotheses of the class are searched for; the largest edges add up."""
        return [units * self.y]

    def searched(self, hypotheses: Sequence[Any]) -> list[dict[str, Any]]:
        """The hypotheses of each search, by their names."""
        return [{f"hypothesis {j}": each for j, each in enumerate(hypotheses)}]

    def leads(self, votes: Sequence[AnyArray]) -> AnyArray:
        """The margins of votes, whole numbers of any type."""
        return votes[0] * self.y.astype(np.int64)


@dataclass(frozen=True, eq=False)
class ManyClasses:
    """The margin of a row is half the lead of its own class's vote over the next.

    u of a class is the mass of the class's own rows, and minus the units that other rows have for it.
    """

    code: Indices
    classes: int
    scale = 2

    @property
    def sides(self) -> list[Flags]:
        """The rows of each class."""
        return [self.code == c for c in range(self.classes)]

    def masses(self, units: Floats) -> Floats:
        """The units of each row; for its own class it has none."""
        if units[np.arange(len(units)), self.code].any():
            raise CertificateError(
                "y: claimed the labels of the fit, found weight of the distribution for a row's own class"
            )
        masses: Floats = units.sum(axis=1)
        return masses

    def signed(self, units: Floats) -> list[Floats]:
        """One vector per class."""
        masses = units.sum(axis=1)
        return [np.where(self.code == c, masses, -units[:, c]) for c in range(self.classes)]

    def searched(self, hypotheses: Sequence[Any]) -> list[dict[str, Any]]:
        """The hypotheses of each search, by their names."""
        for j, each in enumerate(hypotheses):
            if len(getattr(each, "members", ())) != self.classes:
                raise CertificateError(f"hypothesis {j}: claimed one for each class, found {each!r}")
        return [
            {f"hypothesis {j}, class {c}": each.members[c] for j, each in enumerate(hypotheses)}
            for c in range(self.classes)
        ]

    def leads(self, votes: Sequence[AnyArray]) -> AnyArray:
        """The margins of votes, whole numbers of any type."""
        table, rows = np.array(votes), np.arange(len(self.code))
        own = table[self.code, rows]
        table[self.code, rows] = -np.inf
        leads: AnyArray = own - table.max(axis=0)
        return leads


def class_of_each(hypothesis_class: Any) -> Any:
    """The class that a model declares, or that it declares for each of many classes of rows."""
    joint = getattr(hypothesis_class, "searched_as", None) == "joint"
    return hypothesis_class.each if joint else hypothesis_class


Labels = TwoClasses | ManyClasses


def labels_of(claim: Claim, code: Indices) -> Labels:
    """What the numbers of classes mean to a claim."""
    if claim.number is None:
        return ManyClasses(code, claim.classes)
    return TwoClasses(np.where(code == claim.number, 1.0, -1.0))


def class_text(declared: DeclaredClass, claimed: str, classes: int, *, tells_all: bool) -> str:
    """What a class is called, or its choice for each of many classes of rows."""
    if classes == 2:
        return declared.text(claimed, tells_all=tells_all)
    each = claimed.removeprefix(joint_text("", classes))
    return joint_text(declared.text(each, tells_all=tells_all), classes)


def largest_edge_of_all(
    declared: DeclaredClass, X: Floats, signed: Sequence[Floats], claimed: Fraction
) -> Fraction:
    """The sum of the largest edges; only that of a single search may be cut short at what is claimed."""
    limit = claimed if len(signed) == 1 else Fraction(0)
    return sum((declared.largest_edge(X, u, limit) for u in signed), Fraction(0))


def margins_of(
    labels: Labels, declared: DeclaredClass, hypotheses: Sequence[Any], weights: Floats, X: Floats
) -> tuple[list[int], int]:
    """Margins as integers, and the exponent of 2 that they are to be scaled by."""
    found = []
    for named in labels.searched(hypotheses):
        columns = (declared.values(name, each, X) for name, each in named.items())
        found.append(exact_votes(zip(weights.tolist(), columns, strict=True), len(X)))
    least = min(exponent for _, exponent in found)
    scaled = [np.array([n << (exponent - least) for n in sums], dtype=object) for sums, exponent in found]
    return labels.leads(scaled).tolist(), least
