"""The labels of a model in a JSON document."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from frankboost.export.json_fields import Finite, Saved, Scalar, converted, wrong

MOST_CHARACTERS = 50_000_000  # of labels, which NumPy makes as long as the longest of them
LONGEST = 100  # of labels that NumPy makes as long, in every row of a prediction, too

# What the labels of each type of NumPy are in JSON.
KINDS: dict[str, Any] = {
    **dict.fromkeys(("str", "object"), list[str]),
    "bool": list[bool],
    **dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), list[int]),
    **dict.fromkeys(("float16", "float32", "float64"), list[Finite]),
}


class SavedClasses(Saved, frozen=True):
    """The labels and their NumPy type."""

    kind: str
    values: Annotated[list[Scalar], Meta(min_length=2)]


def classes_of(labels: NDArray[Any]) -> dict[str, Any]:
    """Labels as the members of SavedClasses."""
    return {"kind": {"U": "str", "O": "object"}.get(labels.dtype.kind, labels.dtype.name), "values": labels}


def read_classes(classes: SavedClasses) -> NDArray[Any]:
    """Labels of their type: distinct, sorted, and not changed by it."""
    kind = classes.kind
    if kind not in KINDS:
        raise wrong("classes.kind", f"one of {', '.join(KINDS)}", kind)
    values = converted(classes.values, KINDS[kind], "classes.values")
    longest = max(map(len, values)) if kind == "str" else 0
    if len(values) * longest > MOST_CHARACTERS:
        raise wrong("classes.values", "shorter", values)
    try:
        with np.errstate(all="ignore"):
            array = np.array(values, dtype=object if kind == "str" and longest > LONGEST else kind)
    except OverflowError:
        array = np.array([])
    if array.tolist() != values:  # too large, rounded, or cut at a NUL
        raise wrong("classes.values", f"of kind {kind}", values)
    if not all(low < high for low, high in pairwise(values)):
        raise wrong("classes.values", "distinct and sorted", values)
    return array
