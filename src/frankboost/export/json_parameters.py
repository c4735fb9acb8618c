"""Settings of the classifiers in a JSON document."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.classifiers import (
    FW_RULES,
    SECONDARIES,
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.estimators.nu_path import SoftMarginClassifierCV
from frankboost.export.json_fields import Field
from frankboost.learners.binning import MOST_THRESHOLDS

# The only classes that a file can name.
CLASSIFIERS: dict[str, type[SoftMarginBooster]] = {
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
LARGEST = 2**31 - 1
MOST_JOBS = 1024


def _count(field: Field, at_least: int = 1, at_most: int = LARGEST) -> int:
    return field.count(at_least, at_most)


def _positive(field: Field) -> float:
    return field.number(0.0, above=True)


def _fraction(field: Field) -> float:
    return field.number(0.0, 1.0, above=True)


def _jobs(field: Field) -> int:
    jobs = field.count(-MOST_JOBS, MOST_JOBS)
    if jobs == 0:
        raise field.error("an integer other than 0")
    return jobs


def _nus(field: Field) -> list[float]:
    return [_fraction(each) for each in field.items(at_least=1)]


def _columns(field: Field) -> list[Any]:
    """Names, numbers or a mask; what they mean is looked at by the next fit."""
    for each in field.items():
        if type(each.value) not in (str, int, bool):
            raise each.error("a name, a number or true or false")
    return list(field.value)


def _or_none(read: Callable[[Field], Any]) -> Callable[[Field], Any]:
    return lambda field: field.or_none(read)


# How each setting is read; others, such as callbacks or a weak learner, are not kept.
READERS: dict[str, Callable[[Field], Any]] = {
    "nu": _fraction,
    "nus": _or_none(_nus),
    "tol": _positive,
    "max_depth": _count,
    "max_bins": _or_none(partial(_count, at_most=MOST_THRESHOLDS)),
    "categorical_features": _or_none(_columns),
    "columns_per_round": _count,
    "max_iter": _count,
    "time_limit": _or_none(_positive),
    "calibration": _or_none(partial(_count, at_least=2)),
    "warm_start": Field.flag,
    "n_jobs": _or_none(_jobs),
    "verbose": partial(_count, at_least=0),
    "fw_rule": _or_none(lambda field: field.one_of(FW_RULES)),
    "secondary": _or_none(lambda field: field.one_of(SECONDARIES)),
    "cv": _or_none(partial(_count, at_least=2)),
    "scoring": _or_none(Field.text),
}


def parameters_of(model: SoftMarginBooster) -> dict[str, Any]:
    """The settings that JSON can hold."""
    settings = model.get_params(deep=False)
    kept = {name: _plain(value) for name, value in settings.items() if name in READERS and _is_plain(value)}
    kept["verbose"] = int(settings["verbose"])
    weight = settings["class_weight"]
    if isinstance(weight, Mapping):
        # A number may be given for a class that is the same number of another type.
        as_class = {label: label for label in model.classes_.tolist()}
        weight = [[as_class.get(_plain(label), label), _plain(factor)] for label, factor in weight.items()]
    kept["class_weight"] = weight
    return kept


def read_parameters(field: Field, classifier: type[SoftMarginBooster], classes: list[Any]) -> dict[str, Any]:
    """Settings for the constructor of a classifier."""
    known = inspect.signature(classifier).parameters
    parameters = {}
    for name, value in field.any_members().items():
        if name not in known or (name not in READERS and name != "class_weight"):
            raise ValueError(f"{value.where} is no setting of {classifier.__name__}")
        parameters[name] = _class_weight(value, classes) if name == "class_weight" else READERS[name](value)
    return parameters


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
        weights[same[0]] = _positive(factor)
    return weights


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple | np.ndarray):
        return all(isinstance(each, bool | int | float | str | np.bool_ | np.number) for each in value)
    return value is None or isinstance(value, bool | int | float | str | np.bool_ | np.number)
