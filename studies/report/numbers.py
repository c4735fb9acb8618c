"""Numbers of which only a limit may be known, means of errors, and their texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Literal

Sense = Literal["", ">", "<"]
OPPOSITE: dict[Sense, Sense] = {"": "", ">": "<", "<": ">"}
SEVERAL = 2.0  # standard errors that count as a difference


@dataclass(frozen=True)
class Amount:
    """A number, or a lower (">") or upper ("<") limit of a number.

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
        """The text of the number; a lower limit is rounded down, and an upper limit up."""
        if self.sense == "":
            return f"{self.value:.{decimals}f}"
        scale = 10.0**decimals
        # Rounded, so that the last bit of the product does not turn 20.1 into 20.2.
        scaled = round(self.value * scale, 6)
        whole = math.floor(scaled) if self.sense == ">" else math.ceil(scaled)
        return f"{self.sense}{whole / scale:.{decimals}f}"

    def over(self, other: Amount) -> Amount | None:
        """The ratio of two positive amounts; None if it has no limit that is known."""
        senses = {self.sense, OPPOSITE[other.sense]} - {""}
        if other.value <= 0.0 or len(senses) > 1:
            return None
        return Amount(self.value / other.value, senses.pop() if senses else "")


def total(amounts: Sequence[Amount | None]) -> Amount | None:
    """The sum; None if an amount is None, if there are lower and upper limits, or if there are no amounts."""
    known = [amount for amount in amounts if amount is not None]
    senses = {amount.sense for amount in known} - {""}
    if not known or len(known) < len(amounts) or len(senses) > 1:
        return None
    return Amount(math.fsum(amount.value for amount in known), senses.pop() if senses else "")


def mean(amounts: Sequence[Amount | None]) -> Amount | None:
    """The arithmetic mean; None where `total` is."""
    together = total(amounts)
    return together and Amount(together.value / len(amounts), together.sense)


def geometric_mean(amounts: Sequence[Amount]) -> Amount | None:
    """The geometric mean; None if an amount is not positive, and where `total` is."""
    if any(amount.value <= 0.0 for amount in amounts):
        return None
    logarithm = mean([Amount(math.log(amount.value), amount.sense) for amount in amounts])
    return logarithm and Amount(math.exp(logarithm.value), logarithm.sense)


@dataclass(frozen=True)
class MeanError:
    """A mean error, and its standard error."""

    mean: float
    standard_error: float


def pool_errors(errors: Sequence[float], sizes: Sequence[int], shuffles: int) -> MeanError:
    """The mean of the errors p_1, ..., p_k on splits of n_1, ..., n_k test rows, shuffled s times.

    The mean is p = sum p_i n_i / sum n_i, in which all test rows count the same. Its standard error is the
    larger of the binomial one, sqrt(q (1 - q) / n), and that of the spread over splits, stdev(p_i) / sqrt(k /
    s). Here n = sum n_i / s is the number of different test rows, and q = (p n + 1) / (n + 2) is Laplace's
    estimate, as no errors among n rows do not mean that the error is 0.
    """
    p = math.fsum(error * size for error, size in zip(errors, sizes, strict=True)) / sum(sizes)
    n = sum(sizes) / shuffles
    q = (p * n + 1.0) / (n + 2.0)
    binomial = math.sqrt(q * (1.0 - q) / n)
    spread = stdev(errors) / math.sqrt(len(errors) / shuffles) if len(errors) > 1 else 0.0
    return MeanError(p, max(binomial, spread))


def verdict(difference: float, standard_error: float) -> str:
    """Whether an error is better, no worse or worse than another, by a difference of two standard errors."""
    if abs(difference) <= SEVERAL * standard_error + 1e-12:
        return "no worse"
    return "better" if difference < 0.0 else "worse"


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 run", "2 runs"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Words with commas: "a", "a and b", "a, b and c"."""
    *first, end = [*words] or ["none"]
    return f"{', '.join(first)} {last} {end}" if first else end
