"""The settings of a classifier and its labels in a JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from frankboost.estimators import classifiers
from frankboost.estimators.cv import SoftMarginClassifierCV
from frankboost.estimators.parameters import check_parameters, parameters_of
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_fields import Finite, Positive, Saved, Scalar, converted, wrong
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
# Settings that are more than values or lists of them.
CONSTRAINTS: dict[str, Any] = {
    "monotonic_cst": list[int] | dict[str, int] | None,
    "interaction_cst": list[list[int | str]] | str | None,
}
ClassWeight = list[tuple[Scalar, Positive]] | Literal["balanced"] | None

MOST_CHARACTERS = 50_000_000  # of labels, which NumPy makes as long as the longest of them
LONGEST = 100  # of labels that NumPy makes as long, in every row of a prediction, too

# What the labels of each type of NumPy are in JSON.
KINDS: dict[str, Any] = {
    **dict.fromkeys(("str", "object"), list[str]),
    "bool": list[bool],
    **dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), list[int]),
    **dict.fromkeys(("float16", "float32", "float64"), list[Finite]),
}


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
    return kept | {name: _plain_constraint(settings[name]) for name in CONSTRAINTS}


def _plain_constraint(value: Any) -> Any:
    """Constraints as JSON has them: lists for sets and arrays, names of columns as they are."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: int(sign) for key, sign in value.items()}
    return [list(each) if np.iterable(each) else int(each) for each in value]


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
        kind = ClassWeight if name == "class_weight" else CONSTRAINTS.get(name, Setting)
        settings[name] = converted(value, kind, where)
    if isinstance(pairs := settings.get("class_weight"), list):
        settings["class_weight"] = weights = dict(pairs)
        if len(weights) < len(pairs) or not weights.keys() <= set(classes):
            raise wrong("parameters.class_weight", "for classes of the model, each at most once", pairs)
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


class SavedClasses(Saved, frozen=True):
    """The labels and their NumPy type."""

    kind: str
    values: Annotated[list[Scalar], Meta(min_length=2)]


def classes_of(labels: NDArray[Any]) -> dict[str, Any]:
    """Labels as the members of SavedClasses."""
    return {"kind": {"U": "str", "O": "object"}.get(labels.dtype.kind, labels.dtype.name), "values": labels}


def read_classes(classes: SavedClasses) -> NDArray[Any]:
    """Labels of their type: distinct, sorted, and not changed by it."""
    kind = classes.kind
    if kind not in KINDS:
        raise wrong("classes.kind", f"one of {', '.join(KINDS)}", kind)
    values = converted(classes.values, KINDS[kind], "classes.values")
    longest = max(map(len, values)) if kind == "str" else 0
    if len(values) * longest > MOST_CHARACTERS:
        raise wrong("classes.values", "shorter", values)
    try:
        with np.errstate(all="ignore"):
            array = np.array(values, dtype=object if kind == "str" and longest > LONGEST else kind)
    except OverflowError:
        array = np.array([])
    if array.tolist() != values:  # too large, rounded, or cut at a NUL
        raise wrong("classes.values", f"of kind {kind}", values)
    if not all(low < high for low, high in pairwise(values)):
        raise wrong("classes.values", "distinct and sorted", values)
    return array
