"""The parts of a fitted model that its certificates are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import NotFittedError

from frankboost.certificate import Certificate, CertificateError
from frankboost.scope import Counts, Scope
from frankboost.typing import Floats, Status
from frankboost.verification.sample import Sample, checked_sample

PARTS = ("certificate_", "distribution_", "hypothesis_class_", "estimators_", "estimator_weights_")
OPTIMUM = "optimum_"  # which only some models have


@dataclass(frozen=True, eq=False)
class Claim:
    """What was fitted to tell a class from another, from the rest, or all of them; and what is claimed."""

    labels: tuple[Any, ...]  # of all classes of the model
    number: int | None  # of the class that is told from the other, or from the rest; None: all are one game
    certificate: Any
    distribution: Any
    hypothesis_class: Any
    hypotheses: Any
    weights: Any
    optimum: Any  # with hypotheses and weights of its own, if these are not what is certified

    @property
    def label(self) -> Any:
        """The class that is told from the other, or from the rest; None if all are one game."""
        return None if self.number is None else self.labels[self.number]

    @property
    def classes(self) -> int:
        """How many there are in the game."""
        return len(self.labels) if self.number is None else 2

    @property
    def rows(self) -> int:
        """The rows of the distribution, which may have a column for each class."""
        return int(np.size(self.distribution)) // (1 if self.classes == 2 else self.classes)

    def checked_certificate(self) -> Certificate:
        """The certificate, if its numbers are numbers and its status is one that a fit can end with."""
        claim = self.certificate
        if not isinstance(claim, Certificate):
            raise TypeError(f"model must have a Certificate as its certificate_; got {claim!r}")
        ends = [] if claim.in_use is None else ["in_use"]
        for name in ("soft_margin", "bound", "tol", "nu", *ends):
            value = getattr(claim, name)
            if not isinstance(value, float | int | np.floating) or not np.isfinite(value):
                raise CertificateError(f"{name}: claimed a finite number, found {value!r}")
        if self.optimum is not None and claim.in_use is None:
            raise CertificateError("in_use: claimed nothing, found a vote in use that is not the optimum")
        if not 0.0 < claim.nu <= 1.0:
            raise CertificateError(f"nu: claimed a fraction in (0, 1], found {claim.nu!r}")
        if not isinstance(claim.exact, bool | np.bool_):
            raise CertificateError(f"exact: claimed True or False, found {claim.exact!r}")
        if claim.status not in get_args(Status):
            raise CertificateError(f"status: claimed one of {get_args(Status)}, found {claim.status!r}")
        return claim

    def shares(self, rows: int) -> Floats:
        """The distribution, one number per row that was given to fit, or one per row and class."""
        shape = (rows,) if self.classes == 2 else (rows, self.classes)
        return _numbers("distribution", self.distribution, shape, "rows")

    def scope(self, rows: int, counts: Counts) -> Scope:
        """The classes and so many rows, if all sides have rows; else there is nothing to tell apart."""
        if 0.0 in counts.totals:
            empty = counts.totals.index(0.0)
            gone = self.labels[empty] if self.number is None else self.label
            found = "no row but those" if self.number is not None and empty > 0 else "no row"
            raise CertificateError(f"class {gone!r}: claimed to be told from others, found {found} of it")
        weighted = counts.weighted > 0
        if self.number is None:
            return Scope(None, None, rows, weighted, counts, classes=self.labels)
        negative = self.labels[0] if len(self.labels) == 2 else None
        return Scope(self.label, negative, rows, weighted, counts)

    def in_use(self) -> tuple[list[Any], Floats]:
        """The hypotheses and weights of the vote that predicts."""
        return _vote(self)

    def ensemble(self) -> tuple[list[Any], Floats]:
        """The hypotheses and weights that the certificate is about."""
        return _vote(self if self.optimum is None else self.optimum)


def _vote(of: Any) -> tuple[list[Any], Floats]:
    hypotheses = list(of.hypotheses)
    return hypotheses, _numbers("weights", of.weights, (len(hypotheses),), "hypotheses")


def _numbers(name: str, values: Any, shape: tuple[int, ...], what: str) -> Floats:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or array.shape != shape:
        raise CertificateError(
            f"{name}: claimed one real number for each of {' x '.join(map(str, shape))} {what}, "
            f"found {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.float64)


def claims_of(
    model: Any, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[list[Claim], Sample]:
    """What a model claims, and the rows that it claims it of."""
    claims = all_claims(model)
    return claims, checked_sample(X, y, sample_weight, claims[0].rows, model)


def all_claims(model: Any) -> list[Claim]:
    """What a model claims: once, of two classes or of all in one game, or of each class against the rest."""
    classes = np.asarray(_attribute(model, "classes_"))
    if classes.ndim != 1 or len(classes) < 2:
        raise ValueError(f"model must have at least two classes_; got {classes!r}")
    labels = tuple(classes.tolist())
    if len({str(label) for label in labels}) < len(labels):
        raise ValueError(f"model must have classes_ that differ as text; got {list(labels)!r}")
    optimum = getattr(model, OPTIMUM, None)
    parts = [*(_attribute(model, name) for name in PARTS), optimum]
    joint = getattr(parts[2], "searched_as", None) == "joint"
    if joint and parts[2].classes != len(labels):
        raise ValueError(f"model must have a class of {len(labels)} votes; got {parts[2]}")
    if len(labels) == 2 or joint:
        return [Claim(labels, 1 if len(labels) == 2 else None, *parts)]
    parts[-1] = [None] * len(labels) if optimum is None else optimum
    for name, part in zip((*PARTS, OPTIMUM), parts, strict=True):
        if not isinstance(part, list) or len(part) != len(labels):
            raise ValueError(f"model must have a list of {len(labels)} as its {name}; got {part!r}")
    return [Claim(labels, number, *own) for number, own in enumerate(zip(*parts, strict=True))]


def _attribute(model: Any, name: str) -> Any:
    try:
        return getattr(model, name)
    except AttributeError as error:
        # One that is a ValueError too says why there is none, but for scikit-learn's of what is not fitted.
        if isinstance(error, ValueError) and not isinstance(error, NotFittedError):
            raise
        raise ValueError(
            f"model must be a fitted classifier of frankboost; this {type(model).__name__} has no {name}"
        ) from None
