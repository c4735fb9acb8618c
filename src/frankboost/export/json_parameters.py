"""Settings of the classifiers in a JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frankboost.estimators.classifiers import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.estimators.nu_path import SoftMarginClassifierCV
from frankboost.estimators.parameters import parameters_of
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_fields import Field

# The only classes that a file can name.
CLASSIFIERS: dict[str, type[ModelClassifier]] = {
    each.__name__: each
    for each in (
        SoftMarginClassifier,
        SoftMarginClassifierCV,
        SoftBoostClassifier,
        LPBoostClassifier,
        ERLPBoostClassifier,
        CERLPBoostClassifier,
        MLPBoostClassifier,
    )
}


def settings_of(clf: ModelClassifier) -> dict[str, Any]:
    """The settings that JSON can hold."""
    settings = {
        name: getattr(clf, name) for name, each in parameters_of(clf).items() if each.metadata["saved"]
    }
    weight = settings.pop("class_weight")
    kept = {name: _plain(value) for name, value in settings.items() if _is_plain(value)}
    kept["verbose"] = int(settings["verbose"])
    if isinstance(weight, Mapping):
        # A number may be given for a class that is the same number of another type.
        as_class = {label: label for label in clf.classes_.tolist()}
        weight = [[as_class.get(_plain(label), label), _plain(factor)] for label, factor in weight.items()]
    kept["class_weight"] = weight
    return kept


def read_settings(field: Field, classifier: type[ModelClassifier], classes: list[Any]) -> dict[str, Any]:
    """Settings for the constructor of a classifier, each checked as `fit` checks it."""
    known = parameters_of(classifier)
    settings: dict[str, Any] = {}
    for name, value in field.any_members().items():
        if name not in known or not known[name].metadata["saved"]:
            raise ValueError(f"{value.where} is no setting of {classifier.__name__}")
        if name == "class_weight":
            settings[name] = _class_weight(value, classes)
        else:
            settings[name] = value.plain()
            _check(known[name].metadata["check"], value)
    return settings


def _check(check: Any, field: Field) -> None:
    try:
        if check is not None:
            check(field.where, field.value)
    except TypeError as error:
        raise ValueError(str(error)) from error


def _class_weight(field: Field, classes: list[Any]) -> dict[Any, float] | str | None:
    if field.value is None:
        return None
    if isinstance(field.value, str):
        return field.one_of(["balanced"])
    weights: dict[Any, float] = {}
    for pair in field.items():
        label, factor = pair.items(count=2)
        same = [each for each in classes if type(each) is type(label.value) and each == label.value]
        if not same or same[0] in weights:
            raise label.error("one of the classes, once")
        weights[same[0]] = factor.number(0.0, above=True)
    return weights


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple | np.ndarray):
        return all(isinstance(each, bool | int | float | str | np.bool_ | np.number) for each in value)
    return value is None or isinstance(value, bool | int | float | str | np.bool_ | np.number)
