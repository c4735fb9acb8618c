"""What a certificate is about: the class of hypotheses in words, the classes, the rows and their weights."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

FREE = 8  # categories of which any set may go left above another split; of more, one against the rest


@dataclass(frozen=True)
class Counts:
    """The counts of `verify` in the data.

    Attributes
    ----------
    right : int
        The rows of weight that the vote gets right.
    weighted : int
        The rows whose weight is neither 0 nor 1.
    totals : tuple of float
        The weight of all rows of the positive class, and of all other rows; of many classes in one game, that
        of each.
    thresholds : pair of int, or None
        Of the thresholds that tell rows apart, how many the class of trees has, and how many there could be;
        None if the class is not one of trees, or the rows are on a cluster.
    unused : tuple of str or int
        The features whose values differ but that no threshold splits, by name or number.
    kept : str
        What every tree was found to keep to, in words; empty if trees may do anything.
    weightless : int
        The rows of weight 0, which are not among the rows of the scope.
    """

    right: int
    weighted: int
    totals: tuple[float, ...]
    thresholds: tuple[int, int] | None = None
    unused: tuple[str | int, ...] = ()
    kept: str = ""
    weightless: int = 0


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
    classes : tuple of labels or None
        Where many classes are one game, all of them; `positive` and `negative` are None then.

    Examples
    --------
    >>> print(Scope("yes", "no", 569, weighted=False))
    class 'yes' against 'no', 569 rows of weight 1
    """

    positive: Any
    negative: Any
    rows: int
    weighted: bool
    counts: Counts | None = None
    classes: tuple[Any, ...] | None = None

    def __str__(self) -> str:
        if self.classes is None:
            rest = "the rest" if self.negative is None else _shown(self.negative)
            sides = [_shown(self.positive), rest]
            about = f"class {sides[0]} against {rest}"
        else:
            sides = [_shown(label) for label in self.classes]
            about = f"each of {len(sides)} classes against the next"
        zero = 0 if self.counts is None else self.counts.weightless
        rows = f"{self.rows} rows{'' if self.weighted else ' of weight 1'}"
        rows += f" (and {zero} of weight 0, which do not count)" if zero else ""
        return f"{about}, {rows}{f', {self._weights(sides)}' if self.weighted else ''}{self._splits()}"

    def _weights(self, sides: Sequence[str]) -> str:
        if self.counts is None:
            return "some with a weight other than 1"
        (mine, weight), *rest = zip(sides, self.counts.totals, strict=True)
        others = "".join(f", {side} {total:.6g}" for side, total in rest)
        return (
            f"{self.counts.weighted} of them with a weight other than 1 "
            f"(class {mine} weighs {weight:.6g} in all{others})"
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


def trees_text(
    max_depth: int, thresholds: Sequence[int], categories: Sequence[int], *, all_thresholds: bool, exact: bool
) -> str:
    """Trees of a depth, by the numbers of thresholds and of categories of each feature (0 of them: numbers).

    `all_thresholds`: every two neighbouring values that rows of weight have are told apart. `exact`: all
    trees are searched, as those of depth 1 and 2 always are.

    Examples
    --------
    >>> trees_text(2, [255, 3], [0, 0], all_thresholds=False, exact=True)
    'depth-2 trees over 2 features, at most 255 thresholds per feature'
    """
    features, most = len(thresholds), max(thresholds, default=0)
    splits = []
    if 0 in categories:
        some = f"at most {most} threshold{'s'[: most != 1]} per feature"
        splits.append("all thresholds" if all_thresholds else some)
    if any(categories):
        many = max_depth > 1 and max(categories) > FREE
        roots = f" (above another split one against the rest if there are more than {FREE})" if many else ""
        splits.append(f"subsets of categories{roots}")
    how = "" if exact or max_depth <= 2 else ", searched greedily above depth 2"
    over = f"{features} feature{'s'[: features != 1]}"
    return f"depth-{max_depth} trees over {over}, {' and '.join(splits) or 'none to split'}{how}"


def finite_text(count: int, kind: str = "hypotheses of a finite class") -> str:
    """The text of a finite class, such as "the 20 columns of H"."""
    return f"the {count} {kind}"


def joint_text(each: str, classes: int) -> str:
    """The text of the class of one hypothesis per class, from that of each."""
    return f"{classes} votes, one per class, of {each}"
