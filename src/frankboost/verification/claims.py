"""What a certificate claims, against what is found: two ends as rational numbers, and what was counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.certificate import CONVERGED, Certificate, CertificateError
from frankboost.scope import Counts, Scope
from frankboost.typing import Floats, one_or_all
from frankboost.verification.hypotheses import DeclaredClass, SeparatedValues, declared_class
from frankboost.verification.labels import (
    Labels,
    class_of_each,
    class_text,
    labels_of,
    largest_edge_of_all,
    margins_of,
)
from frankboost.verification.parts import Claim, claims_of
from frankboost.verification.rationals import UNITS, Caps, rounded_down, rounded_up, whole_units
from frankboost.verification.sample import Sample

GIVEN = "(X, y and sample_weight must be those of the fit, in the same order, and the model unchanged)"


@dataclass(frozen=True)
class Ends:
    """What was found: the soft margin, the bound unless the class cannot be searched, and the right rows.

    Of the vote in use, if that is another: `in_use` and `right`.
    """

    soft_margin: Fraction
    bound: Fraction | None
    right: int  # how many have a margin above 0
    in_use: Fraction | None = None  # None: it is the vote of the soft margin


def verify(model: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Certificate:
    """Prove the certificate of a fitted model again from its training data, by code of its own.

    The margins are mu_i = y_i sum_j w_j h_j(x_i). The caps are c_i = s_i / (nu sum s) for sample weights s.
    With P = {d : 0 <= d <= c, sum d = 1}, the soft margin is min {d . mu : d in P}. The bound is the largest
    edge max_h sum_i d_i y_i h(x_i) over the declared class at the stored distribution d, plus twice the share
    of d that lies above its caps. `verify` compares both with the certificate as rational numbers, without a
    tolerance: a certificate may claim less than `verify` finds, never more.

    Parameters
    ----------
    model : fitted classifier
        Only its fitted attributes are read, and its trees are evaluated again. Its parameter `class_weight`
        must be that of the fit.
    X, y, sample_weight : array-like
        As given to `fit`.

    Returns
    -------
    Certificate, or a list of them, one per class, if the model has more than two classes
        The certificate with the soft margin found, rounded down, and the bound found, rounded up. Its words
        for the class follow from the class and the data. Its `scope` has counts: rows on which the vote is
        right, weights, thresholds, features that no threshold splits. If the certificate says `exact=False`
        and the class cannot be searched, the bound is the claimed one, which is not proved.

    Raises
    ------
    CertificateError
        If the certificate does not hold; the message says what was claimed and what was found.

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
    claims, sample = claims_of(model, X, y, sample_weight)
    return [_verify(each, sample) for each in claims]


def _verify(model: Claim, sample: Sample) -> Certificate:
    claim = model.checked_certificate()
    declared = declared_class(class_of_each(model.hypothesis_class), sample.X, sample.weight)
    if claim.exact and not declared.provable:
        raise CertificateError(
            "exact: claimed True, found a class that cannot be searched exactly "
            f"({claim.hypothesis_class!r}; trees of depth 1 or 2, of depth 3 with exact=True, and "
            "finite classes can)"
        )
    labels = labels_of(model, sample.code)
    found = _ends_of(model, claim, declared, sample, labels)
    separated = declared.separated(sample.X)
    counts = _counts(sample, labels, found.right, separated, declared.kept(sample.features))
    scope = model.scope(len(sample.code), counts)
    tells_all = all(each.all_values for each in separated or ())
    text = class_text(declared, claim.hypothesis_class, model.classes, tells_all=tells_all)
    return concluded(claim, found, text, scope)


def _ends_of(
    model: Claim, claim: Certificate, declared: DeclaredClass, sample: Sample, labels: Labels
) -> Ends:
    """Both ends without any rounding."""
    stored = sample.carried(model.shares(len(sample.carries)))
    units = whole_units("distribution", stored.ravel()).reshape(stored.shape)
    masses = labels.masses(units)
    caps = Caps(sample.weight, float(claim.nu))

    def of_vote(hypotheses: list[Any], shares: Floats) -> tuple[Fraction, int]:
        """The soft margin, and how many margins are above 0."""
        weights = whole_units("weights", shares)
        margins, exponent = margins_of(labels, declared, hypotheses, weights, sample.X)
        soft_margin = caps.soft_margin(margins) * Fraction(2) ** exponent / (UNITS * labels.scale)
        return soft_margin, sum(margin > 0 for margin in margins)

    (soft_margin, right), in_use = of_vote(*model.ensemble()), None
    if model.optimum is not None:
        in_use, right = of_vote(*model.in_use())
    bound = None
    if declared.provable:
        excess = 2 * caps.excess(masses)
        claimed = (Fraction(float(claim.bound)) - excess) * UNITS
        edge = largest_edge_of_all(declared, sample.X, labels.signed(units), claimed)
        bound = edge / (UNITS * labels.scale) + excess
    return Ends(soft_margin, bound, right, in_use)


def _counts(
    sample: Sample, labels: Labels, right: int, separated: Sequence[SeparatedValues] | None, kept: str
) -> Counts:
    """The weights and thresholds of a sample; the margins of `right` rows are positive."""
    totals = tuple(math.fsum(sample.weight[side]) for side in labels.sides)
    weighted = int(np.count_nonzero(sample.weight != 1.0))
    zero = int(np.count_nonzero(~sample.carries))
    if separated is None:
        return Counts(right, weighted, totals, kept=kept, weightless=zero)
    thresholds = sum(each.count for each in separated), sum(each.most for each in separated)
    unused = tuple(sample.features[each.feature] for each in separated if each.is_unused)
    return Counts(right, weighted, totals, thresholds, unused, kept, zero)


def concluded(claim: Certificate, found: Ends, text: str, scope: Scope) -> Certificate:
    """The certificate of what was found, if the claim is not stronger."""
    _compare(claim, found)
    return replace(
        claim,
        soft_margin=rounded_down(found.soft_margin),
        bound=claim.bound if found.bound is None else rounded_up(found.bound),
        hypothesis_class=text,
        scope=scope,
    )


def _compare(claim: Certificate, found: Ends) -> None:
    """Raise if the claim is stronger than what was found."""
    if claim.in_use is not None:
        least = found.soft_margin if found.in_use is None else found.in_use
        if Fraction(float(claim.in_use)) > least:
            name = "in_use, the soft margin of the vote that predicts"
            raise _refuted(name, claim.in_use, rounded_down(least))
    low, high, tol = (Fraction(float(each)) for each in (claim.soft_margin, claim.bound, claim.tol))
    if low > found.soft_margin:
        raise _refuted("soft_margin", claim.soft_margin, rounded_down(found.soft_margin))
    if found.bound is not None and high < found.bound:
        raise _refuted("bound", claim.bound, rounded_up(found.bound))
    if high < low:
        raise CertificateError(
            f"bound: claimed {claim.bound!r}, found it below the soft margin {claim.soft_margin!r}"
        )
    largest = {"optimal": tol, "closed": tol, "converged": max(tol, Fraction(CONVERGED))}.get(claim.status)
    if largest is not None and high - low > largest:
        raise CertificateError(
            f'status: claimed "{claim.status}" with tol {claim.tol!r}, found a gap of {claim.gap!r}'
        )


def _refuted(name: str, claimed: float, found: float) -> CertificateError:
    return CertificateError(f"{name}: claimed {claimed!r}, found {found!r} {GIVEN}")
