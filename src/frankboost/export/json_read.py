"""A fitted model from a JSON document.

msgspec checks each field by itself; here are the checks of what fields say together.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import UNSET, structs
from numpy.typing import NDArray

from frankboost.certificate import Certificate
from frankboost.estimators.categories import category_array
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export import json_document
from frankboost.export.json_document import check_increasing, check_length, converted, wrong
from frankboost.export.json_parameters import CLASSIFIERS, read_settings
from frankboost.export.json_trees import read_tree
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble, Model, Sigmoids, positives
from frankboost.trace import Record, Trace
from frankboost.typing import Floats

MOST_CHARACTERS = 50_000_000  # of labels, which NumPy makes as long as the longest of them

# What the labels of each type of NumPy are in JSON.
KINDS: dict[str, Any] = {
    **dict.fromkeys(("str", "object"), list[str]),
    "bool": list[bool],
    **dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), list[int]),
    **dict.fromkeys(("float16", "float32", "float64"), list[json_document.Finite]),
}


def read_model(document: Any) -> ModelClassifier:
    """The model that `document_of` wrote down; ValueError names the first field that is wrong."""
    if not isinstance(document, dict) or document.get("format") != json_document.FORMAT:
        raise ValueError(
            f'not a model of frankboost: an object with "format": "{json_document.FORMAT}" was expected'
        )
    if (version := document.get("version")) is True or version not in json_document.READABLE:
        readable = " or ".join(map(str, json_document.READABLE))
        raise wrong("version", f"{readable}, which this version of frankboost reads", version)
    model: json_document.SavedModel = converted(document, json_document.SavedModel)
    if model.classifier not in CLASSIFIERS:
        raise wrong("classifier", f"one of {', '.join(CLASSIFIERS)}", model.classifier)
    classes = _classes(model.classes)
    classifier = CLASSIFIERS[model.classifier]
    clf = classifier(**read_settings(model.parameters, classifier, classes.tolist()))
    _check_arrays(model, len(positives(classes)))
    clf.n_features_in_ = model.n_features_in
    if model.feature_names_in is not None:
        clf.feature_names_in_ = np.array(model.feature_names_in, dtype=object)
    clf.model_ = Model(
        classes=classes,
        categories=_categories(model),
        ensembles=tuple(_ensemble(f"fits[{k}]", fit) for k, fit in enumerate(model.fits)),
        capped=np.isin(np.arange(len(model.fits[0].distribution)), model.capped),
        importances=np.array(model.feature_importances),
        sigmoids=None
        if (fitted := model.calibration) is None
        else Sigmoids(np.array(fitted.slope), np.array(fitted.intercept)),
        target_name=None if model.target_name is UNSET else model.target_name,
    )
    return clf


def _check_arrays(model: json_document.SavedModel, count: int) -> None:
    """They have one entry per feature, row or fit, so that none of these numbers can be a lie."""
    check_length("fits", model.fits, count)
    features, rows = model.n_features_in, len(model.fits[0].distribution)
    check_length("feature_importances", model.feature_importances, features)
    if model.feature_names_in is not None:
        check_length("feature_names_in", model.feature_names_in, features)
        if len(set(model.feature_names_in)) < features:
            raise wrong("feature_names_in", "distinct", model.feature_names_in)
    if model.calibration is not None:
        check_length("calibration.slope", model.calibration.slope, count)
        check_length("calibration.intercept", model.calibration.intercept, count)
    check_increasing("capped", model.capped, below=rows)
    for k, fit in enumerate(model.fits):
        check_length(f"fits[{k}].weights", fit.weights, len(fit.trees))
        check_length(f"fits[{k}].distribution", fit.distribution, rows)
        declared = fit.hypothesis_class
        check_length(f"fits[{k}].hypothesis_class.thresholds", declared.thresholds, features)
        check_length(f"fits[{k}].hypothesis_class.categories", declared.categories, features)
        for f, cuts in enumerate(declared.thresholds):
            check_increasing(f"fits[{k}].hypothesis_class.thresholds[{f}]", cuts)


def _ensemble(where: str, fit: json_document.SavedFit) -> Ensemble:
    declared = fit.hypothesis_class
    hypothesis_class = TreeClass(
        max_depth=declared.max_depth,
        thresholds=tuple(np.array(cuts, dtype=np.float64) for cuts in declared.thresholds),
        categories=tuple(declared.categories),
        all_thresholds=declared.all_thresholds,
    )
    claims = structs.asdict(fit.certificate) | {"hypothesis_class": str(hypothesis_class)}
    return Ensemble(
        certificate=Certificate(**claims),
        hypotheses=[
            read_tree(f"{where}.trees[{j}]", nodes, declared.categories, declared.max_depth)
            for j, nodes in enumerate(fit.trees)
        ],
        weights=_simplex(f"{where}.weights", fit.weights),
        distribution=_simplex(f"{where}.distribution", fit.distribution),
        hypothesis_class=hypothesis_class,
        trace=_trace(f"{where}.trace", fit.trace),
    )


def _simplex(where: str, values: Sequence[float]) -> Floats:
    """Shares with sum 1."""
    shares = np.array(values)
    if abs(shares.sum() - 1.0) > json_document.ROUNDING:
        raise ValueError(f"{where} must have sum 1; got {shares.sum():g}")
    return shares


def _trace(where: str, trace: json_document.SavedTrace) -> Trace:
    rounds, columns = len(trace.round), structs.asdict(trace)
    if trace.round != list(range(1, rounds + 1)):
        raise wrong(f"{where}.round", "1, 2, 3, ...", trace.round)
    for name, column in columns.items():
        check_length(f"{where}.{name}", column, rounds)
        if name != "rule":
            columns[name] = [float(value) if isinstance(value, str) else value for value in column]
    records = Trace()
    for row in zip(*columns.values(), strict=True):
        records.append(Record(**dict(zip(columns, row, strict=True))))
    return records


def _classes(classes: json_document.SavedClasses) -> NDArray[Any]:
    kind = classes.kind
    if kind not in KINDS:
        raise wrong("classes.kind", f"one of {', '.join(KINDS)}", kind)
    values = converted(classes.values, KINDS[kind], "classes.values")
    if kind == "str" and len(values) * max(map(len, values)) > MOST_CHARACTERS:
        raise wrong("classes.values", "shorter", values)
    try:
        with np.errstate(all="ignore"):
            array = np.array(values, dtype=kind)
    except OverflowError:
        array = np.array([])
    if array.tolist() != values:  # too large, rounded, or cut at a NUL
        raise wrong("classes.values", f"of kind {kind}", values)
    if not all(low < high for low, high in pairwise(values)):
        raise wrong("classes.values", "distinct and sorted", values)
    return array


def _categories(model: json_document.SavedModel) -> dict[str | int, NDArray[Any]]:
    """By name or number of the column, as many of them as the fits declare."""
    check_increasing("categories", [each.column for each in model.categories], below=model.n_features_in)
    known: dict[str | int, NDArray[Any]] = {}
    counts = [0] * model.n_features_in
    for k, each in enumerate(model.categories):
        if len({(type(value), value) for value in each.values}) < len(each.values):
            raise wrong(f"categories[{k}].values", "distinct", each.values)
        names = model.feature_names_in
        known[each.column if names is None else names[each.column]] = category_array(each.values)
        counts[each.column] = len(each.values)
    for k, fit in enumerate(model.fits):
        declared = fit.hypothesis_class.categories
        if declared != counts:
            where = f"fits[{k}].hypothesis_class.categories"
            raise wrong(where, f"how many each column has, {reprlib.repr(counts)}", declared)
    return known
