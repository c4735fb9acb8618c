"""The promise a fit ends with: soft margin <= optimum <= bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from frankboost.pictures import block, interval, words
from frankboost.typing import Status

CONVERGED = 1e-6  # the largest gap of which a fit may say that nothing but rounding is left of it


class CertificateError(ValueError):
    """A certificate that does not hold for the model and data it was checked against."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """What a fit proved about its ensemble.

    Attributes
    ----------
    soft_margin : float
        The soft margin that the ensemble reaches.
    bound : float
        The least best edge over the distributions that were played. No weighted vote over the hypothesis
        class has a larger soft margin, if the weak learner is exact.
    tol : float
        The gap that was asked for.
    nu : float
        The fraction of the examples that may fall short of the margin.
    exact : bool
        Whether both ends are proved: they hold as rational numbers, after all rounding. If not, the weak
        learner need not have found the hypothesis of largest edge, and `bound` is a guess.
    status : str
        "optimal" (gap <= tol), "closed" (the same of a bound that is a guess: `exact` is False),
        "converged" (an optimal basis, and what is left of the gap is rounding), "max_iter",
        "time_limit", "interrupted", "stalled", or "stopped" by a callback.
    hypothesis_class : str
        The class that the optimum refers to, in words that follow from its depth, thresholds and categories.

    Examples
    --------
    >>> print(Certificate(0.25, 0.258, 0.01, 0.2, True, "optimal", "stumps"))
    soft margin 0.25000 <= optimum <= 0.25800  (gap 0.008 <= tol 0.01, optimal; nu = 0.2, stumps)
    """

    soft_margin: float
    bound: float
    tol: float
    nu: float
    exact: bool
    status: Status
    hypothesis_class: str

    @property
    def gap(self) -> float:
        """bound - soft margin."""
        return self.bound - self.soft_margin

    def __str__(self) -> str:
        relation = "<=" if self.gap <= self.tol else ">"
        return (
            f"{self._claim()}  (gap {self.gap:.4g} {relation} tol {self.tol:g}, {self._ending()}; "
            f"nu = {self.nu:g}, {self.hypothesis_class})"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._claim()}, {self._ending()}>"

    def _repr_html_(self) -> str:
        """The interval as a picture, above what is printed."""
        return block(interval(self.soft_margin, self.bound, proved=self.exact), words(str(self)))

    def _claim(self) -> str:
        low, high = rounded(self.soft_margin, math.floor), rounded(self.bound, math.ceil)
        if self.exact:
            return f"soft margin {low} <= optimum <= {high}"
        return f"soft margin {low}, heuristic bound {high}"

    def _ending(self) -> str:
        # Files of older versions may call a guess optimal.
        return "closed" if self.status == "optimal" and not self.exact else self.status


def rounded(value: float, direction: Callable[[float], int]) -> str:
    """Five decimals, rounded down or up, so that what is printed is as true as what is stored."""
    return f"{direction(value * 1e5) / 1e5:.5f}"
