"""Thresholds for each feature, and the rows as bin codes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.arrays import module_of
from frankboost.constraints import Constraints, signs_along
from frankboost.learners.rows import Rows, column_of
from frankboost.learners.thresholds import Span, choose_thresholds, most_thresholds, with_present
from frankboost.native import MOST_CATEGORIES, MOST_THRESHOLDS
from frankboost.threads import mapped
from frankboost.typing import Floats

R = TypeVar("R")

BinEnds = tuple[Floats, Floats]
"""The least and the largest value in each bin of a feature, in some rows: inf and -inf in an empty bin."""


@dataclass(frozen=True, eq=False)
class BinnedFeatures:
    """The training set as bin codes, feature by feature.

    codes[f, i] is the number of thresholds of feature f below x_if, so that x_if <= thresholds[f][k]
    exactly if codes[f, i] <= k. A missing value has code bins[f]. The codes of a categorical feature are
    its categories; categories[f] is their number, 0 for a feature of numbers. `all_thresholds` says whether
    any two different values of a feature are in different bins.
    """

    codes: NDArray[np.uint8] | NDArray[np.int32]
    bins: NDArray[np.int32]
    missing: NDArray[np.uint8]
    thresholds: tuple[Floats, ...]
    categories: tuple[int, ...]
    all_thresholds: bool
    constraints: Constraints | None = None  # on the trees of a search over these bins

    @classmethod
    def from_rows(
        cls,
        X: Floats | Rows,
        sample_weight: Floats,
        max_bins: int | None,
        categorical: Collection[int] = (),
        thresholds: Sequence[Floats] | None = None,
        *,
        threads: int = 1,
    ) -> BinnedFeatures:
        """Bin the columns of X at given thresholds, or at up to `max_bins` per column; None: at all
        midpoints."""
        missing = _missing(X, threads)
        if thresholds is None:
            thresholds = thresholds_of(X, sample_weight, max_bins, categorical, threads=threads)
        else:
            thresholds = check_thresholds(thresholds, missing, categorical, few=max_bins is not None)
        categories = tuple(count_categories(X[:, f], f) if f in categorical else 0 for f in range(X.shape[1]))
        binned = cls._of(X, thresholds, missing, categories, few=max_bins is not None, threads=threads)
        return replace(binned, all_thresholds=all(_each_column(binned._has_one_value_per_bin, X, threads)))

    @classmethod
    def of_part(
        cls,
        X: Floats,
        thresholds: tuple[Floats, ...],
        missing: NDArray[np.bool_],
        categories: tuple[int, ...],
    ) -> tuple[BinnedFeatures, list[BinEnds]]:
        """Bin a part of the rows with the thresholds of all rows; returns also the ends of the bins."""
        part = cls._of(X, thresholds, missing, categories, few=True)
        return part, [_bin_ends(X[:, f], code, part.bins[f]) for f, code in enumerate(part.codes)]

    @classmethod
    def _of(
        cls,
        X: Floats | Rows,
        thresholds: tuple[Floats, ...],
        missing: NDArray[np.bool_],
        categories: tuple[int, ...],
        *,
        few: bool,
        threads: int = 1,
    ) -> BinnedFeatures:
        # Thresholds halfway between categories give each category its own number as its code.
        cuts: list[Floats] = [
            np.arange(0.5, n - 1) if n > 0 else t for t, n in zip(thresholds, categories, strict=True)
        ]
        codes = _each_column(lambda x, f: _codes(x, cuts[f], few=few), X, threads)
        bins = np.array([len(places) + 1 for places in cuts], dtype=np.int32)
        together = module_of(codes[0]).stack(codes)
        return cls(together, bins, missing.astype(np.uint8), thresholds, categories, False)

    def _has_one_value_per_bin(self, x: Any, f: int) -> bool:
        """Whether no bin of feature f has two values of its column x."""
        code, arrays = self.codes[f], module_of(x)
        one_value = arrays.empty(int(code.max()) + 1)
        one_value[code] = x  # any value of each bin
        return bool(((one_value[code] == x) | arrays.isnan(x)).all())

    @property
    def signs(self) -> NDArray[np.int8]:
        """The sign of each feature: 1 if no tree may fall along it, -1 if no tree may rise, else 0."""
        return np.array(signs_along(self.constraints, len(self.bins)), dtype=np.int8)

    def search(self) -> native.TreeSearch:
        """The native search over these bins."""
        categorical = np.array([n > 0 for n in self.categories], dtype=np.uint8)
        thresholds = np.concatenate(self.thresholds)
        search = native.TreeSearch(self.codes, self.bins, self.missing, categorical, thresholds)
        if self.signs.any():
            search.keep_signs(self.signs)
        if self.constraints is not None and (sets := self.constraints.sets(len(self.bins))) is not None:
            starts = np.cumsum([0, *map(len, sets)], dtype=np.int64)
            search.keep_together(starts, np.fromiter(chain.from_iterable(sets), dtype=np.int64))
        return search


def thresholds_of(
    X: Floats | Rows,
    sample_weight: Floats,
    max_bins: int | None,
    categorical: Collection[int] = (),
    *,
    threads: int = 1,
) -> tuple[Floats, ...]:
    """The thresholds of each column; none for columns of categories."""
    missing, span = _missing(X, threads), Span.of(sample_weight)

    def of(x: Any, f: int) -> Floats:
        if f in categorical:
            return np.zeros(0)
        chosen = choose_thresholds(x, sample_weight, most_thresholds(max_bins, bool(missing[f])), span)
        has_both = bool(missing[f]) and not bool(module_of(x).isnan(x).all())
        return with_present(chosen, max_bins) if has_both else chosen

    return tuple(_each_column(of, X, threads))


def _missing(X: Floats | Rows, threads: int) -> NDArray[np.bool_]:
    """Which columns have missing values."""
    if isinstance(X, Rows):
        return X.missing()
    return np.array(_each_column(lambda x, _: bool(np.isnan(x).any()), X, threads), dtype=bool)


def _each_column(work: Callable[[Any, int], R], X: Floats | Rows, threads: int) -> list[R]:
    """Call work(column, number) for each column, on several threads if the rows are NumPy arrays."""
    numbers = range(X.shape[1])
    return mapped(lambda f: work(column_of(X, f), f), numbers, 1 if isinstance(X, Rows) else threads)


def check_thresholds(
    thresholds: Sequence[Floats], missing: NDArray[np.bool_], categorical: Collection[int], *, few: bool
) -> tuple[Floats, ...]:
    """Check given thresholds against the columns of X."""
    if len(thresholds) != len(missing):
        raise ValueError(
            f"thresholds must have one array for each of the {len(missing)} columns of X; "
            f"got {len(thresholds)}"
        )
    checked = tuple(np.ascontiguousarray(each, dtype=np.float64) for each in thresholds)
    for f, each in enumerate(checked):
        most = 0 if f in categorical else MOST_THRESHOLDS - int(missing[f])
        increasing = each.ndim == 1 and bool(np.isfinite(each).all() and (each[1:] > each[:-1]).all())
        if not increasing or ((few or f in categorical) and len(each) > most):
            raise ValueError(
                f"thresholds[{f}] must hold at most {most} finite numbers in increasing order; got {each!r}"
            )
    return checked


def _codes(x: Any, places: Floats, *, few: bool) -> Any:
    """The bin of each value, the number of thresholds below it; the last bin for a missing value."""
    if isinstance(x, np.ndarray):
        return (native.bin_uint8 if few else native.bin_int32)(x, places)
    arrays = module_of(x)
    code = arrays.searchsorted(arrays.asarray(places), x)
    return arrays.where(arrays.isnan(x), len(places) + 1, code).astype(np.uint8 if few else np.int32)


def _bin_ends(x: Floats, code: NDArray[Any], bins: int) -> BinEnds:
    """The ends of the bins of a column x with these bin codes."""
    least, largest = np.full(bins, np.inf), np.full(bins, -np.inf)
    present = ~np.isnan(x)
    np.minimum.at(least, code[present], x[present])
    np.maximum.at(largest, code[present], x[present])
    return least, largest


def all_values_apart(parts: Sequence[Sequence[BinEnds]]) -> bool:
    """Whether no bin of any feature has two values, from the ends of the bins in each part of the rows."""
    return all(
        bool((np.max([top for _, top in ends], axis=0) <= np.min([low for low, _ in ends], axis=0)).all())
        for ends in zip(*parts, strict=True)
    )


def count_categories(x: Floats, feature: int) -> int:
    """The number of categories of a column, which must hold them as 0, 1, 2, ..."""
    present = x[~np.isnan(x)]
    strange = present[(present < 0.0) | (present >= MOST_CATEGORIES) | (present != np.floor(present))]
    if strange.size:
        raise ValueError(
            f"column {feature} is categorical and must hold integers in [0, {MOST_CATEGORIES}), or NaN; "
            f"got {strange[0]:g}"
        )
    return int(present.max()) + 1 if present.size else 0
