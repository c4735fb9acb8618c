"""Shapes and pairs: the terms of a vote, as plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import column_or_1d

from frankboost.arrays import equals, here
from frankboost.learners.rows import column_of
from frankboost.model import own_class
from frankboost.pictures import Printed
from frankboost.shapes.bins import Bins, codes
from frankboost.typing import Floats
from frankboost.validation import needed, quoted

MOST_SHOWN = 8  # terms in a representation
MOST_NAMED = 4  # terms in an error


@dataclass(frozen=True, eq=False, repr=False)
class Term:
    """A function of one feature (a shape) or of two features (a pair), as a table.

    Attributes
    ----------
    bins : tuple of one or two Bins
        The axes of the table.
    values : array
        The effect in each bin, or in each cell of a pair: what the term adds to the vote there. The last
        entry along each axis is for missing values.
    weights : array of the same shape
        The share of the rows in each bin or cell, by weight.
    """

    bins: tuple[Bins, ...]
    values: Floats
    weights: Floats

    def __repr__(self) -> str:
        return f"<Term {self.name}: mean absolute effect {self.importance:.3g}>"

    @property
    def name(self) -> str:
        """The names of the features, as one text."""
        return " & ".join(each.name for each in self.bins)

    @property
    def features(self) -> tuple[int, ...]:
        """The numbers of the features, in order."""
        return tuple(each.feature for each in self.bins)

    @cached_property
    def importance(self) -> float:
        """The mean absolute effect over the rows given to `shapes`, by weight."""
        return float((self.weights * np.abs(self.values)).sum())


@dataclass(frozen=True, eq=False, repr=False)
class Shapes(Printed):
    """A vote as an exact sum: the intercept, one shape per feature and one term per pair of features.

    For every row, also a new one, `intercept` and `effects` sum to `decision_function`. The terms are those
    of the functional analysis of variance for independent features, where each feature has its distribution
    over the rows. Every shape has mean 0, every pair has mean 0 along either feature, and these means make
    the terms unique. A shape is the partial dependence of the vote on its feature, minus the intercept.

    Attributes
    ----------
    label : object
        The class of a positive vote.
    intercept : float
        The mean vote for independent features.
    terms : tuple of Term
        The shapes and pairs, largest mean absolute effect first.
    to_numbers : callable
        Converts a table with the columns of the fit to numbers.
    classes : array
        All classes of the fit.

    References
    ----------
    Hooker: Generalized functional ANOVA diagnostics for high-dimensional functions of dependent variables,
    2007. Lengerich, Tan, Chang, Hooker, Caruana: Purifying interaction effects with the functional ANOVA,
    2020.
    """

    label: Any
    intercept: float
    terms: tuple[Term, ...]
    to_numbers: Callable[[Any], Any]
    classes: NDArray[Any]

    def __repr__(self) -> str:
        pairs = sum(len(term.bins) == 2 for term in self.terms)
        return f"<Shapes of the vote for {self.label}: {len(self.terms) - pairs} features, {pairs} pairs>"

    def __str__(self) -> str:
        """A table of the strongest terms and their mean absolute effects."""
        rows = [f"{term.importance:>8.4f}  {term.name}" for term in self.terms]
        left = len(rows) - MOST_SHOWN
        end = [f"{sum(term.importance for term in self.terms[MOST_SHOWN:]):>8.4f}  {left} more, together"]
        head = [f"{self.intercept:>8.4f}  intercept", f"{'effect':>8}  term"]
        return "\n".join([*head, *rows[:MOST_SHOWN], *(end if left > 0 else [])])

    def term(self, *features: str | int) -> Term:
        """The term of one feature or of two features, given by names or numbers."""
        known = [term for term in self.terms if len(term.bins) == len(features)]
        for term in known:
            # In either order, each by its name or by its number.
            for some in permutations(features):
                if all(each in (bins.name, bins.feature) for each, bins in zip(some, term.bins, strict=True)):
                    return term
        names = (tuple(bins.name for bins in each.bins) for each in known[:MOST_NAMED])
        such = f"has terms such as {' or '.join(map(str, names))}" if known else "has no such terms"
        raise ValueError(
            f"features must be those of a term: the vote for {self.label} {such}, and none of "
            f"{quoted(features)}, which no tree splits or which X does not have"
        )

    def effects(self, X: Any) -> Floats:
        """The effect of each term on each row of X, as an array of shape (m, number of terms)."""
        numbers = self.to_numbers(X)
        axes = {each.feature: each for term in self.terms for each in term.bins}
        places = {
            f: codes(here(column_of(numbers, f)), each.edges, each.categories) for f, each in axes.items()
        }
        found = np.empty((len(numbers), len(self.terms)))
        for column, term in zip(found.T, self.terms, strict=True):
            column[:] = term.values[tuple(places[f] for f in term.features)]
        return found

    def worth(self, X: Any, y: ArrayLike) -> Floats:
        """Measure how useful each term is on rows X with labels y: the covariance of effect and label.

        The label counts as 1 for rows of the class `label` and as -1 for others. The covariances of all
        terms sum to the covariance of vote and label. On rows that are not those of the fit, a term of mere
        noise has a covariance of about 0, however large its mean absolute effect is.
        """
        effects, labels = self.effects(X), column_or_1d(y)
        own_class(labels, self.classes, len(effects))  # or it raises
        sign = np.where(equals(labels, self.label), 1.0, -1.0)
        found: Floats = ((sign - sign.mean())[:, None] * effects).mean(axis=0)
        return found

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per bin or cell: term, bin, bin_2 (of a pair), value, weight."""
        pd = needed("pandas", "to_frame needs", "pandas")
        columns = ["term", "bin", "bin_2", "value", "weight"]
        return pd.DataFrame([row for term in self.terms for row in _rows(term)], columns=columns)


def _rows(term: Term) -> Iterator[tuple[str, str, str | None, float, float]]:
    cells = product(*(each.labels() for each in term.bins))
    numbers = zip(term.values.ravel().tolist(), term.weights.ravel().tolist(), strict=True)
    for (first, *second), (value, weight) in zip(cells, numbers, strict=True):
        yield term.name, first, second[0] if second else None, value, weight
