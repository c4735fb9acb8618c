"""Settings of the classifiers in a JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from frankboost.estimators import classifiers
from frankboost.estimators.cv import SoftMarginClassifierCV
from frankboost.estimators.parameters import check_parameters, parameters_of
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_fields import Positive, Scalar, converted, wrong
from frankboost.rules.names import SECONDARIES

# The only classes that a file can name.
CLASSIFIERS: dict[str, type[ModelClassifier]] = {
    each.__name__: each
    for each in (
        classifiers.SoftMarginClassifier,
        SoftMarginClassifierCV,
        classifiers.SoftBoostClassifier,
        classifiers.LPBoostClassifier,
        classifiers.ERLPBoostClassifier,
        classifiers.CERLPBoostClassifier,
        classifiers.MLPBoostClassifier,
    )
}
Setting = Scalar | list[Scalar | None] | None
ClassWeight = list[tuple[Scalar, Positive]] | Literal["balanced"] | None


def settings_of(clf: ModelClassifier) -> dict[str, Any]:
    """The settings that JSON can hold; class weights as pairs, as its objects are named by strings alone.

    A rule of another package is left out, as one that has no name: a model is to be read without it.
    """
    settings = {name: getattr(clf, name) for name in _saved_by(clf)}
    kept = {name: value for name, value in settings.items() if _is_plain(value)}
    if isinstance(rule := kept.get("secondary"), str) and rule not in SECONDARIES:
        del kept["secondary"]
    if isinstance(weight := settings["class_weight"], Mapping):
        kept["class_weight"] = list(weight.items())
    return kept


def read_settings(
    saved: Mapping[str, Any], classifier: type[ModelClassifier], classes: list[Any]
) -> ModelClassifier:
    """A classifier with these settings, which are checked as `fit` checks them."""
    known = _saved_by(classifier)
    settings: dict[str, Any] = {}
    for name, value in saved.items():
        where = f"parameters.{name[:100]}"
        if name not in known:
            raise ValueError(f"{where} is no setting of {classifier.__name__}")
        settings[name] = converted(value, ClassWeight if name == "class_weight" else Setting, where)
    if isinstance(pairs := settings.get("class_weight"), list):
        settings["class_weight"] = weights = dict(pairs)
        if len(weights) < len(pairs) or not weights.keys() <= set(classes):
            raise wrong("parameters.class_weight", "for some of the classes, once each", pairs)
    # What a file means may not depend on what is installed, nor may a file name code that a refit would load.
    if isinstance(rule := settings.get("secondary"), str) and rule not in SECONDARIES:
        raise wrong("parameters.secondary", f"one of {', '.join(SECONDARIES)} or null", rule)
    clf = classifier(**settings)
    try:
        check_parameters(clf)
    except (TypeError, ValueError) as error:
        raise ValueError(f"parameters.{error}") from error
    return clf


def _saved_by(classifier: Any) -> list[str]:
    return [name for name, each in parameters_of(classifier).items() if each.metadata["saved"]]


def _is_plain(value: Any) -> bool:
    values = value if isinstance(value, list | tuple | np.ndarray) else [value]
    plain = bool | int | float | str | np.bool_ | np.number
    return value is None or all(isinstance(each, plain) for each in values)
