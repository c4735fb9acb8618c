"""Labels that may be wrong: how many there are, of which classes, and in which rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.pictures import Printed
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import needed

MOST_SHOWN = 8  # rows in a representation
LEAST = 1e-3  # the least probability after the noise of the labels is removed
DOUBT = 0.5  # rows that count for each pair of classes, so that no wrong label has the probability 0


@dataclass(frozen=True, eq=False, repr=False)
class LabelIssues(Printed):
    """What is known about the label of each row, in the order of the rows; `print` shows the worst rows.

    Attributes
    ----------
    is_label_issue : array of bool
        The rows that are flagged.
    label_quality : array
        The probability in [0, 1] that the given label is right; NaN for rows of weight 0.
    given_label, predicted_label : array
        The label of the row, and the suggested label: the same one, unless the row is flagged or another
        class is more probable.
    margin : array
        The margin in [-1, 1]; negative if the vote is against the given label.
    weight : array
        The weight of the row in the distribution that attains the bound.
    classes : array
        All labels.
    joint : array of shape (k, k)
        The estimated share of all rows that have the label `classes[i]` and should have `classes[j]`.
    frame_index : pandas Index or None
        The index of X, if X is a data frame.
    """

    is_label_issue: Flags
    label_quality: Floats
    given_label: NDArray[Any]
    predicted_label: NDArray[Any]
    margin: Floats
    weight: Floats
    classes: NDArray[Any]
    joint: Floats
    frame_index: Any = field(default=None, kw_only=True)

    def __len__(self) -> int:
        return len(self.is_label_issue)

    def __repr__(self) -> str:
        return f"<LabelIssues: {self.is_label_issue.sum()} of {len(self)} labels flagged>"

    @property
    def order(self) -> Indices:
        """The positions of all rows, the worst label first: flagged rows before others, then by quality."""
        return np.lexsort([self.label_quality, ~self.is_label_issue])

    @property
    def index(self) -> Indices:
        """The positions of the flagged rows, the worst label first; for a data frame use `X.iloc`."""
        return self.order[: int(self.is_label_issue.sum())]

    def __str__(self) -> str:
        heads = f"{'position':>8} {'given':>12} {'suggested':>12} {'quality':>8} {'margin':>8}"
        columns = (self.given_label, self.predicted_label, self.label_quality, self.margin)
        rows = zip(self.index.tolist(), *(each[self.index].tolist() for each in columns), strict=True)
        table = [
            f"{row:>8} {given!s:>12} {new!s:>12} {q:>8.3f} {mu:>8.3f}" for row, given, new, q, mu in rows
        ]
        return "\n".join([f"{len(table)} of {len(self)} labels flagged", heads, *shortened(table)])

    def to_frame(self) -> Any:
        """A pandas DataFrame with one line per row of X and its index; columns are named as in cleanlab."""
        pd = needed("pandas", "to_frame needs", "pandas")
        return pd.DataFrame({name: getattr(self, name) for name in COLUMNS}, index=self.frame_index)


def shortened(rows: list[str]) -> list[str]:
    """The first lines of a table, and how many more there are."""
    left = len(rows) - MOST_SHOWN
    return rows[:MOST_SHOWN] + [f"{left:>8} more"] * (left > 0)


COLUMNS = ("is_label_issue", "label_quality", "given_label", "predicted_label", "margin", "weight")


def confident_joint(probabilities: Floats, given: Indices) -> Floats:
    """Estimate the share of the rows that have the label i and should have j.

    A row counts for the class j of largest probability among the classes whose probability is at least the
    mean over the rows that have the label j. Counts are scaled so that each label has its share of the rows.

    References
    ----------
    Northcutt, Jiang, Chuang: Confident learning: estimating uncertainty in dataset labels, 2021.
    """
    count = probabilities.shape[1]
    rows = np.bincount(given, minlength=count).astype(np.float64)
    thresholds = np.array([probabilities[given == j, j].mean() for j in range(count)])
    confident = probabilities >= thresholds
    best, counted = np.where(confident, probabilities, -1.0).argmax(axis=1), confident.any(axis=1)
    found = np.full((count, count), DOUBT)
    np.add.at(found, (given[counted], best[counted]), 1.0)
    joint: Floats = found / found.sum(axis=1, keepdims=True) * (rows / rows.sum())[:, None]
    return joint


def label_quality(probabilities: Floats, given: Indices, joint: Floats) -> tuple[Floats, Indices]:
    """The probability that each label is right, and the most probable class.

    By Bayes' rule P(true = j | x, given = i) is proportional to P(given = i | true = j) P(true = j | x). The
    last factor is estimated by `probabilities`.
    """
    found = _normalise_rows((joint / joint.sum(axis=0))[given] * probabilities)
    return found[np.arange(len(given)), given], found.argmax(axis=1)


def count_wrong_labels(probabilities: Floats, given: Indices, joint: Floats) -> float:
    """The expected number of wrong labels, after the noise of the labels is removed from the
    probabilities."""
    given_true = joint / joint.sum(axis=0)
    clean = _normalise_rows(np.maximum(probabilities @ np.linalg.pinv(given_true).T, LEAST))
    right, _ = label_quality(clean, given, joint)
    return float((1.0 - right).sum())


def flag_worst(quality: Floats, count: float) -> Flags:
    """Flag the `count` rows of least quality; in a tie, the first ones."""
    flagged = np.zeros(len(quality), dtype=np.bool_)
    flagged[np.argsort(quality, kind="stable")[: round(count)]] = True
    return flagged


def best_other_class(probabilities: Floats, given: Indices, joint: Floats) -> Indices:
    """The most probable class other than the given one."""
    found = (joint / joint.sum(axis=0))[given] * probabilities
    found[np.arange(len(given)), given] = -1.0
    best: Indices = found.argmax(axis=1)
    return best


def find_issues(
    classes: NDArray[Any],
    given: Indices,
    judged: Flags,
    *,
    held_out: Floats,
    mixed: Floats,
    margins: Floats,
    distribution: Floats,
) -> LabelIssues:
    """Find the wrong labels among `classes[given]`.

    `held_out` and `mixed` are class probabilities of the judged rows. The votes of the first are of fits
    without the row; the second also use votes of fits with the row. The first count the wrong labels, and the
    second rank the rows. `margins` and `distribution` have one entry for each row.
    """
    rows, own = np.flatnonzero(judged), given[judged]
    joint = confident_joint(held_out, own)
    right, best = label_quality(mixed, own, joint)
    flagged = flag_worst(right, count_wrong_labels(held_out, own, joint))
    best = np.where(flagged, best_other_class(mixed, own, joint), best)
    is_issue = np.zeros(len(given), dtype=np.bool_)
    is_issue[rows] = flagged
    quality, suggested = np.full(len(given), np.nan), given.copy()
    quality[rows], suggested[rows] = right, best
    return LabelIssues(
        is_label_issue=is_issue,
        label_quality=quality,
        given_label=classes[given],
        predicted_label=classes[suggested],
        margin=margins,
        weight=distribution,
        classes=classes,
        joint=joint,
    )


def _normalise_rows(found: Floats) -> Floats:
    found = np.maximum(found, 1e-300)
    shares: Floats = found / found.sum(axis=1, keepdims=True)
    return shares
