"""An estimate of the optimum for rounds in which the weak learner is not asked for a bound."""

from __future__ import annotations

import math

from frankboost.learners.base import Need
from frankboost.rooms.base import Found, Search


class OptimumEstimate:
    """Tells when a round needs a bound, and estimates the optimum where no round has asked for one.

    A search that `drives` finds nearly the best hypotheses in a fraction of the time that a bound takes. The
    estimate is the last bound asked for, or the least of the largest edges found since, if that is smaller.
    While the estimate is well above the soft margin, the game goes on as if no edge were larger than the
    estimate. Then the search is asked for a bound, which ends the game or becomes the estimate. After a round
    without a new hypothesis each round asks for a bound, until one finds a new hypothesis
    (docs/theory/trees-on-demand.md, "No bound for a while").

    Attributes
    ----------
    tol : float
        The gap at which the game ends.
    """

    def __init__(self, search: Search) -> None:
        self.tol = 0.0
        self._search = search
        self.reset()

    def reset(self, bound: float = math.inf) -> None:
        """Forget the estimate, before another game, of which this bound is known."""
        self._estimate, self._finds_new = bound, True

    def at_most(self, bound: float) -> float:
        """The estimate, or the bound if that is smaller."""
        return min(self._estimate, bound)

    def needs_no_bound(self, low: float, level: float) -> bool:
        """Whether a round with this soft margin and level has no use for a bound; False for an infinite
        level."""
        driven = self._search.drives and self._finds_new and math.isfinite(level)
        return driven and self._estimate > self._closing_bound(low)

    def need(self, known: float, low: float, level: float, bound: float, excess: float) -> Need:
        """What the round needs from the weak learner, whose edges are smaller than bounds by `excess`."""
        if level == math.inf:
            return Need()
        asked = -math.inf if self.needs_no_bound(low, level) else bound - excess
        return Need(known, asked, self._closing_bound(low) - excess)

    def learn(self, found: Found, bound: float, excess: float) -> Found:
        """Update the estimate by the result of a round, which is returned."""
        largest = float(found.edges.max()) + excess
        self._estimate = min(self._estimate, largest) if found.driven else bound
        self._finds_new = found.grew or (found.driven and self._finds_new)
        return found

    def _closing_bound(self, low: float) -> float:
        # A hair below soft margin + tol, as weights are rounded to the grid at the end.
        return low + (1.0 - 1e-6) * self.tol
