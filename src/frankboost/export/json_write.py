"""The JSON document of a fitted model."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np

from frankboost.estimators.names import category_names
from frankboost.export import json_document as saved
from frankboost.export.fitted import tree_model
from frankboost.export.json_parameters import CLASSIFIERS, settings_of
from frankboost.export.json_trees import nodes_of
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble, Model
from frankboost.trace import Trace
from frankboost.version import __version__


def document_of(clf: Any) -> Any:
    """All that `load` needs, as what JSON can hold."""
    model = tree_model(clf)
    name = type(clf).__name__
    if CLASSIFIERS.get(name) is not type(clf):
        raise TypeError(f"model must be one of {', '.join(CLASSIFIERS)}; got a {name}")
    names = getattr(clf, "feature_names_in_", None)
    document = saved.SavedModel(
        library=__version__,
        classifier=name,
        parameters=settings_of(clf),
        classes=saved.SavedClasses(kind=_kind(model), values=model.classes.tolist()),
        n_features_in=int(clf.n_features_in_),
        feature_names_in=None if names is None else names.tolist(),
        categories=[_categories(f, values) for f, values in category_names(clf).items()],
        feature_importances=clf.feature_importances_.tolist(),
        capped=np.flatnonzero(model.capped).tolist(),
        calibration=None if model.sigmoids is None else saved.SavedSigmoids(**asdict(model.sigmoids)),
        target_name=msgspec.UNSET if model.target_name is None else str(model.target_name),
        fits=[_fit(each) for each in model.ensembles],
    )
    return msgspec.to_builtins(document, enc_hook=lambda value: value.tolist())  # those of NumPy


def _kind(model: Model) -> str:
    return {"U": "str", "O": "object"}.get(model.classes.dtype.kind, model.classes.dtype.name)


def _categories(column: int, values: list[Any]) -> saved.SavedCategories:
    for value in values:
        if type(value) not in (str, int, float, bool) or value in (math.inf, -math.inf):
            raise TypeError(
                f"model must have categories that are strings, numbers or bools to be saved; got {value!r}"
            )
    return saved.SavedCategories(column=column, values=values)


def _fit(ensemble: Ensemble) -> saved.SavedFit:
    declared = ensemble.hypothesis_class
    if not isinstance(declared, TreeClass):
        raise TypeError(f"model must be fitted with estimator=None or a BestTree; its class is {declared}")
    return saved.SavedFit(
        certificate=saved.SavedCertificate(**asdict(ensemble.certificate)),
        weights=ensemble.weights.tolist(),
        trees=[nodes_of(tree) for tree in ensemble.trees()],
        distribution=ensemble.distribution.tolist(),
        hypothesis_class=saved.SavedClass(**asdict(declared)),
        trace=saved.SavedTrace(**{name: list(map(_number, ensemble.trace[name])) for name in Trace.columns}),
    )


def _number(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
