"""What takes part: a name, and how to fit it to rows in the form that its library asks for."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import frankboost
from studies.sets import LabelledRows

OURS = ("SoftMarginClassifier()", "SoftMarginClassifierCV()")
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


def ours(text: str) -> Contestant:
    """The classifier that a text such as "SoftMarginClassifier(max_depth=3)" names; or a ValueError."""
    name, settings = _parsed(text)
    shown = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    kind = getattr(frankboost, name)
    try:
        kind().set_params(**settings)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    fit = partial(_fit, kind, settings)
    return Contestant(f"{name}({shown})", "frankboost", "codes", fit, lambda clf: len(clf.estimators_))


def _parsed(text: str) -> tuple[str, dict[str, Any]]:
    try:
        call = ast.parse(text.strip() if "(" in text else f"{text.strip()}()", mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            settings = {each.arg or "": ast.literal_eval(each.value) for each in call.keywords}
            name = call.func.id
            if name in frankboost.public.__all__ and name.endswith(("Classifier", "ClassifierCV")):
                return name, settings
    except (SyntaxError, ValueError):
        pass
    raise ValueError(
        "a classifier must be a class of frankboost, with keywords and plain values if it has settings, "
        f"such as 'SoftMarginClassifier(max_depth=3)'; got {text!r}"
    )


def _fit(kind: Any, settings: dict[str, Any], given: Training) -> Any:
    clf = kind()
    usual = {
        "categorical_features": given.categorical or None,
        "n_jobs": given.threads,
        "random_state": given.seed,
    }
    known = clf.get_params()
    clf.set_params(**{key: value for key, value in usual.items() if key in known}).set_params(**settings)
    return clf.fit(given.X, given.y)
