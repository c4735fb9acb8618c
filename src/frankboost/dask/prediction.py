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
    Portion,
    blocks,
    check_table,
    empty_table,
    is_frame,
    portions,
)
from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Model
from frankboost.tables.labelled import check_labels
from frankboost.tables.weights import check_each_weight

if TYPE_CHECKING:
    from distributed import Client


def is_dask(X: Collection) -> bool:
    """Whether rows lie in partitions."""
    return isinstance(X, da.Array) or is_frame(X)


def light(model: Model) -> Model:
    """The model without the parts that predictions do not need, which have one entry per training row."""
    nothing: Any = None
    ensembles = [
        replace(each, distribution=nothing, capped=None, found=None, stages=None) for each in model.ensembles
    ]
    return replace(model, ensembles=tuple(ensembles), capped=nothing)


def gathered(model: Model) -> Model:
    """The model with all vectors over the training rows brought to this process."""
    distributions = dask.compute(*(each.distribution for each in model.ensembles))
    capped = dask.compute(*(each.capped for each in model.ensembles))
    ensembles = [
        replace(each, distribution=d, capped=c, found=each.found and replace(each.found, distribution=d))
        for each, d, c in zip(model.ensembles, distributions, capped, strict=True)
    ]
    return replace(model, ensembles=tuple(ensembles), capped=np.any(capped, axis=0))


def mapped(clf: ModelClassifier, method: str, X: Collection) -> da.Array:
    """`method` of a classifier for each partition of X, as one Dask array; nothing is computed yet."""
    X = check_table(X)
    like = _apply(clf, method, empty_table(X))
    asked = delayed(_apply, pure=True)
    shared = delayed(clf, traverse=False)
    sizes = X.chunks[0] if isinstance(X, da.Array) else (np.nan,) * X.npartitions
    arrays = [
        da.from_delayed(asked(shared, method, each), (size, *like.shape[1:]), meta=like[:0])
        for each, size in zip(blocks(X), sizes, strict=True)
    ]
    return da.concatenate(arrays, allow_unknown_chunksizes=True)


def scored(
    clf: ModelClassifier, X: Collection, y: Collection, sample_weight: Collection, client: Client | None
) -> float:
    """The share of the rows, by their weights, whose class is predicted; partitions tell sums.

    They tell them to the client, or if it is None to the current one, if there is one.
    """
    shared = delayed(clf, traverse=False)
    tasks = (delayed(_right)(shared, each) for each in portions(X, y, sample_weight))
    told = dask.compute(*tasks, scheduler=client)
    right, whole = np.sum(told, axis=0)
    if not whole > 0.0:
        raise ValueError("X must have rows, and sample_weight must not be all zeros; no row would count")
    return float(right / whole)


def _right(clf: ModelClassifier, portion: Portion) -> tuple[float, float]:
    """The weight of the rows whose class is predicted, and that of all."""
    rows = len(portion.X)
    weight = check_each_weight(portion.sample_weight, rows)
    if not weight.any():
        return 0.0, 0.0
    labels = check_labels(portion.y, rows)
    predicted = clf.predict(portion.X)
    return float(accuracy_score(labels, predicted, normalize=False, sample_weight=weight)), weight.sum()


def _apply(clf: ModelClassifier, method: str, X: Collection) -> Any:
    """The answer for a partition; that for no rows has the shape and type of others."""
    return getattr(clf, method)(X) if len(X) > 0 else getattr(clf, method)(_gap(X))[:0]


def _gap(X: Collection) -> Any:
    """A row of missing values with the columns of a table."""
    return np.full((1, X.shape[1]), np.nan) if isinstance(X, np.ndarray) else X.astype(object).reindex([0])
