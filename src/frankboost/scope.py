"""What a certificate is about: the classes, the rows and their weights, and what trees may split."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Counts:
    """What `verify` counted in the data.

    Attributes
    ----------
    right : int
        The rows of weight that the vote gets right.
    weighted : int
        The rows whose weight is neither 0 nor 1.
    totals : pair of float
        The weight of all rows of the positive class, and of all other rows.
    thresholds : pair of int, or None
        Of the thresholds that tell rows apart, how many the class of trees has, and how many there could be;
        None if the class is not one of trees, or the rows are on a cluster.
    unused : tuple of str or int
        The features whose values differ but that no threshold splits, by name or number.
    """

    right: int
    weighted: int
    totals: tuple[float, float]
    thresholds: tuple[int, int] | None = None
    unused: tuple[str | int, ...] = ()


@dataclass(frozen=True)
class Scope:
    """The classes and rows that a certificate is about.

    Attributes
    ----------
    positive, negative : label
        The class that the vote is for, and the one that it is against; None: all other classes.
    rows : int
        The rows of weight.
    weighted : bool
        Whether some of them have a weight other than 1.
    counts : Counts or None
        What `verify` counted; None in the certificate of a fit.

    Examples
    --------
    >>> print(Scope("yes", "no", 569, weighted=False))
    class 'yes' against 'no', 569 rows, no weights
    """

    positive: Any
    negative: Any
    rows: int
    weighted: bool
    counts: Counts | None = None

    def __str__(self) -> str:
        mine = _shown(self.positive)
        rest = "the rest" if self.negative is None else _shown(self.negative)
        return f"class {mine} against {rest}, {self.rows} rows, {self._weights(mine, rest)}{self._splits()}"

    def _weights(self, mine: str, rest: str) -> str:
        if not self.weighted:
            return "no weights"
        if self.counts is None:
            return "some with a weight other than 1"
        of_mine, of_rest = self.counts.totals
        return (
            f"{self.counts.weighted} of them with a weight other than 1 "
            f"(class {mine} weighs {of_mine:.6g} in all, {rest} {of_rest:.6g})"
        )

    def _splits(self) -> str:
        if self.counts is None or self.counts.thresholds is None:
            return ""
        told, there = self.counts.thresholds
        text = "" if told == there else f"; {told} of the {there} thresholds that tell these rows apart"
        if self.counts.unused:
            names = ", ".join(map(_shown, self.counts.unused[:8])) + ", ..." * (len(self.counts.unused) > 8)
            text += f"; no threshold splits {names}"
        return text


def _shown(label: Any) -> str:
    """A label on one line, shortened if it is long."""
    return reprlib.repr(label) if isinstance(label, str) else str(label)
