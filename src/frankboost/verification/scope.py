"""What was counted in the data that a certificate was checked against."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.scope import Counts, Scope
from frankboost.verification.hypotheses import Told
from frankboost.verification.sample import Sample


def scope_of(sample: Sample, right: int, told: Sequence[Told] | None) -> Scope:
    """The classes, rows, weights and thresholds of a sample; the margins of `right` rows are positive."""
    positive = sample.y > 0.0
    totals = math.fsum(sample.weight[positive]), math.fsum(sample.weight[~positive])
    weighted = int(np.count_nonzero(sample.weight != 1.0))
    thresholds: tuple[int, int] | None = None
    unused: tuple[str | int, ...] = ()
    if told is not None:
        thresholds = sum(each.count for each in told), sum(each.most for each in told)
        unused = tuple(sample.features[each.feature] for each in told if each.count == 0 < each.most)
    counts = Counts(right, weighted, totals, thresholds, unused)
    return checked_scope(sample.positive, sample.negative, len(sample.y), counts)


def checked_scope(positive: Any, negative: Any, rows: int, counts: Counts) -> Scope:
    """The scope, if both sides have rows; else there is nothing to tell apart."""
    if 0.0 in counts.totals:
        which = "no row" if counts.totals[0] == 0.0 else "no row but those"
        raise CertificateError(f"class {positive!r}: claimed to be told from others, found {which} of it")
    return Scope(positive, negative, rows, counts.weighted > 0, counts)
