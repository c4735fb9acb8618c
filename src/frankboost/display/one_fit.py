"""The fit that a plot is about: the only one, or that of one class against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from frankboost.certificate import Certificate
from frankboost.estimators.base import SoftMarginBooster
from frankboost.trace import Trace

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OneFit:
    """What an estimator holds of one fit; -1 and +1 stand for `sides`."""

    certificate: Certificate
    trace: Trace
    hypotheses: list[Any]
    weights: Floats
    sides: tuple[str, str]


def one_fit(estimator: Any, label: Any) -> OneFit:
    """The fit of `label` against the rest, or the only one if there are two classes."""
    place = class_index(estimator, label)
    low, high = estimator.classes_[:2] if place is None else (f"not {label}", label)

    def part(values: Any) -> Any:
        return values if place is None else values[place]

    return OneFit(
        certificate=part(estimator.certificate_),
        trace=part(estimator.trace_),
        hypotheses=part(estimator.estimators_),
        weights=part(estimator.estimator_weights_),
        sides=(str(low), str(high)),
    )


def class_index(estimator: Any, label: Any) -> int | None:
    """Where `label` is among more than two classes; None if there are two, and one fit."""
    if not isinstance(estimator, SoftMarginBooster):
        raise TypeError(f"estimator must be a classifier of frankboost; got {estimator!r}")
    check_is_fitted(estimator)
    classes: list[Any] = estimator.classes_.tolist()
    if len(classes) == 2:
        if label is not None:
            raise ValueError(f"label must be None, as there is one fit for two classes; got {label!r}")
        return None
    if label not in classes:
        raise ValueError(f"label must be one of the classes {classes}; got {label!r}")
    return classes.index(label)
