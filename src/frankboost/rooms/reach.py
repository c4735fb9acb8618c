"""An estimate of the optimum for rounds in which no bound is asked for."""

from __future__ import annotations

import math

from frankboost.learners.base import Need
from frankboost.rooms.base import Found, Search


class Reach:
    """The least of the largest edges that were found since a bound was asked for, and that bound.

    A search that `drives` finds nearly the best hypotheses at a fraction of the time that a bound takes.
    While the estimate is well above the soft margin, the game is played as if no edge were larger; then the
    search is asked for a bound. It ends the game, or the estimate is the bound again; and if nothing new was
    found, a bound is asked for until something is (docs/theory/trees-on-demand.md, "No bound for a while").
    """

    def __init__(self, search: Search) -> None:
        self.goal = 0.0  # the gap at which the game will be over
        self._search = search
        self._estimate, self._fresh = math.inf, True

    def close(self, low: float) -> float:
        """A bound that ends the game; slightly lower, as weights are rounded to the grid."""
        return low + (1.0 - 1e-6) * self.goal

    def below(self, bound: float) -> float:
        """The smaller one of estimate and bound."""
        return min(self._estimate, bound)

    def is_above(self, low: float, level: float) -> bool:
        """Whether a bound is of no use yet to a rule with such a level; without a finite one it always is."""
        driven = self._search.drives and self._fresh and math.isfinite(level)
        return driven and self._estimate > self.close(low)

    def need(self, known: float, low: float, level: float, bound: float, excess: float) -> Need:
        """What an answer is for, of bounds that are larger than what is searched for by an excess."""
        if level == math.inf:
            return Need()
        asked = -math.inf if self.is_above(low, level) else bound - excess
        return Need(known, asked, self.close(low) - excess)

    def learn(self, found: Found, bound: float, excess: float) -> Found:
        """Take in what a round found."""
        largest = float(found.edges.max()) + excess
        self._estimate = min(self._estimate, largest) if found.driven else bound
        self._fresh = found.grew or (found.driven and self._fresh)
        return found

    def forget(self) -> None:
        """Begin another game."""
        self._estimate, self._fresh = math.inf, True
