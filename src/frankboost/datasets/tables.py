"""Tables of numbers from files: to fit to, or as a model knows them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.base import Dataset
from frankboost.datasets.columns import BOOLS, Column, Floats, Source, find, listed, parse_number, to_ignore
from frankboost.datasets.files import open_file
from frankboost.learners.binning import MOST_CATEGORIES

MOST_ROWS_OF_ANYTHING = 20  # up to which a target may have a class for every second row


@dataclass(frozen=True, eq=False)
class Table:
    """Rows to fit to.

    Attributes
    ----------
    X : array of shape (m, n)
        Numbers; NaN is missing, and a category is its place among those of its column.
    y : array of shape (m,)
        The target, of integers, numbers, bools or text.
    names : tuple of str
        The columns of X.
    categories : dict from str to list of str
        The columns that hold text, each with its values in order.
    """

    X: Floats
    y: NDArray[Any]
    names: tuple[str, ...]
    categories: dict[str, list[str]]

    @property
    def categorical(self) -> tuple[int, ...]:
        """The numbers of the columns that hold categories."""
        return tuple(f for f, name in enumerate(self.names) if name in self.categories)


def training_table(source: Source, target: str, ignore: Collection[str] = ()) -> Table:
    """All columns but the target and those to ignore; text becomes categories."""
    find(source, target)
    for name in ignore:
        find(source, name)
    if target in ignore:
        raise ValueError(f"the target {target!r} cannot be ignored")
    y = _labels(source, source.column(target))
    names = tuple(name for name in source.header if name != target and name not in ignore)
    if not names:
        left = " and those to ignore" if ignore else ""
        raise ValueError(f"{source.path} has no column but the target {target!r}{left}")
    X = np.empty((len(source), len(names)))
    categories: dict[str, list[str]] = {}
    for f, name in enumerate(names):
        column = source.column(name)
        if column.holds_text and (values := _categories(source, column)):
            categories[name] = values
            X[:, f] = codes(column, values)
        else:
            X[:, f] = column.numbers()
    return Table(X, y, names, categories)


def rows_like(source: Source, names: Sequence[str], categories: Mapping[str, Sequence[Any]]) -> Floats:
    """The named columns as numbers, with text where there are categories; those not among them are NaN."""
    unused = [name for name in source.header if name not in names]
    for name in names:
        find(source, name, among=unused)
    X = np.empty((len(source), len(names)))
    for f, name in enumerate(names):
        column = source.column(name)
        X[:, f] = codes(column, categories[name]) if name in categories else column.numbers()
    return X


def labels_like(column: Column, classes: NDArray[Any]) -> NDArray[Any]:
    """A target in the type of known classes."""
    labels = column.labels()
    if classes.dtype.kind in "iuf":
        return column.numbers() if labels.dtype.kind == "U" else labels
    if classes.dtype.kind == "b":
        known = {**BOOLS, "1": 1.0, "0": 0.0}
        words = [str(label).lower() for label in labels.tolist()]
        return np.array([known.get(word, word) for word in words], dtype=object)
    return np.array(column.texts([str(label) for label in classes]))


def codes(column: Column, categories: Sequence[Any]) -> Floats:
    """The place of each cell among categories, NaN if it has none."""
    read = _reading(categories)
    place = {read(str(category)): float(k) for k, category in enumerate(categories)}
    texts = column.texts({str(category) for category in categories})
    return np.array([np.nan if text is None else place.get(read(text), np.nan) for text in texts])


def read_dataset(
    path: str | os.PathLike[str], target: str, ignore: Collection[str] = ()
) -> tuple[Dataset, Table]:
    """A file whose target has two values, the smaller of which becomes -1."""
    source = open_file(path)
    table = training_table(source, target, ignore)
    classes, code = np.unique(table.y, return_inverse=True)
    if len(classes) != 2:
        shown = listed(classes.tolist())
        raise ValueError(f"{path}: the target {target!r} must have two values; got {len(classes)}: {shown}")
    return Dataset(source.path.name.split(".")[0], table.X, np.where(code == 1, 1, -1)), table


def _labels(source: Source, column: Column) -> NDArray[Any]:
    y = column.labels()
    what = f"{source.path}: the target {column.name!r} must hold classes"
    if y.dtype.kind == "f" and not (y == np.floor(y)).all():
        raise ValueError(f"{what}, such as text or integers; got the number {y[y != np.floor(y)][0]:g}")
    count = len(np.unique(y))
    if count < 2:
        raise ValueError(f"{what}, at least two of them; got only {y.tolist()[0]!r}")
    if count > len(y) / 2 and len(y) > MOST_ROWS_OF_ANYTHING:
        raise ValueError(f"{what}; got {count} distinct values in {len(y)} rows")
    return y


def _categories(source: Source, column: Column) -> list[str]:
    present = [text for text in column.texts() if text is not None]
    values = sorted(set(present))
    every = len(values) == len(source) > 2
    if every or len(values) > MOST_CATEGORIES:
        example = next((text for text in present if parse_number(text) is None), present[0])
        what = "another text in every row" if every else f"{len(values)} different texts"
        raise ValueError(
            f"{source.path}: column {column.name!r} holds {what}, such as {example!r}, which cannot be "
            f"split by categories (at most {MOST_CATEGORIES}); leave it out with {to_ignore(column.name)}"
        )
    return values


def _reading(categories: Sequence[Any]) -> Callable[[str], Any]:
    """What makes the text of a cell comparable to categories: numbers are equal however they are written."""
    kinds = {type(category) for category in categories}
    if kinds == {bool}:
        return str.lower
    return parse_number if kinds <= {int, float} else str
