"""Numbers of which only a limit may be known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Sense = Literal["", ">", "<"]
OPPOSITE: dict[Sense, Sense] = {"": "", ">": "<", "<": ">"}


@dataclass(frozen=True)
class Amount:
    """A number; with a sense only that the true one is above (">") or below ("<") it.

    Examples
    --------
    >>> print(Amount(20.0, ">").over(Amount(3.0)).text(2))
    >6.66
    >>> Amount(20.0, ">").over(Amount(30.0, ">")) is None
    True
    """

    value: float
    sense: Sense = ""

    def text(self, decimals: int) -> str:
        """Rounded so that what is shown stays true: a lower limit down, an upper one up."""
        if self.sense == "":
            return f"{self.value:.{decimals}f}"
        scale = 10.0**decimals
        # A number such as 20.1 must not turn into 20.2 by the last bit of a product.
        scaled = round(self.value * scale, 6)
        whole = math.floor(scaled) if self.sense == ">" else math.ceil(scaled)
        return f"{self.sense}{whole / scale:.{decimals}f}"

    def over(self, other: Amount) -> Amount | None:
        """The ratio of two positive amounts; None if nothing can be said of it."""
        senses = {self.sense, OPPOSITE[other.sense]} - {""}
        if other.value <= 0.0 or len(senses) > 1:
            return None
        return Amount(self.value / other.value, senses.pop() if senses else "")


def total(amounts: Sequence[Amount]) -> Amount | None:
    """The sum; None if it has lower and upper limits, or nothing to add."""
    senses = {amount.sense for amount in amounts} - {""}
    if not amounts or len(senses) > 1:
        return None
    return Amount(math.fsum(amount.value for amount in amounts), senses.pop() if senses else "")


def mean(amounts: Sequence[Amount]) -> Amount | None:
    """The arithmetic mean, as far as it is known."""
    together = total(amounts)
    return together and Amount(together.value / len(amounts), together.sense)


def geometric_mean(amounts: Sequence[Amount]) -> Amount | None:
    """exp of the mean logarithm, as far as it is known."""
    if any(amount.value <= 0.0 for amount in amounts):
        return None
    logarithm = mean([Amount(math.log(amount.value), amount.sense) for amount in amounts])
    return logarithm and Amount(math.exp(logarithm.value), logarithm.sense)
