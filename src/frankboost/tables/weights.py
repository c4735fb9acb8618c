"""What each row counts: its sample weight times the factor of its class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frankboost.arrays import with_floats
from frankboost.grid import exact_sum
from frankboost.typing import Floats, Indices
from frankboost.validation import quoted

SPAN = 1e-250  # of the largest weight: what is smaller would vanish beside it, and below 1e-308 in itself
LARGE = 500  # exponents of 2 at which sums might overflow or vanish


@dataclass(frozen=True, eq=False)
class Weighing:
    """Sample weights become what rows count, in whatever parts the rows are.

    Powers of two keep sums from overflowing or vanishing, and change nothing else.
    """

    factors: Floats  # one per class
    largest: float  # sample weight as given
    most: float  # product of a sample weight and a factor, before it is scaled
    ends: tuple[float, float]  # the least and the largest that a row counts

    @classmethod
    def of(
        cls,
        class_weight: Any,
        classes: NDArray[Any],
        ends: Floats,
        totals: Callable[[], Sequence[Fraction]],
    ) -> Weighing:
        """The weighing by the least and the largest weight of each class and, if needed, their sums."""
        largest = float(ends.max())

        def scaled_totals() -> list[float]:
            # Correctly rounded: what the weights are does not depend on an order of summation.
            sums = [each / Fraction(2) ** _exponent(largest) for each in totals()]
            return [float(each) for each in (*sums, sum(sums))]

        factors = class_factors(class_weight, classes, scaled_totals)
        with np.errstate(over="ignore"):
            counted = _scaled(ends, largest) * factors[:, None]
        most = float(counted.max())
        counted = _scaled(counted, most)
        check_span(float(counted.min()), float(counted.max()))
        return cls(factors, largest, most, (float(counted.min()), float(counted.max())))

    @classmethod
    def of_rows(cls, class_weight: Any, classes: NDArray[Any], weight: Floats, code: Indices) -> Weighing:
        """The weighing of rows in this process, by their weights and the numbers of their classes."""

        def of_class(k: int) -> Floats:
            some: Floats = weight[code == k]
            return some

        ends = np.tile([weight.min(), weight.max()], (len(classes), 1))
        if ends[0, 0] < ends[0, 1]:
            ends = np.array([(of_class(k).min(), of_class(k).max()) for k in range(len(classes))])
        return cls.of(
            class_weight, classes, ends, lambda: [exact_sum(of_class(k)) for k in range(len(classes))]
        )

    def __call__(self, weight: Floats, code: Indices) -> Floats:
        """What rows count that have these weights and are of the classes of these numbers."""
        counted = _scaled(weight, self.largest)
        if bool((self.factors != 1.0).any()):
            counted = counted * self.factors[code]
        return _scaled(counted, self.most)


def _scaled(weight: Floats, largest: float) -> Floats:
    """Weights times a power of two, if the largest of all is very large or small."""
    exponent = _exponent(largest)
    return np.ldexp(weight, -exponent) if exponent else weight


def _exponent(largest: float) -> int:
    exponent = int(np.frexp(largest)[1]) if np.isfinite(largest) else 0
    return exponent if abs(exponent) >= LARGE else 0


def check_span(least: float, largest: float) -> None:
    """Raise if the smallest weights would vanish beside the largest, or these are infinite."""
    if not np.isfinite(largest):
        raise ValueError("sample_weight, times class_weight, must hold finite numbers; got inf")
    if largest == 0.0:
        raise ValueError(
            "sample_weight, times class_weight, must hold numbers > 0; got products that are all 0"
        )
    if not 0.0 < least >= SPAN * largest:
        raise ValueError(
            f"sample_weight, times class_weight: the largest must be at most {1 / SPAN:g} times the "
            f"smallest; got a smallest of {least / largest:g} times the largest"
        )


def check_weights(sample_weight: ArrayLike | None, rows: int) -> Floats:
    """One finite weight >= 0 per row, not all 0; None is 1 for each."""
    weight = check_each_weight(sample_weight, rows)
    if rows > 0 and not weight.any():
        raise ValueError("sample_weight must not be all zeros; no row would count")
    return weight


def check_each_weight(sample_weight: ArrayLike | None, rows: int) -> Floats:
    """One finite weight >= 0 per row; None is 1 for each."""
    if sample_weight is None:
        return np.ones(rows)
    try:
        weight = np.asarray(with_floats(sample_weight), dtype=np.float64)
    except OverflowError as error:
        raise ValueError(f"sample_weight must hold finite numbers >= 0: {error}") from error
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers; got {quoted(sample_weight)}") from error
    if weight.shape != (rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {rows} rows of X, "
            f"shape ({rows},); got shape {weight.shape}"
        )
    bad = weight[~(np.isfinite(weight) & (weight >= 0.0))]
    if len(bad):
        raise ValueError(f"sample_weight must hold finite numbers >= 0; got {bad[0]:g}")
    return weight


def class_factors(class_weight: Any, classes: NDArray[Any], totals: Callable[[], Sequence[float]]) -> Floats:
    """One factor per class; "balanced" gives every class the same total.

    `totals` are the weight of each class and that of all rows.
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        *of_each, whole = totals()
        if not all(of_each):
            raise ValueError(
                f"sample_weight must not span more than a factor of {1 / SPAN:g} with class_weight='balanced'"
            )
        return whole / (len(classes) * np.array(of_each))
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight must be a dict, 'balanced' or None; got {quoted(class_weight)}")
    known = classes.tolist()
    unknown = [label for label in class_weight if label not in known]
    if unknown:
        raise ValueError(f"class_weight must name classes of y, {known}; got {unknown[0]!r}")
    try:
        factors = np.array([float(class_weight.get(label, 1.0)) for label in known])
    except OverflowError as error:
        raise ValueError(f"class_weight must hold finite numbers > 0: {error}") from error
    except (TypeError, ValueError) as error:
        raise ValueError(f"class_weight must hold numbers; got {quoted(class_weight)}") from error
    if not (np.isfinite(factors) & (factors > 0.0)).all():
        raise ValueError(f"class_weight must hold finite numbers > 0; got {quoted(class_weight)}")
    return factors
