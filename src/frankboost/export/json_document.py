"""The JSON document that holds a fitted model.

Whatever changes the meaning of a document changes VERSION. All numbers are finite, but that a trace may have
the strings "nan", "inf" and "-inf".
"""

from __future__ import annotations

import math
import re
import reprlib
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from frankboost.learners.binning import MOST_CATEGORIES
from frankboost.typing import RuleName, Status

FORMAT, VERSION = "frankboost", 2
READABLE = (1, 2)  # the first version had texts for the class, which are ignored
ROUNDING = 1e-6  # of sums that should be 1, and of the ends of [-1, 1]

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
AtLeastOne = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Finite = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
Number = Finite | Literal["nan", "inf", "-inf"]
Positive = Annotated[float, Meta(gt=0.0, le=sys.float_info.max)]
Margin = Annotated[float, Meta(ge=-1.0 - ROUNDING, le=1.0 + ROUNDING)]
Shares = Annotated[list[Annotated[float, Meta(ge=0.0, le=1.0 + ROUNDING)]], Meta(min_length=1)]
Scalar = str | bool | int | Finite


class Saved(Struct, frozen=True, forbid_unknown_fields=True):
    """An object with these members and no others."""


class Leaf(Saved, frozen=True):
    """A node that votes."""

    value: Annotated[float, Meta(ge=-1.0, le=1.0)]


class Split(Saved, frozen=True, kw_only=True):
    """A node that sends x <= threshold, or these categories instead, to the node numbered left."""

    feature: Count
    threshold: Finite | UnsetType = UNSET
    categories: list[Count] | UnsetType = UNSET
    missing_left: bool
    left: Count
    right: Count


class SavedCertificate(Saved, frozen=True):
    """The promise of a fit."""

    soft_margin: Margin
    bound: Margin
    tol: Positive
    nu: Annotated[float, Meta(gt=0.0, le=1.0)]
    exact: bool
    status: Status
    hypothesis_class: str | UnsetType = UNSET  # of version 1


class SavedClass(Saved, frozen=True):
    """The class of trees that a fit declares; thresholds and categories have one entry per feature.

    What it is called follows from them, and from whether the thresholds are said to be all there can be.
    """

    max_depth: AtLeastOne
    thresholds: list[list[Finite]]
    categories: list[Annotated[int, Meta(ge=0, le=MOST_CATEGORIES)]]
    all_thresholds: bool = False
    label: str | UnsetType = UNSET  # of version 1


class SavedTrace(Saved, frozen=True):
    """The columns of a trace."""

    round: Annotated[list[Count], Meta(min_length=1)]
    seconds: list[Number]
    soft_margin: list[Number]
    smoothed: list[Number]
    bound: list[Number]
    gap: list[Number]
    hypotheses: list[Count]
    support: list[Count]
    rule: list[RuleName]
    oracle_seconds: list[Number]
    rule_seconds: list[Number]


class SavedFit(Saved, frozen=True):
    """One ensemble. A tree is a list of nodes, the root first and children after their parents."""

    certificate: SavedCertificate
    weights: Shares
    # Of Leaf and Split: a choice that msgspec makes by tags only, which nodes do not have.
    trees: Annotated[list[Annotated[list[Any], Meta(min_length=1)]], Meta(min_length=1)]
    distribution: Shares
    hypothesis_class: SavedClass
    trace: SavedTrace


class SavedClasses(Saved, frozen=True):
    """The labels and their NumPy type."""

    kind: str
    values: Annotated[list[Scalar], Meta(min_length=2)]


class SavedCategories(Saved, frozen=True):
    """The categories of a column."""

    column: Count
    values: Annotated[list[Scalar], Meta(min_length=1, max_length=MOST_CATEGORIES)]


class SavedSigmoids(Saved, frozen=True):
    """The calibration, with one entry per fit."""

    slope: list[Finite]
    intercept: list[Finite]


class SavedModel(Saved, frozen=True, kw_only=True):
    """The whole document; capped are the rows that are as heavy as they may be."""

    format: str = FORMAT
    version: int = VERSION
    library: str
    classifier: str
    parameters: dict[str, Any]
    classes: SavedClasses
    n_features_in: AtLeastOne
    feature_names_in: list[str] | None
    categories: list[SavedCategories]
    feature_importances: list[Margin]
    capped: list[Count]
    calibration: SavedSigmoids | None
    target_name: str | UnsetType = UNSET
    fits: list[SavedFit]


def wrong(where: str, allowed: str, value: Any) -> ValueError:
    """What to raise if a field is not what is allowed."""
    return ValueError(f"{where} must be {allowed}; got {reprlib.repr(value)}")


def converted(value: Any, kind: Any, where: str = "") -> Any:
    """A field as what it should be; ValueError names it, or the part of it that is wrong."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        for name, k in re.findall(r"\.(\w+)|\[(\d+)\]", path):
            value = value[name or int(k)]
        place = (where + path.rstrip("`")).removeprefix(".") or "the document"
        what = what.partition(", got")[0][:200]
        raise ValueError(f"{place}: {what}; got {reprlib.repr(value)[:200]}") from None


def check_length(where: str, values: Sequence[Any], count: int) -> None:
    """Raise unless there are as many as there should be."""
    if len(values) != count:
        raise ValueError(f"{where} must have {count} entries; got {len(values)}")


def check_increasing(where: str, values: Sequence[Any], below: float = math.inf) -> None:
    """Raise unless each is larger than the one before it, and the last below a bound."""
    array = np.array(values)
    if not (array[:-1] < array[1:]).all() or (array[-1:] >= below).any():
        raise wrong(where, "increasing" if below == math.inf else f"increasing and below {below}", values)
