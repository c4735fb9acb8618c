"""Files as tables: to fit to, or as a model knows them."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.builtin import Dataset
from frankboost.datasets.columns import class_labels, feature, finite_numbers, known_values
from frankboost.datasets.files import PathLike, quoted, read_frame
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.data import check_training_data


def read_training(path: PathLike, target: str, ignore: Collection[str] = ()) -> tuple[Any, NDArray[Any]]:
    """A data frame of all columns but the target and those to ignore, with text as categories; the target."""
    frame = read_frame(path, target)
    with _about(path):
        for name in (target, *ignore):
            find_column(name, frame.columns)
        if target in ignore:
            raise ValueError(f"the target {quoted(target)} cannot be ignored")
        X = frame.drop(columns=[target, *ignore])
        if X.empty:
            left = " and those to ignore" if ignore else ""
            raise ValueError(f"it has no column but the target {quoted(target)}{left}")
        y = class_labels(frame[target])
        for name in X:
            X[name] = feature(X[name])
    return X, y


def read_rows(path: PathLike, names: Sequence[str], known: Mapping[str, Sequence[Any]]) -> Any:
    """A data frame of the named columns: numbers, or values such as those that are known in the column."""
    frame = read_frame(path, known={name: [str(each) for each in known[name]] for name in known})
    with _about(path):
        for name in names:
            find_column(name, frame.columns, among=frame.columns.difference(names))
        rows = frame[list(names)].copy()
        for name in rows:
            column = rows[name]
            rows[name] = known_values(column, known[name]) if name in known else finite_numbers(column)
    return rows


def read_dataset(
    path: PathLike, target: str, ignore: Collection[str] = ()
) -> tuple[Dataset, tuple[int, ...]]:
    """A file whose target has two values, the smaller of which becomes -1; its columns of categories."""
    X, y = read_training(path, target, ignore)
    data = check_training_data(SoftMarginClassifier(), X, y, None, categorical_features=None)
    if len(data.classes) != 2:
        got = f"{len(data.classes)}: {_listed(data.classes.tolist())}"
        raise ValueError(f"{path}: the target {quoted(target)} must have two values; got {got}")
    name = Path(path).name.split(".")[0]
    return Dataset(name, data.X, np.where(data.code == 1, 1, -1)), tuple(data.encoding.by_column)


@contextmanager
def _about(path: PathLike) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def find_column(name: str, header: Iterable[str], among: Iterable[str] | None = None) -> None:
    """Check that there is such a column; the error suggests the nearest."""
    if name in header:
        return
    folded = {each.casefold(): each for each in (header if among is None else among)}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    hint = f"did you mean {quoted(folded[near[0]])}?" if near else f"it has {_listed(header)}"
    raise ValueError(f"it has no column {quoted(name)}; {hint}")


def _listed(names: Iterable[Any], most: int = 8) -> str:
    """The first of some names."""
    names = list(names)
    return ", ".join(quoted(name) for name in names[:most]) + (", ..." if len(names) > most else "")
