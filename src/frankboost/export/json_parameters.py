"""Settings of the classifiers in a JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from frankboost.estimators import classifiers
from frankboost.estimators.nu_path import SoftMarginClassifierCV
from frankboost.estimators.parameters import parameters_of
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_document import Positive, Scalar, converted, wrong

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
    """The settings that JSON can hold."""
    settings = {
        name: getattr(clf, name) for name, each in parameters_of(clf).items() if each.metadata["saved"]
    }
    weight = settings.pop("class_weight")
    kept = {name: value for name, value in settings.items() if _is_plain(value)}
    kept["verbose"] = int(settings["verbose"])
    if isinstance(weight, Mapping):
        # A number may be given for a class that is the same number of another type.
        as_class = {label: label for label in clf.classes_.tolist()}
        weight = [[as_class.get(label, label), factor] for label, factor in weight.items()]
    kept["class_weight"] = weight
    return kept


def read_settings(
    saved: Mapping[str, Any], classifier: type[ModelClassifier], classes: list[Any]
) -> dict[str, Any]:
    """Settings for the constructor of a classifier, each checked as `fit` checks it."""
    known = parameters_of(classifier)
    settings: dict[str, Any] = {}
    for name, value in saved.items():
        where = f"parameters.{name[:100]}"
        if name not in known or not known[name].metadata["saved"]:
            raise ValueError(f"{where} is no setting of {classifier.__name__}")
        if name == "class_weight":
            settings[name] = _class_weight(where, value, classes)
            continue
        settings[name] = converted(value, Setting, where)
        try:
            if (check := known[name].metadata["check"]) is not None:
                check(where, value)
        except TypeError as error:
            raise ValueError(str(error)) from error
    return settings


def _class_weight(where: str, saved: Any, classes: list[Any]) -> dict[Any, float] | str | None:
    pairs = converted(saved, ClassWeight, where)
    if pairs is None or isinstance(pairs, str):
        return pairs
    weights: dict[Any, float] = {}
    for k, (label, factor) in enumerate(pairs):
        same = [each for each in classes if type(each) is type(label) and each == label]
        if not same or label in weights:
            raise wrong(f"{where}[{k}][0]", "one of the classes, once", label)
        weights[label] = factor
    return weights


def _is_plain(value: Any) -> bool:
    values = value if isinstance(value, list | tuple | np.ndarray) else [value]
    plain = bool | int | float | str | np.bool_ | np.number
    return value is None or all(isinstance(each, plain) for each in values)
