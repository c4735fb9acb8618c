"""The methods of a fitted classifier that check its training rows: hard examples and wrong labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted, column_or_1d

from frankboost.choosing.calibration import HeldOutVotes, calibrate_each
from frankboost.estimators.cross_calibration import clone_for_fold
from frankboost.estimators.wrong_labels import MOST_SHOWN, LabelIssues, find_issues, shortened
from frankboost.model import Model, positives
from frankboost.pictures import Printed
from frankboost.saying import named, unsaid
from frankboost.tables.labelled import check_labels
from frankboost.tables.weights import check_weights
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import check_count, needed

REPEATS = 3
HALF_TOL = 0.05  # the least tolerance of a fit to half of the rows, set by the data sets of `studies/labels`
ROUNDING = 1e-9  # the largest rounding error of a mean of margins


@dataclass(frozen=True, eq=False, repr=False)
class HardExamples(Printed):
    """The rows at their cap, hardest first; `print` shows a table and what is proved about all votes."""

    index: Indices  # the positions of the rows
    margin: Floats  # in [-1, 1]; negative if the row is misclassified
    weight: Floats  # in the distribution that attains the bound
    proofs: Sequence[str] = ()  # one sentence for each ensemble whose bound is proved, by weak duality

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        first = ", ".join(map(str, self.index[:MOST_SHOWN]))
        more = ", ..." if len(self) > MOST_SHOWN else ""
        return f"<HardExamples: {len(self)} rows{f', hardest first: {first}{more}' if first else ''}>"

    def __str__(self) -> str:
        if len(self) == 0:
            return "no row is at its cap; a larger nu makes the caps lower"
        columns = zip(self.index, self.margin, self.weight, strict=True)
        rows = [f"{row:>8} {margin:>8.3f} {weight:>9.3g}" for row, margin, weight in columns]
        return "\n".join([f"{'position':>8} {'margin':>8} {'weight':>9}", *shortened(rows), *self.proofs])

    def to_frame(self) -> Any:
        """A pandas DataFrame with the columns margin and weight, indexed by position."""
        pd = needed("pandas", "to_frame needs", "pandas")
        index = pd.Index(self.index, name="position")
        return pd.DataFrame({"margin": self.margin, "weight": self.weight}, index=index)


class RowChecks:
    """The methods of a classifier that need the training set again."""

    model_: Model

    def hard_examples(self, X: Any, y: ArrayLike) -> HardExamples:
        """The training rows that limit the bound: no ensemble has a large margin on all of them.

        These are outliers, rows with wrong labels, and rows that the features cannot tell apart. They are
        the rows with the largest weight allowed (their cap) in the distribution that attains the bound g. For
        any theta > g, every ensemble of the class has margins of at most theta on some rows, which together
        have at least the share (theta - g) / (1 + theta) of that distribution.

        Parameters
        ----------
        X, y : array-like
            The training set, as given to `fit`.

        Returns
        -------
        HardExamples
            An object with `index` (the positions of the rows), `margin` and `weight`, hardest row first.
            `print` shows a table and what is proved about all ensembles; `to_frame()` gives a data frame.
        """
        margins, weight = self._margins_and_weights(X, column_or_1d(y))
        hard = np.flatnonzero(self.model_.capped)
        order = hard[np.argsort(margins[hard], kind="stable")]
        proofs = [each.certificate.hard_sentence() for each in self.model_.ensembles]
        return HardExamples(order, margins[order], weight[order], [each for each in proofs if each])

    @named
    def label_issues(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, repeats: int = REPEATS
    ) -> LabelIssues:
        """Find the training rows with the most suspicious labels, and how probable it is that each label is
        right.

        The method halves the rows at random several times, and fits a classifier with these settings to
        each half, at a tolerance of 0.05. The calibrated votes for rows that a classifier did not see
        estimate how many labels of one class should be another class, as in confident learning. Together
        with the votes of the classifiers that did see a row, they rank the rows. All fits take about as
        long as `repeats` fits to all rows at a given nu. The function `frankboost.label_issues` fits a
        classifier for this purpose, at a nu so large that the vote does not follow wrong labels.

        Parameters
        ----------
        X, y, sample_weight : array-like
            The training set, as given to `fit`. Rows of weight 0 are not judged.
        repeats : int, default=3
            How often the rows are halved. With more halvings, the result depends less on chance.

        Returns
        -------
        LabelIssues
            An object with one entry per row in `is_label_issue`, `label_quality`, `given_label`,
            `predicted_label`, `margin` and `weight`, and with `index`, the positions of the flagged rows.
            `print` shows the worst rows; `to_frame()` gives a data frame with the column names of the
            package cleanlab and the index of X.
        """
        check_is_fitted(self)
        check_count("repeats", repeats, at_least=1)
        labels = check_labels(y, len(column_or_1d(y)))
        margins, distribution = self._margins_and_weights(X, labels)
        weight = check_weights(sample_weight, len(labels))
        judged, classes = weight > 0.0, self.model_.classes
        given = np.searchsorted(classes, labels)
        weights = None if sample_weight is None else weight
        held_out, fitted = self._votes_of_halves(X, labels, weights, judged, repeats)
        size = np.abs(held_out).mean(axis=0) / np.maximum(np.abs(fitted).mean(axis=0), ROUNDING)
        mixed = np.clip((size * fitted + held_out) / 2.0, -1.0, 1.0)
        first, second = _class_probabilities(held_out, mixed, given[judged], weight[judged])
        found = find_issues(
            classes,
            given,
            judged,
            held_out=first,
            mixed=second,
            margins=margins,
            distribution=distribution,
        )
        return replace(found, frame_index=X.index if hasattr(X, "iloc") else None)

    def _margins_and_weights(self, X: Any, labels: Any) -> tuple[Floats, Floats]:
        """The margins of the training rows and their weights in the distribution that attains the bound.

        A ValueError says if X and the labels are not those of the fit.
        """
        margins = self.model_.margins(self._votes(X), labels)
        ensembles = self.model_.ensembles
        d = np.array([each.mass for each in ensembles])
        if d.shape[1] != len(margins):
            raise ValueError(f"X must have the {d.shape[1]} rows of the fit; got {len(margins)} rows")
        if len(self.model_.classes) == 2:
            _check_fitted_rows(ensembles[0].certificate, float(d[0] @ margins))
        return margins, d.max(axis=0)

    def _votes(self, X: Any) -> Floats:
        raise NotImplementedError

    def _votes_of_halves(
        self, X: Any, labels: Any, weight: Floats | None, judged: Flags, repeats: int
    ) -> tuple[Floats, Floats]:
        """Fit halves of the rows; for each row the mean vote of the fits without it, and of those with it."""
        from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415  (heavy)

        plain, rows = self._clone_for_half(), np.flatnonzero(judged)
        known, counts = np.unique(labels[rows], return_counts=True)
        if counts.min() < 2:
            raise ValueError(
                "y must have at least two rows of every class for label_issues, which halves the rows; "
                f"{known.tolist()[int(counts.argmin())]!r} has one"
            )
        votes = np.zeros((2, len(rows), len(positives(self.model_.classes))))
        for seed in range(repeats):
            halves = StratifiedKFold(2, shuffle=True, random_state=seed).split(rows, labels[rows])
            for part, _ in halves:
                train = rows[part]
                given = {} if weight is None else {"sample_weight": weight[train]}
                with unsaid(UserWarning):
                    half = clone(plain).fit(_safe_indexing(X, train), labels[train], **given)
                seen = np.isin(rows, train).astype(np.intp)
                votes[seen, np.arange(len(rows))] += half._votes(X)[rows].reshape(len(rows), -1) / repeats
        return votes[0], votes[1]

    def _clone_for_half(self) -> Any:
        """Clone the classifier to fit half of the rows, at the nu of the fit."""
        plain = clone_for_fold(self)
        known = plain.get_params(deep=False)
        if "nu" in known and len(self.model_.ensembles) == 1:
            plain.set_params(nu=self.model_.ensembles[0].certificate.nu)
        if "tol" in known:
            plain.set_params(tol=max(plain.tol, HALF_TOL))
        return plain


def _check_fitted_rows(certificate: Any, mean: float) -> None:
    """Raise a ValueError unless the mean margin under the distribution is between soft margin and bound.

    This holds on the rows of the fit: under a distribution within the caps, no mean margin is below the soft
    margin, and no vote has a mean margin above the bound.
    """
    low = getattr(certificate, "in_use", None)
    low = certificate.soft_margin if low is None else low
    high = certificate.bound if certificate.exact else 1.0
    if not low - ROUNDING <= mean <= high + ROUNDING:
        raise ValueError(
            "X and y must be the rows of the fit, in the same order: under the distribution of the fit "
            f"their mean margin must be in [{low:.5f}, {high:.5f}]; got {mean:.5f}"
        )


def _class_probabilities(
    held_out: Floats, mixed: Floats, given: Indices, weight: Floats
) -> tuple[Floats, Floats]:
    """The class probabilities for held-out votes and for mixed votes; the held-out votes calibrate both."""
    count = held_out.shape[1]
    targets = given[:, None] == positives(np.arange(max(count, 2)))
    parts = [
        HeldOutVotes(votes, target, weight / weight.mean())
        for votes, target in zip(held_out.T, targets.T, strict=True)
    ]
    calibration = calibrate_each(parts)
    found = [calibration(votes) for votes in (held_out, mixed)]
    if count == 1:
        return np.hstack([1.0 - found[0], found[0]]), np.hstack([1.0 - found[1], found[1]])
    first, second = (np.maximum(each, 1e-12) for each in found)
    return first / first.sum(axis=1, keepdims=True), second / second.sum(axis=1, keepdims=True)
