"""The capped simplex, the soft margin and the smoothed soft margin.

A distribution d over the examples lives in

    P = {d : 0 <= d_i <= c_i, sum d = 1},   c_i = q_i / p,

where q is the prior (sample weights that sum to 1; 1/m each without) and p = nu/m the fraction of
examples that may fall short of the margin. With equal weights this is the paper's P_nu.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.grid import CAPPED, UNITS, cap_units, magics_for, playable_nu, total, total_parts
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class CappedSimplex:
    """The distributions over the examples that the booster may play.

    Attributes
    ----------
    weight : array of shape (m,)
        The sample weights, as they were given.
    total : float
        Their sum.
    prior : array of shape (m,)
        q: where the entropy is zero; positive, sums to 1, lies in the capped simplex.
    caps : array of shape (m,)
        c: the largest weight of each example.
    nu : float
        p as a fraction of the examples, in (0, 1]; see `grid.playable_nu`.
    units : array of shape (m,)
        c on the grid, in its units: what a distribution that is asked about keeps to.
    threads : int
        To work with; no answer depends on it.
    """

    weight: Floats
    total: float
    prior: Floats
    caps: Floats
    nu: float
    units: Floats
    threads: int = 1

    @classmethod
    def from_weights(
        cls,
        sample_weight: Floats,
        nu: float,
        threads: int = 1,
        *,
        members: Indices | int = 0,
        error: float = 0.0,
    ) -> CappedSimplex:
        """The simplex for positive sample weights and nu as a fraction in (0, 1]; see `grid.cap_units`."""
        whole = total(sample_weight)
        nu = playable_nu(nu, float(sample_weight.min()), whole)
        prior = sample_weight / whole
        caps = prior / nu
        units = cap_units(caps, members, error)
        return cls(sample_weight, whole, prior=prior, caps=caps, nu=nu, units=units, threads=threads)

    @cached_property
    def excess(self) -> float:
        """How much of a distribution on the grid lies above its caps: none, unless nu is next to 1.

        A distribution of P is within twice that of it, so the bound is that much larger than the edge.
        """
        return max(1.0 - float(self.units.sum()) / UNITS, 0.0)

    def snapped(self, d: Floats) -> Floats:
        """The distribution next to `d` on the grid."""
        return native.snap(d, self.units, self.threads)

    def capped(self, d: Floats) -> Flags:
        """Which rows are as heavy as they may be; the grid keeps them a hair below their caps."""
        capped: Flags = d >= CAPPED * self.caps
        return capped

    def entropy_range(self) -> float:
        """L with KL(d || prior) <= L on P: the paper's ln(m/nu), or ln m if no cap can bind.

        KL is a mean of ln(d_i / q_i), and d_i is at most c_i and at most 1.
        """
        largest = np.minimum(self.caps, 1.0) / self.prior
        return native.log(float(largest.max()))

    def eta(self, tol: float) -> float:
        """The smoothing 2 L / tol, which keeps the smoothed soft margin within tol/2 of the true one."""
        # L = 0 (nu = m) leaves one distribution; next to it the entropy's range is too small to divide by.
        # With a tolerance below 1e-9 the exponents would drown in rounding.
        return max(2.0 * self.entropy_range() / max(tol, 1e-9), 1e-3)

    def soft_margin(self, margins: Floats) -> float:
        """min over d in P of d . margins: the mean of the worst margins, a weighted CVaR."""
        return self.spent(margins)[0]

    def spent(self, margins: Floats) -> tuple[float, float]:
        """The soft margin, and the margin up to which rows count in it."""
        return native.soft_margin(margins, self.weight, self.nu, self.total, self.threads)

    def smoothed(self, margins: Floats, eta: float) -> tuple[float, Floats]:
        """Value and distribution of min over d in P of d . margins + KL(d || prior) / eta.

        The value is the smoothed soft margin -f~*(-Aw); the distribution is its gradient with respect
        to the margins. d_i = min(c_i, q_i exp(-eta margin_i - tau)), computed in log space.
        """
        d, value = native.project(margins, self.weight, self.caps, self.nu, self.total, eta, self.threads)
        return value, d

    def free(self, d: Floats, share: float, stride: int = 1) -> NDArray[np.int64]:
        """Rows of `d` that can move, of every `stride`-th row alone.

        They are below their cap, and their density d/q or their weight d is above a share of the largest.
        """
        d, prior, caps = (each[::stride] for each in (d, self.prior, self.caps))
        least, lightest = share * (d / prior).max(), share * d.max()
        return stride * np.flatnonzero((d < CAPPED * caps) & (d > np.minimum(least * prior, lightest)))

    def nearest(self, d: Floats) -> Floats:
        """A point of P next to `d`, which may lie outside by a solver's rounding."""
        caps = np.minimum(self.caps, 1.0)  # beside larger ones the others would drown
        inside: Floats = np.clip(d, 0.0, caps)
        slack, magics = caps - inside, magics_for(min(1.0 / self.nu, len(d)), len(d))
        total, room = (sum(total_parts(each, *magics)) for each in (inside, slack))
        if total > 1.0:
            return inside / total
        return inside + slack * min((1.0 - total) / room, 1.0) if room > 0.0 else inside
