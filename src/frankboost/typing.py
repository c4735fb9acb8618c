"""Types that many modules share."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
AnyArray = NDArray[Any]  # of NumPy, with entries of any type
Array = Any  # of NumPy or of CuPy, which declares no types
Precision = type[np.float32] | type[np.float64]

Status = Literal[
    "optimal", "closed", "max_iter", "time_limit", "interrupted", "converged", "stalled", "stopped"
]
RuleName = Literal["fw", "secondary", "crossover", "none"]

T = TypeVar("T")


def one_or_all(values: list[T]) -> T:
    """What a classifier tells of its ensembles: the only one's of two classes, else a list, one per class."""
    # The type is that for two classes, so that checkers accept `certificate_.gap`, which they would not of a
    # union with a list. With more classes isinstance tells the list, and `model_.ensembles` needs no test.
    told: Any = values[0] if len(values) == 1 else values
    return told  # type: ignore[no-any-return]
