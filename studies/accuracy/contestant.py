"""What takes part: a name, and how to fit it to rows in the form that its library asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from studies.sets import LabelledRows

Form = Literal["codes", "frame"]


@dataclass(frozen=True, eq=False)
class Training:
    """Rows in a contestant's form and their labels; the columns of categories, threads and seed."""

    X: Any
    y: NDArray[np.int64]
    categorical: list[int]
    threads: int
    seed: int


@dataclass(frozen=True, eq=False)
class Contestant:
    """A classifier with its settings.

    `package` is what must be importable; `form` is "codes" for an array in which categories are numbers, or
    "frame" for a data frame in which they have pandas' type for them. `fit` gives the fitted classifier, and
    `trees` how many it is made of, None if it is not made of trees.
    """

    name: str
    package: str
    form: Form
    fit: Callable[[Training], Any]
    trees: Callable[[Any], int | None]

    @property
    def installed(self) -> bool:
        """Whether its package is there."""
        return find_spec(self.package) is not None


def formed(data: LabelledRows, rows: NDArray[np.intp], form: Form) -> Any:
    """Some rows of a set; in a frame, a column of categories knows those of the whole set."""
    X = data.X[rows].astype(np.float64)
    if form == "codes":
        return X
    columns: dict[str, Any] = {f"x{f}": X[:, f] for f in range(X.shape[1])}
    for f in data.categorical:
        known = np.unique(data.X[:, f]).astype(np.int64)
        columns[f"x{f}"] = pd.Categorical(X[:, f].astype(np.int64), categories=known)
    return pd.DataFrame(columns)
