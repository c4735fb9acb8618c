"""Sets of the public collection, fetched by the optional package scikit-datasets."""

from __future__ import annotations

import numpy as np

from frankboost.datasets.patterns import Patterns, from_splits


def fetch(name: str) -> Patterns:
    """Fetch a set of the collection, or read it from where an earlier call has put it.

    The package keeps the collection in scikit-learn's data folder and verifies its SHA-256 at every call.
    What it calls the data are the unique patterns already, in an order of its own; the splits count from 1
    and repeat a pattern as often as it occurs.

    Raises
    ------
    ImportError
        If the package is not there.
    OSError
        If there is no network, or the file is not the one that was published.
    """
    from skdatasets.repositories import raetsch  # noqa: PLC0415  (optional)

    found = raetsch.fetch(name.replace("-", "_"))
    train, test = (
        np.asarray(splits).astype(np.int64) - 1
        for splits in (found.outer_cv.train_splits, found.outer_cv.test_splits)
    )
    X = np.asarray(found.data, dtype=np.float64)
    return from_splits(X, np.ravel(found.target).astype(np.int64), train, test)
