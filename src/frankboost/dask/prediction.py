"""Predictions for Dask collections, partition by partition on the workers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np
from dask.delayed import delayed
from sklearn.metrics import accuracy_score

import dask
from frankboost.dask.collections import (
    Collection,
    Partition,
    check_table,
    delayed_blocks,
    empty_table,
    is_frame,
    make_partitions,
)
from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Model
from frankboost.tables.labelled import check_labels
from frankboost.tables.weights import check_each_weight

if TYPE_CHECKING:
    from distributed import Client


def is_dask(X: Collection) -> bool:
    """Whether rows are a Dask collection."""
    return isinstance(X, da.Array) or is_frame(X)


def without_training_rows(model: Model) -> Model:
    """The model without its vectors over the training rows, which predictions do not need."""
    nothing: Any = None
    ensembles = [
        replace(each, distribution=nothing, capped=None, found=None, stages=None) for each in model.ensembles
    ]
    return replace(model, ensembles=tuple(ensembles), capped=nothing)


def gather_model(model: Model) -> Model:
    """Bring all vectors over the training rows to this process."""
    distributions = dask.compute(*(each.distribution for each in model.ensembles))
    capped = dask.compute(*(each.capped for each in model.ensembles))
    ensembles = [
        replace(each, distribution=d, capped=c, found=each.found and replace(each.found, distribution=d))
        for each, d, c in zip(model.ensembles, distributions, capped, strict=True)
    ]
    return replace(model, ensembles=tuple(ensembles), capped=np.any(capped, axis=0))


def map_partitions(clf: ModelClassifier, method: str, X: Collection) -> da.Array:
    """Call a method of a classifier on each partition of X; a Dask array, which is not computed yet."""
    X = check_table(X)
    like = _apply(clf, method, empty_table(X))
    apply = delayed(_apply, pure=True)
    shared = delayed(clf, traverse=False)
    sizes = X.chunks[0] if isinstance(X, da.Array) else (np.nan,) * X.npartitions
    arrays = [
        da.from_delayed(apply(shared, method, each), (size, *like.shape[1:]), meta=like[:0])
        for each, size in zip(delayed_blocks(X), sizes, strict=True)
    ]
    return da.concatenate(arrays, allow_unknown_chunksizes=True)


def accuracy_in_partitions(
    clf: ModelClassifier, X: Collection, y: Collection, sample_weight: Collection, client: Client | None
) -> float:
    """The weighted accuracy, from sums over the partitions.

    If `client` is None, Dask's current scheduler computes the sums.
    """
    shared = delayed(clf, traverse=False)
    tasks = (delayed(_right_weight)(shared, each) for each in make_partitions(X, y, sample_weight))
    right, total = np.sum(dask.compute(*tasks, scheduler=client), axis=0)
    if not total > 0.0:
        raise ValueError("X must have rows, and sample_weight must not be all zeros; no row would count")
    return float(right / total)


def _right_weight(clf: ModelClassifier, partition: Partition) -> tuple[float, float]:
    """The weight of the rows whose class is predicted, and the weight of all rows."""
    rows = len(partition.X)
    weight = check_each_weight(partition.sample_weight, rows)
    if not weight.any():
        return 0.0, 0.0
    labels = check_labels(partition.y, rows)
    predicted = clf.predict(partition.X)
    return float(accuracy_score(labels, predicted, normalize=False, sample_weight=weight)), weight.sum()


def _apply(clf: ModelClassifier, method: str, X: Collection) -> Any:
    """Call a method on a table; the answer for an empty table has the shape and type of other answers."""
    return getattr(clf, method)(X) if len(X) > 0 else getattr(clf, method)(_missing_row(X))[:0]


def _missing_row(X: Collection) -> Any:
    """A row of missing values with the columns of a table."""
    return np.full((1, X.shape[1]), np.nan) if isinstance(X, np.ndarray) else X.astype(object).reindex([0])
