"""The capped simplex of a part that has all rows."""

from fractions import Fraction
from functools import cached_property

import numpy as np

from frankboost.grid import exact_sum, playable_nu
from frankboost.rooms.distributions import Placed
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import LearnerSearch
from frankboost.rooms.local_parts import WholePart
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.point import place_distribution
from frankboost.rooms.questions import Number, PartsHere
from frankboost.rooms.room import Room
from frankboost.rooms.steps import soft_margin_below

SOME = Number(10**9)


class CappedSimplex:
    """The distributions that a room may play, for sample weights and nu."""

    def __init__(self, weight, nu, *, members=0, error=0.0):
        examples = Examples(None, BinaryMargins(np.ones(len(weight))), weight, members, error)
        self.part = WholePart(examples, None)
        self.parts, self.nu = PartsHere([self.part]), nu
        whole = float(exact_sum(weight))
        with np.errstate(invalid="ignore"):  # weights that are nothing beside their sum
            self.part.cap(playable_nu(nu, float(weight.min()), whole), whole)
        self.caps, self.prior, self.units = self.part._caps, self.part._prior, self.part._units

    @cached_property
    def room(self):
        return Room(self.parts, LearnerSearch(None, self.parts), nu=self.nu, tol=0.01)

    def eta(self, tol):
        """The smoothing for a tolerance."""
        self.room._cap(self.room.nu, tol)
        return self.room.eta

    def entropy_range(self):
        """L with KL(d || prior) <= L."""
        return self.room.entropy_range

    def above(self, d):
        """How much of a distribution lies above the caps."""
        return float(np.maximum(d - self.caps, 0.0).sum())

    def _at(self, margins=None, d=None):
        self.part._placed[SOME] = Placed(margins, d)
        return SOME

    def smoothed(self, margins, eta):
        """The minimum of d . margins + KL(d || prior) / eta, and where it is attained."""
        value = self.part.project(self._at(margins), eta)
        return value, self.part._placed[SOME].exact

    def snapped(self, margins, eta):
        """The same distribution on the grid."""
        self.part.project(self._at(margins), eta)
        return self.part.distribution(SOME)

    def spent(self, margins):
        """The soft margin, and the margin up to which rows count in it."""
        return self.part.soft_margin(self._at(margins))

    def soft_margin(self, margins):
        """min over d of d . margins."""
        return self.spent(margins)[0]

    def nearest(self, d):
        """The distribution on the grid next to d."""
        return self.part.distribution(place_distribution(self.room, d))

    def free(self, d, share, stride=1):
        """Rows that can move."""
        least = tuple(share * each for each in self.part.largest(self._at(d=d), stride))
        return self.part.moving(SOME, least, stride)[2]

    @property
    def excess(self):
        """How much of a distribution on the grid may lie above its caps."""
        return self.room._excess / 2.0

    def below(self, margins, nu, t=None, *, error=0.0, weight_error=0.0):
        """The soft margin of margins on the grid that can be proved, by default from the best t."""
        t = self.spent(margins)[1] if t is None else t
        whole = Fraction(nu) * self.part.weigh()[0]
        return soft_margin_below(
            self.parts, self._at(margins), t, whole, error=error, weight_error=weight_error
        )
