"""What a certificate claims, against what is found."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

from numpy.typing import ArrayLike

from frankboost.certificate import CONVERGED, Certificate, CertificateError
from frankboost.scope import Scope
from frankboost.typing import one_or_all
from frankboost.verification.ends import Ends, ends_of
from frankboost.verification.hypotheses import declared_class
from frankboost.verification.parts import Claim, claims_of
from frankboost.verification.rationals import rounded_down, rounded_up
from frankboost.verification.sample import Sample
from frankboost.verification.scope import scope_of

GIVEN = "(for X, y and sample_weight as in the fit)"


def verify(model: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Certificate:
    """Recompute the certificate of a fitted model from the data it was fitted to.

    The soft margin is min {d . mu : d in P} with margins mu_i = y_i sum_j w_j h_j(x_i), caps
    c_i = s_i / (nu sum s) for weights s and P = {d : 0 <= d <= c, sum d = 1}. The bound is the largest edge
    max_h sum_i d_i y_i h(x_i) over the declared class at the stored distribution d, plus twice the share of d
    that lies above its caps. Both are compared with the claim as rational numbers, without a tolerance: a
    claim may be weaker than what is found, never stronger.

    Parameters
    ----------
    model : fitted classifier
        Read by its attributes alone; its trees are evaluated anew. Its parameter `class_weight` must be that
        of the fit.
    X, y, sample_weight : array-like
        As given to `fit`.

    Returns
    -------
    Certificate, or a list of them, one per class, if the model has more than two classes
        With the soft margin that was found, rounded down, and the bound, rounded up. What it calls the class
        follows from the class and the data, and its `scope` has what was counted there: rows that the vote
        gets right, weights, thresholds, features that nothing splits. Where the certificate says
        `exact=False`, a class that can be searched is, and otherwise the bound is the claimed one: it cannot
        be proved.

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
    >>> verify(clf, X, y) == clf.certificate_
    True
    """
    return one_or_all(verified(model, X, y, sample_weight))


def verified(model: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> list[Certificate]:
    """What `verify` finds, as a list for two classes too."""
    return [_verify(*each) for each in claims_of(model, X, y, sample_weight)]


def _verify(model: Claim, sample: Sample) -> Certificate:
    claim = model.checked_certificate()
    declared = declared_class(model.hypothesis_class, sample.X)
    if claim.exact and not declared.provable:
        raise CertificateError(
            "exact: claimed True, found a class that cannot be searched exactly "
            f"({claim.hypothesis_class!r}; trees of depth 1 or 2, of depth 3 with exact=True, and "
            "finite classes can)"
        )
    found = ends_of(model, claim, declared, sample)
    told: Any = declared.told(sample.X)
    scope = scope_of(sample, found.right, told)
    text = declared.text(told, claim.hypothesis_class)
    return concluded(claim, found, text, scope)


def concluded(claim: Certificate, found: Ends, text: str, scope: Scope) -> Certificate:
    """The certificate of what was found, if the claim is not stronger."""
    _compare(claim, found)
    return dataclasses.replace(
        claim,
        soft_margin=rounded_down(found.soft_margin),
        bound=claim.bound if found.bound is None else rounded_up(found.bound),
        hypothesis_class=text,
        scope=scope,
    )


def _compare(claim: Certificate, found: Ends) -> None:
    """Raise if the claim is stronger than what was found."""
    low, high, tol = (Fraction(float(each)) for each in (claim.soft_margin, claim.bound, claim.tol))
    if low > found.soft_margin:
        raise CertificateError(
            f"soft_margin: claimed {claim.soft_margin!r}, found {rounded_down(found.soft_margin)!r} {GIVEN}"
        )
    if found.bound is not None and high < found.bound:
        raise CertificateError(f"bound: claimed {claim.bound!r}, found {rounded_up(found.bound)!r} {GIVEN}")
    if high < low:
        raise CertificateError(
            f"bound: claimed {claim.bound!r}, found it below the soft margin {claim.soft_margin!r}"
        )
    largest = {"optimal": tol, "closed": tol, "converged": max(tol, Fraction(CONVERGED))}.get(claim.status)
    if largest is not None and high - low > largest:
        raise CertificateError(
            f'status: claimed "{claim.status}" with tol {claim.tol!r}, found a gap of {claim.gap!r}'
        )
