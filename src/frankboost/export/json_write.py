"""A fitted model as a JSON document.

An object with the members of `document_of`. A tree is a list of nodes, the root first and children after
their parents: a leaf {"value": -1 or 1}, or a split {"feature", "threshold", "missing_left", "left",
"right"} that sends x <= threshold to the node numbered "left", with "categories" in place of "threshold" if
it sends those there. In a trace "nan", "inf" and "-inf" are strings; all other numbers are finite. "capped"
are the rows that are as heavy as they may be. "target_name", what the column of the target was called, may be
left out. Whatever changes the meaning of a document changes VERSION.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.estimators.names import category_names
from frankboost.export.fitted import tree_model
from frankboost.export.json_fields import NOT_FINITE
from frankboost.export.json_parameters import CLASSIFIERS, settings_of
from frankboost.learners.tree import Tree
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble
from frankboost.trace import Record, Trace
from frankboost.version import __version__

FORMAT = "frankboost"
SCALARS = (str, int, float, bool)
VERSION = 1


def document_of(clf: Any) -> dict[str, Any]:
    """All that `load` needs, as what JSON can hold."""
    model = tree_model(clf)
    name = type(clf).__name__
    if CLASSIFIERS.get(name) is not type(clf):
        raise TypeError(f"model must be one of {', '.join(CLASSIFIERS)}; got a {name}")
    sigmoids = model.sigmoids
    names = getattr(clf, "feature_names_in_", None)
    return {
        "format": FORMAT,
        "version": VERSION,
        "library": __version__,
        "classifier": name,
        "parameters": settings_of(clf),
        "classes": _classes(model.classes),
        "n_features_in": int(clf.n_features_in_),
        "feature_names_in": None if names is None else names.tolist(),
        "categories": [_categories(f, values) for f, values in category_names(clf).items()],
        "feature_importances": clf.feature_importances_.tolist(),
        "capped": np.flatnonzero(model.capped).tolist(),
        "calibration": None
        if sigmoids is None
        else {"slope": sigmoids.slope.tolist(), "intercept": sigmoids.intercept.tolist()},
        **({} if model.target_name is None else {"target_name": str(model.target_name)}),
        "fits": [_fit(each) for each in model.ensembles],
    }


def _classes(classes: NDArray[Any]) -> dict[str, Any]:
    kind = {"U": "str", "O": "object"}.get(classes.dtype.kind, classes.dtype.name)
    return {"kind": kind, "values": classes.tolist()}


def _categories(column: int, values: list[Any]) -> dict[str, Any]:
    for value in values:
        if type(value) not in SCALARS or (type(value) is float and not math.isfinite(value)):
            raise TypeError(
                f"model must have categories that are strings, numbers or bools to be saved; got {value!r}"
            )
    return {"column": column, "values": values}


def _fit(ensemble: Ensemble) -> dict[str, Any]:
    certificate = ensemble.certificate
    return {
        "certificate": {
            "soft_margin": float(certificate.soft_margin),
            "bound": float(certificate.bound),
            "tol": float(certificate.tol),
            "nu": float(certificate.nu),
            "exact": bool(certificate.exact),
            "status": certificate.status,
            "hypothesis_class": certificate.hypothesis_class,
        },
        "weights": ensemble.weights.tolist(),
        "trees": [_nodes(tree) for tree in ensemble.trees()],
        "distribution": ensemble.distribution.tolist(),
        "hypothesis_class": _hypothesis_class(ensemble.hypothesis_class),
        "trace": _trace(ensemble.trace),
    }


def _nodes(tree: Tree) -> list[dict[str, Any]]:
    return [
        {"value": _whole(float(tree.value[k]))}
        if tree.feature[k] < 0
        else {
            "feature": int(tree.feature[k]),
            **_goes_left(tree, k),
            "missing_left": bool(tree.missing_left[k]),
            "left": int(tree.left[k]),
            "right": int(tree.right[k]),
        }
        for k in range(len(tree.feature))
    ]


def _whole(value: float) -> float | int:
    """The votes of most leaves are written as integers."""
    return int(value) if value.is_integer() else value


def _goes_left(tree: Tree, k: int) -> dict[str, Any]:
    if tree.set_index[k] >= 0:
        return {"categories": tree.categories(k).tolist()}
    return {"threshold": float(tree.threshold[k])}


def _hypothesis_class(declared: Any) -> dict[str, Any]:
    if not isinstance(declared, TreeClass):
        raise TypeError(f"model must be fitted with estimator=None or a BestTree; its class is {declared}")
    return {
        "max_depth": int(declared.max_depth),
        "thresholds": [cuts.tolist() for cuts in declared.thresholds],
        "categories": list(declared.categories),
        "label": declared.label,
    }


def _trace(trace: Trace) -> dict[str, list[Any]]:
    return {name: [_number(record, name) for record in trace] for name in Trace.columns}


def _number(record: Record, name: str) -> Any:
    value = getattr(record, name)
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return next(text for text, known in NOT_FINITE.items() if str(known) == str(value))
