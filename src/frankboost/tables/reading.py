"""Files as tables: to fit to, or as a model knows them."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.tables.dates import moments, reads_as_dates
from frankboost.tables.file_columns import class_labels, feature, finite_numbers, known_values
from frankboost.tables.files import PathLike, Table, name_of, read_table
from frankboost.validation import MOST_QUOTED, quoted

MOST_REASONS = 8  # of columns that cannot be used
MOST_LISTED = 8  # names in a message


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """A file to fit to."""

    X: Any  # a data frame of numbers, dates, and text as categories
    y: NDArray[Any]  # the target
    weight: NDArray[Any] | None = None  # the column of sample weights, if there is one


def read_training(
    path: PathLike, target: str, ignore: Collection[str] = (), weight: str | None = None
) -> TrainingTable:
    """Read a file: the features, the target, and the weight if there is one."""
    table = read_table(path)
    with about(path):
        names = feature_columns(table.names, target, ignore, weight)
        weights = None if weight is None else read_weights(table, weight, target)
        y = class_labels(table.column(target, is_target=True))
        left_out = ignore if weight is None else [*ignore, weight]
        return TrainingTable(_features(table, names, left_out), y, weights)


def feature_columns(
    header: Sequence[str], target: str, ignore: Collection[str], weight: str | None
) -> list[str]:
    """The columns that are features; a ValueError if a column is not there, or has two roles."""
    for name in (target, *ignore):
        check_columns([name], header)
    if target in ignore:
        raise ValueError(f"the target {quoted(target)} cannot be ignored")
    if weight is not None:
        _check_weight(weight, header, target, ignore)
    left_out = {target, weight, *ignore}
    names = [name for name in header if name not in left_out]
    if not names:
        left = " and the columns to ignore" if ignore or weight is not None else ""
        raise ValueError(f"there is no column except the target {quoted(target)}{left}")
    return names


def _check_weight(name: str, header: Iterable[str], target: str, ignore: Collection[str] = ()) -> None:
    check_columns([name], header)
    if name == target or name in ignore:
        raise ValueError(
            f"the weight {quoted(name)} must be another column than the target and the columns to ignore"
        )


def read_weights(table: Table, name: str, target: str) -> NDArray[Any]:
    """A column of sample weights, which is not the target."""
    _check_weight(name, table.names, target)
    weights: NDArray[Any] = finite_numbers(table.column(name)).to_numpy()
    wrong = ~(weights >= 0.0)
    if wrong.any():
        row = int(np.argmax(wrong))
        got = "no value" if np.isnan(weights[row]) else f"{weights[row]:g}"
        raise ValueError(f"row {row + 1}: the weight {quoted(name)} must be a number >= 0; got {got}")
    return weights


def _features(table: Table, names: Sequence[str], ignore: Collection[str]) -> Any:
    """The columns as a data frame; an error tells of all that cannot be used at once."""
    import pandas as pd  # noqa: PLC0415 - an extra

    found, refused = {}, {}
    for name in names:
        column = table.column(name)
        try:
            found[name] = moments(column) if reads_as_dates(column) else feature(column)
        except ValueError as error:
            refused[name] = str(error)
    if refused:
        reasons = list(refused.values())
        more = f"; and {len(reasons) - MOST_REASONS} more" if len(reasons) > MOST_REASONS else ""
        leave = f"leave {'it' if len(reasons) == 1 else 'them'} out with {_to_ignore([*ignore, *refused])}"
        raise ValueError(f"{'; '.join(reasons[:MOST_REASONS])}{more}; {leave}")
    return pd.DataFrame(found)


def _to_ignore(names: Iterable[str]) -> str:
    """The option of the command line that leaves columns out."""
    names = list(names)
    if any(len(name) > MOST_QUOTED for name in names):
        return "--ignore"
    listed = ",".join(f'"{name}"' if "," in name else name for name in names)
    return f"--ignore {shlex.quote(listed)}"


def read_rows(
    table: Table, names: Sequence[str], known: Mapping[str, Sequence[Any]], dates: Collection[str] = ()
) -> Any:
    """A data frame of the named columns: numbers, moments of `dates`, or values such as those known."""
    import pandas as pd  # noqa: PLC0415 - an extra

    found = {}
    check_columns(names, table.names)
    for name in names:
        if name in known:
            words = [str(each) for each in known[name]]
            found[name] = known_values(table.column(name, words), known[name])
        elif name in dates:
            found[name] = moments(table.column(name))
        else:
            found[name] = finite_numbers(table.column(name))
    return pd.DataFrame(found)


@contextmanager
def about(path: PathLike) -> Iterator[None]:
    """Put the name of the file before the message of a ValueError."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name_of(path)}: {error}") from error


def check_columns(names: Sequence[str], header: Iterable[str]) -> None:
    """Check that there are such columns; the error suggests the nearest of those that are not named."""
    present = dict.fromkeys(header)
    absent = next((name for name in names if name not in present), None)
    if absent is None:
        return
    others = set(present) - set(names)
    folded = {each.casefold(): each for each in present if each in others and len(each) <= MOST_QUOTED}
    near = difflib.get_close_matches(absent.casefold(), folded, n=1) if len(absent) <= MOST_QUOTED else ()
    hint = f"did you mean {quoted(folded[near[0]])}?" if near else f"the columns are {listed(present)}"
    raise ValueError(f"there is no column {quoted(absent)}; {hint}")


def listed(names: Iterable[Any]) -> str:
    """The first of some names."""
    names = list(names)
    return ", ".join(map(quoted, names[:MOST_LISTED])) + ", ..." * (len(names) > MOST_LISTED)
