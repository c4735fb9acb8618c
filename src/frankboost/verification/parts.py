"""The parts of a fitted model that its certificates are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import NotFittedError

from frankboost.certificate import Certificate, CertificateError
from frankboost.typing import Floats, Status
from frankboost.verification.sample import Sample, checked_sample

PARTS = ("certificate_", "distribution_", "hypothesis_class_", "estimators_", "estimator_weights_")


@dataclass(frozen=True, eq=False)
class Claim:
    """What was fitted to tell one class from another, or from the rest, and is claimed of it."""

    certificate: Any
    distribution: Any
    hypothesis_class: Any
    hypotheses: Any
    weights: Any

    def checked_certificate(self) -> Certificate:
        """The certificate, if its numbers are numbers and its status is one that a fit can end with."""
        claim = self.certificate
        if not isinstance(claim, Certificate):
            raise TypeError(f"model must have a Certificate as its certificate_; got {claim!r}")
        for name in ("soft_margin", "bound", "tol", "nu"):
            value = getattr(claim, name)
            if not isinstance(value, float | int | np.floating) or not np.isfinite(value):
                raise CertificateError(f"{name}: claimed a finite number, found {value!r}")
        if not 0.0 < claim.nu <= 1.0:
            raise CertificateError(f"nu: claimed a fraction in (0, 1], found {claim.nu!r}")
        if not isinstance(claim.exact, bool | np.bool_):
            raise CertificateError(f"exact: claimed True or False, found {claim.exact!r}")
        if claim.status not in get_args(Status):
            raise CertificateError(f"status: claimed one of {get_args(Status)}, found {claim.status!r}")
        return claim

    def shares(self, rows: int) -> Floats:
        """The distribution, one number per row that was given to fit."""
        return _vector("distribution", self.distribution, rows, "rows")

    def ensemble(self) -> tuple[list[Any], Floats]:
        """The hypotheses and their weights."""
        hypotheses = list(self.hypotheses)
        return hypotheses, _vector("weights", self.weights, len(hypotheses), "hypotheses")


def _vector(name: str, values: Any, count: int, what: str) -> Floats:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or array.shape != (count,):
        raise CertificateError(
            f"{name}: claimed one real number for each of {count} {what}, "
            f"found {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.float64)


def claims_of(
    model: Any, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
) -> list[tuple[Claim, Sample]]:
    """What a model claims: of the second of two classes, or of each class against the rest."""
    classes, claims = all_claims(model)
    labels = [None] if len(claims) == 1 else classes
    return [
        (claim, checked_sample(X, y, sample_weight, np.size(claim.distribution), model, positive=label))
        for label, claim in zip(labels, claims, strict=True)
    ]


def all_claims(model: Any) -> tuple[list[Any], list[Claim]]:
    """The classes of a model, and what it claims: one claim, or one for each of more than two classes."""
    classes = np.asarray(_attribute(model, "classes_"))
    if classes.ndim != 1 or len(classes) < 2:
        raise ValueError(f"model must have at least two classes_; got {classes!r}")
    if len({str(label) for label in classes.tolist()}) < len(classes):
        raise ValueError(f"model must have classes_ that differ as text; got {classes.tolist()!r}")
    parts = [_attribute(model, name) for name in PARTS]
    if len(classes) == 2:
        return classes.tolist(), [Claim(*parts)]
    for name, part in zip(PARTS, parts, strict=True):
        if not isinstance(part, list) or len(part) != len(classes):
            raise ValueError(f"model must have a list of {len(classes)} as its {name}; got {part!r}")
    return classes.tolist(), [Claim(*own) for own in zip(*parts, strict=True)]


def _attribute(model: Any, name: str) -> Any:
    try:
        return getattr(model, name)
    except AttributeError as error:
        # One that is a ValueError too says why there is none, but for scikit-learn's of what is not fitted.
        if isinstance(error, ValueError) and not isinstance(error, NotFittedError):
            raise
        raise ValueError(f"model must be fitted; this {type(model).__name__} has no {name}") from None
