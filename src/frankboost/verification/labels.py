"""What labels mean to a certificate: the margins of votes, and the signed weights that an edge is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.scope import joint_text
from frankboost.typing import Flags, Floats, Indices
from frankboost.verification.hypotheses import DeclaredClass, DeclaredTrees, declared_class
from frankboost.verification.proof import Votes


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

    def margins(
        self, declared: DeclaredClass, hypotheses: Sequence[Any], weights: Floats, X: Floats
    ) -> tuple[list[int], int]:
        """Integers, and the exponent of 2 that they are to be scaled by."""
        [named] = self.searched(hypotheses)
        return _votes(declared, named, weights, X).margins(self.y)

    def leads(self, votes: Sequence[Floats]) -> Floats:
        """The same of votes in units."""
        return votes[0] * self.y


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
                "distribution: claimed classes other than a row's own, found weight for its own"
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

    def margins(
        self, declared: DeclaredClass, hypotheses: Sequence[Any], weights: Floats, X: Floats
    ) -> tuple[list[int], int]:
        ones = np.ones(len(X))
        found = [_votes(declared, each, weights, X).margins(ones) for each in self.searched(hypotheses)]
        least = min(exponent for _, exponent in found)
        table = [[n << (exponent - least) for n in numbers] for numbers, exponent in found]
        leads = []
        for row, own in zip(zip(*table, strict=True), self.code.tolist(), strict=True):
            leads.append(row[own] - max(n for c, n in enumerate(row) if c != own))
        return leads, least

    def leads(self, votes: Sequence[Floats]) -> Floats:
        """The same of votes in units."""
        table = np.array(votes)
        own = table[self.code, np.arange(len(self.code))]
        table[self.code, np.arange(len(self.code))] = -np.inf
        leads: Floats = own - table.max(axis=0)
        return leads


@dataclass(frozen=True, eq=False)
class DeclaredOfEach:
    """One hypothesis of a class for each of so many classes of rows; it is asked about them one by one."""

    each: DeclaredClass
    classes: int

    def __getattr__(self, name: str) -> Any:
        """All but the text is that of the class of each."""
        if name == "each":
            raise AttributeError(name)
        return getattr(self.each, name)

    def text(self, told: Any, claimed: str) -> str:
        """What the class is called."""
        return joint_text(self.each.text(told, self._of_each(claimed)), self.classes)

    def called(self, claimed: str, *, tells_all: bool) -> str:
        """The same for trees."""
        assert isinstance(self.each, DeclaredTrees)
        return joint_text(self.each.called(self._of_each(claimed), tells_all=tells_all), self.classes)

    def _of_each(self, claimed: str) -> str:
        return claimed.removeprefix(joint_text("", self.classes))


def class_of_each(hypothesis_class: Any) -> Any:
    """The class that a model declares, or that it declares for each of many classes of rows."""
    joint = getattr(hypothesis_class, "searched_as", None) == "joint"
    return hypothesis_class.each if joint else hypothesis_class


def declared_by(hypothesis_class: Any, X: Floats, weight: Floats) -> Any:
    """The class that a model declares, which may be one for each of many classes of rows."""
    if getattr(hypothesis_class, "searched_as", None) != "joint":
        return declared_class(hypothesis_class, X, weight)
    return DeclaredOfEach(declared_class(hypothesis_class.each, X, weight), int(hypothesis_class.classes))


Labels = TwoClasses | ManyClasses


def largest_edge_of_all(
    declared: DeclaredClass, X: Floats, signed: Sequence[Floats], claimed: Fraction
) -> Fraction:
    """The sum of the largest edges; only that of a single search may be cut short at what is claimed."""
    limit = claimed if len(signed) == 1 else Fraction(0)
    return sum((declared.largest_edge(X, u, limit) for u in signed), Fraction(0))


def _votes(declared: DeclaredClass, hypotheses: dict[str, Any], weights: Floats, X: Floats) -> Votes:
    votes = Votes(len(X))
    for (name, hypothesis), weight in zip(hypotheses.items(), weights.tolist(), strict=True):
        votes.add(weight, declared.values(name, hypothesis, X))
    return votes


def labels_of(y: Floats, code: Indices, classes: Sequence[Any] | None) -> Labels:
    """What the labels of a sample mean."""
    return TwoClasses(y) if classes is None else ManyClasses(code, len(classes))
