"""The soft margin of rows in parts: margins in buckets, then those of the last that counts in finer ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost import native
from frankboost.rooms.parts import FEW, Parts, added
from frankboost.typing import Floats

Masses = Sequence[Floats] | None  # of each part, the weight in the first buckets, if it is known
Margins = tuple[Floats, Floats]  # of some rows, and their weights


def spent(
    parts: Parts, number: int, steps: native.SoftMarginSteps, count: int, masses: Masses = None
) -> tuple[float, float]:
    """The soft margin, and the margin up to which rows count in it, of margins that `count` parts have."""
    few: Margins | None = None
    while True:
        cut = steps.cut
        if few is None:
            last = steps.last_bucket(added(masses or parts.ask("buckets", number, cut)))
            masses = None
            answers = parts.ask("within_bucket", number, cut, last, FEW // count)
            few = _joined(answers)
        else:
            last = steps.last_bucket(native.soft_margin_buckets(*few, cut))
            answers = [native.soft_margin_in_bucket(*few, cut, last)]
        paid, lowest, highest = zip(*(each[:3] for each in answers), strict=True)
        found = steps.enter(sum(paid), min(lowest), max(highest))
        if found is not None:
            return float(found), float(min(lowest))


def _joined(answers: Sequence[Any]) -> Margins | None:
    """The rows of a bucket, if every part tells them."""
    rows = [each[3:] for each in answers]
    if not all(rows):
        return None
    margins, weight = (np.concatenate(each) for each in zip(*rows, strict=True))
    return margins, weight
