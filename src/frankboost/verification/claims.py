"""What a certificate claims, against what is found."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.certificate import Certificate, CertificateError
from frankboost.typing import Floats
from frankboost.verification.hypotheses import DeclaredClass, declared_class
from frankboost.verification.sample import Sample, checked_sample

# What rounding may do to sums that are exact in theory, and to the two ends of the certificate.
ROUNDING = 1e-9
AGREEMENT = 1e-6


def verify(
    model: Any, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Certificate | list[Certificate]:
    """Recompute the certificate of a fitted model from the data it was fitted to.

    The soft margin is min {d . mu : d in P} with margins mu_i = y_i sum_j w_j h_j(x_i), caps
    c_i = q_i / nu and P = {d : 0 <= d <= c, sum d = 1}; the bound is the largest edge
    max_h sum_i d_i y_i h(x_i) over the declared class at the stored distribution d.

    Parameters
    ----------
    model : fitted classifier
        Read by its attributes alone; its trees are evaluated anew.
    X, y, sample_weight : array-like
        As given to `fit`.

    Returns
    -------
    Certificate, or a list of them, one per class, if the model has more than two classes
        With the soft margin and the bound that were found. The bound is the claimed one if the certificate
        says `exact=False`: it cannot be proved.

    Raises
    ------
    CertificateError
        If a certificate does not hold; the message says what was claimed and what was found.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifier(nu=0.3).fit(X, y)
    >>> abs(verify(clf, X, y).bound - clf.certificate_.bound) < 1e-6
    True
    """
    classes = np.asarray(_attribute(model, "classes_"))
    if classes.ndim != 1 or len(classes) < 2:
        raise ValueError(f"model must have at least two classes_; got {classes!r}")
    parts = [_attribute(model, name) for name in PARTS]
    if len(classes) == 2:
        return _verify(Claim(*parts), checked_sample(X, y, sample_weight, _rows(parts), model))
    for name, part in zip(PARTS, parts, strict=True):
        if not isinstance(part, list) or len(part) != len(classes):
            raise ValueError(f"model must have a list of {len(classes)} as its {name}; got {part!r}")
    return [
        _verify(Claim(*own), checked_sample(X, y, sample_weight, _rows(own), model, positive=label))
        for label, own in zip(classes, zip(*parts, strict=True), strict=True)
    ]


# The attributes of a fitted model that a certificate is about.
PARTS = ("certificate_", "distribution_", "hypothesis_class_", "estimators_", "estimator_weights_")


@dataclasses.dataclass(frozen=True, eq=False)
class Claim:
    """What was fitted to tell one class from another, or from the rest, and is claimed of it."""

    certificate: Any
    distribution: Any
    hypothesis_class: Any
    hypotheses: Any
    weights: Any


def _rows(parts: Any) -> int:
    return int(np.asarray(parts[PARTS.index("distribution_")]).size)


def _verify(model: Claim, sample: Sample) -> Certificate:
    claim = model.certificate
    if not isinstance(claim, Certificate):
        raise TypeError(f"model must have a Certificate as its certificate_; got {claim!r}")
    declared = declared_class(model.hypothesis_class, sample.X)
    if claim.exact and not declared.provable:
        raise CertificateError(
            "exact: claimed True, found a class that cannot be searched exactly "
            f"({claim.hypothesis_class!r}; trees of depth 1 or 2 and finite classes can)"
        )
    if not 0.0 < claim.nu <= 1.0:
        raise CertificateError(f"nu: claimed a fraction in (0, 1], found {claim.nu!r}")
    caps = sample.prior / claim.nu
    d = _distribution(np.asarray(model.distribution, dtype=np.float64), sample, caps)
    margins = sample.y * _vote(model, declared, sample.X)
    found = dataclasses.replace(
        claim,
        soft_margin=_soft_margin(margins, caps),
        bound=declared.largest_edge(sample.X, d * sample.y) if claim.exact else claim.bound,
    )
    _compare(claim, found)
    return found


def _attribute(model: Any, name: str) -> Any:
    if not hasattr(model, name):
        raise ValueError(f"model must be fitted; this {type(model).__name__} has no {name}")
    return getattr(model, name)


def _distribution(stored: Floats, sample: Sample, caps: Floats) -> Floats:
    """The stored distribution on the rows that carry weight, which must be in P."""
    outside = stored[~sample.carries]
    if outside.any():
        raise CertificateError(
            f"distribution: claimed 0 on rows of weight 0, found {outside[outside != 0][0]}"
        )
    d: Floats = stored[sample.carries]
    within = (d >= -ROUNDING * caps) & (d <= caps * (1.0 + ROUNDING))
    if not within.all():
        i = int(np.argmin(within))
        raise CertificateError(f"distribution: claimed within its caps 0 <= d <= {caps[i]}, found {d[i]}")
    if not abs(d.sum() - 1.0) <= ROUNDING:
        raise CertificateError(f"distribution: claimed sum 1, found {d.sum()}")
    return d


def _vote(model: Claim, declared: DeclaredClass, X: Floats) -> Floats:
    """sum_j w_j h_j(x), with weights that must be a convex combination."""
    hypotheses = list(model.hypotheses)
    weights = np.asarray(model.weights, dtype=np.float64)
    if weights.shape != (len(hypotheses),):
        raise CertificateError(
            f"weights: claimed one for each of {len(hypotheses)} hypotheses, found shape {weights.shape}"
        )
    if not (weights >= 0.0).all():
        raise CertificateError(f"weights: claimed >= 0, found {weights[~(weights >= 0.0)][0]}")
    if not abs(weights.sum() - 1.0) <= ROUNDING:
        raise CertificateError(f"weights: claimed sum 1, found {weights.sum()}")
    vote = np.zeros(len(X))
    for j, (hypothesis, weight) in enumerate(zip(hypotheses, weights, strict=True)):
        vote += weight * declared.values(f"hypothesis {j}", hypothesis, X)
    return vote


def _soft_margin(margins: Floats, caps: Floats) -> float:
    """min {d . margins : 0 <= d <= caps, sum d = 1}: the smallest margins fill their caps first."""
    order = np.argsort(margins, kind="stable")
    filled = np.minimum(np.cumsum(caps[order]), 1.0)
    return float(np.diff(filled, prepend=0.0) @ margins[order])


def _compare(claim: Certificate, found: Certificate) -> None:
    for name in ("soft_margin", "bound"):
        claimed, recomputed = getattr(claim, name), getattr(found, name)
        if not abs(claimed - recomputed) <= AGREEMENT:
            raise CertificateError(f"{name}: claimed {claimed!r}, found {recomputed!r}")
    # Both ends agree by now, so the gap that was found is as small to within 2 AGREEMENT.
    if claim.status == "optimal" and not claim.gap <= claim.tol + ROUNDING:
        raise CertificateError(
            f'status: claimed "optimal" with tol {claim.tol!r}, found a gap of {claim.gap!r}'
        )
