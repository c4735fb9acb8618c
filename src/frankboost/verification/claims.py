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
from frankboost.verification.hypotheses import DeclaredClass, Told
from frankboost.verification.labels import Labels, declared_by, labels_of, largest_edge_of_all
from frankboost.verification.parts import Claim, claims_of
from frankboost.verification.proof import Caps
from frankboost.verification.rationals import UNITS, rounded_down, rounded_up, whole_units
from frankboost.verification.sample import Sample

GIVEN = "(for X, y and sample_weight as in the fit)"


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

    With margins mu_i = y_i sum_j w_j h_j(x_i), caps c_i = s_i / (nu sum s) for sample weights s, and P = {d
    : 0 <= d <= c, sum d = 1}, the soft margin is min {d . mu : d in P}. The bound is the largest edge max_h
    sum_i d_i y_i h(x_i) over the declared class at the stored distribution d, plus twice the share of d
    that lies above its caps. `verify` compares both with the certificate as rational numbers, without a
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
    return [_verify(*each) for each in claims_of(model, X, y, sample_weight)]


def _verify(model: Claim, sample: Sample) -> Certificate:
    claim = model.checked_certificate()
    declared = declared_by(model.hypothesis_class, sample.X, sample.weight)
    if claim.exact and not declared.provable:
        raise CertificateError(
            "exact: claimed True, found a class that cannot be searched exactly "
            f"({claim.hypothesis_class!r}; trees of depth 1 or 2, of depth 3 with exact=True, and "
            "finite classes can)"
        )
    found = _ends_of(model, claim, declared, sample)
    told: Any = declared.told(sample.X)
    scope = _scope_of(sample, found.right, told, declared.kept(sample.features))
    text = declared.text(told, claim.hypothesis_class)
    return concluded(claim, found, text, scope)


def _ends_of(model: Claim, claim: Certificate, declared: DeclaredClass, sample: Sample) -> Ends:
    """Both ends without any rounding."""
    stored = sample.carried(model.shares(len(sample.carries)))
    labels = labels_of(sample.y, sample.code, sample.classes)
    units = whole_units("distribution", stored.ravel()).reshape(stored.shape)
    masses = labels.masses(units)
    caps = Caps(sample.weight, float(claim.nu))
    (soft_margin, right), in_use = _margins_of(model.ensemble(), caps, declared, sample, labels), None
    if model.optimum is not None:
        in_use, right = _margins_of(model.in_use(), caps, declared, sample, labels)
    bound = None
    if declared.provable:
        excess = 2 * caps.excess(masses)
        claimed = (Fraction(float(claim.bound)) - excess) * UNITS
        edge = largest_edge_of_all(declared, sample.X, labels.signed(units), claimed)
        bound = edge / (UNITS * labels.scale) + excess
    return Ends(soft_margin, bound, right, in_use)


def _margins_of(
    vote: tuple[list[Any], Floats], caps: Caps, declared: DeclaredClass, sample: Sample, labels: Labels
) -> tuple[Fraction, int]:
    """The soft margin of a vote, and how many margins are above 0."""
    hypotheses, shares = vote
    margins, exponent = labels.margins(declared, hypotheses, whole_units("weights", shares), sample.X)
    soft_margin = caps.soft_margin(margins) * Fraction(2) ** exponent / (UNITS * labels.scale)
    return soft_margin, sum(margin > 0 for margin in margins)


def _scope_of(sample: Sample, right: int, told: Sequence[Told] | None, kept: str) -> Scope:
    """The classes, rows, weights and thresholds of a sample; the margins of `right` rows are positive."""
    sides = labels_of(sample.y, sample.code, sample.classes).sides
    totals = tuple(math.fsum(sample.weight[side]) for side in sides)
    weighted = int(np.count_nonzero(sample.weight != 1.0))
    thresholds: tuple[int, int] | None = None
    unused: tuple[str | int, ...] = ()
    if told is not None:
        thresholds = sum(each.count for each in told), sum(each.most for each in told)
        unused = tuple(sample.features[each.feature] for each in told if each.count == 0 < each.most)
    counts = Counts(right, weighted, totals, thresholds, unused, kept)
    if sample.classes is None:
        return checked_scope(sample.positive, sample.negative, len(sample.y), counts)
    return checked_scope_of_all(sample.classes, len(sample.y), counts)


def checked_scope(positive: Any, negative: Any, rows: int, counts: Counts) -> Scope:
    """The scope, if both sides have rows; else there is nothing to tell apart."""
    if 0.0 in counts.totals:
        which = "no row" if counts.totals[0] == 0.0 else "no row but those"
        raise CertificateError(f"class {positive!r}: claimed to be told from others, found {which} of it")
    return Scope(positive, negative, rows, counts.weighted > 0, counts)


def checked_scope_of_all(classes: Sequence[Any], rows: int, counts: Counts) -> Scope:
    """The scope of many classes in one game, if all of them have rows."""
    if 0.0 in counts.totals:
        gone = classes[counts.totals.index(0.0)]
        raise CertificateError(f"class {gone!r}: claimed to be told from others, found no row of it")
    return Scope(None, None, rows, counts.weighted > 0, counts, classes=tuple(classes))


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
            raise CertificateError(f"in_use: claimed {claim.in_use!r}, found {rounded_down(least)!r} {GIVEN}")
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
