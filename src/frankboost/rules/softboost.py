"""SoftBoost's rule, and TotalBoost's."""

from __future__ import annotations

from dataclasses import dataclass

from frankboost.rules.level import Level


@dataclass(frozen=True)
class SoftBoost(Level):
    """The level rule with the level always `tol` below the bound, in one phase.

    d = argmin KL(d || prior) over d in P with A_j^T d <= bound - tol for every hypothesis j (but for the
    slack and excess of `Level`). Ends after at most about 2.5 ln(m/nu) / tol^2 rounds. Where no cap can bind
    (nu of at most one example) it is TotalBoost, whose aim is the hard margin.

    References
    ----------
    Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft margin, 2007.
    Warmuth, Liao, Raetsch: Totally corrective boosting algorithms that maximize the margin, 2006.
    """

    place: float = 1.0
    shrink: float = 0.0
