"""The JSON document of a fitted model."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
from msgspec import UNSET, structs

from frankboost.estimators.names import category_names
from frankboost.export import json_document
from frankboost.export.fitted import tree_model
from frankboost.export.json_parameters import CLASSIFIERS, settings_of
from frankboost.export.json_trees import nodes_of
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble
from frankboost.trace import Trace
from frankboost.version import __version__


def document_of(clf: Any) -> json_document.SavedModel:
    """All that `load` needs."""
    model = tree_model(clf)
    name = type(clf).__name__
    if CLASSIFIERS.get(name) is not type(clf):
        raise TypeError(f"model must be one of {', '.join(CLASSIFIERS)}; got a {name}")
    names = getattr(clf, "feature_names_in_", None)
    kind = {"U": "str", "O": "object"}.get(model.classes.dtype.kind, model.classes.dtype.name)
    return json_document.SavedModel(
        library=__version__,
        classifier=name,
        parameters=settings_of(clf),
        classes=json_document.SavedClasses(kind, model.classes.tolist()),
        n_features_in=int(clf.n_features_in_),
        feature_names_in=None if names is None else names.tolist(),
        categories=[json_document.SavedCategories(f, values) for f, values in category_names(clf).items()],
        feature_importances=clf.feature_importances_.tolist(),
        capped=np.flatnonzero(model.capped).tolist(),
        calibration=None if model.sigmoids is None else json_document.SavedSigmoids(**asdict(model.sigmoids)),
        target_name=UNSET if model.target_name is None else str(model.target_name),
        fits=[_fit(each) for each in model.ensembles],
    )


def plain(value: Any) -> Any:
    """What `json` writes for a part of a document that it does not know."""
    if isinstance(value, json_document.Saved):
        return {name: part for name, part in structs.asdict(value).items() if part is not UNSET}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(
        f"model must have labels and categories that are strings, numbers or bools to be saved; got {value!r}"
    )


def _fit(ensemble: Ensemble) -> json_document.SavedFit:
    declared = ensemble.hypothesis_class
    if not isinstance(declared, TreeClass):
        raise TypeError(f"model must be fitted with estimator=None or a BestTree; its class is {declared}")
    return json_document.SavedFit(
        certificate=json_document.SavedCertificate(
            **{**asdict(ensemble.certificate), "hypothesis_class": UNSET}
        ),
        weights=ensemble.weights.tolist(),
        trees=[nodes_of(tree) for tree in ensemble.trees()],
        distribution=ensemble.distribution.tolist(),
        hypothesis_class=json_document.SavedClass(**asdict(declared)),
        trace=json_document.SavedTrace(
            **{name: list(map(_number, ensemble.trace[name])) for name in Trace.columns}
        ),
    )


def _number(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
