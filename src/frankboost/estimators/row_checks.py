"""What a fitted classifier says about the rows that it was fitted to: hard examples, wrong labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import check_is_fitted, column_or_1d

from frankboost.choosing.calibration import HeldOut, calibration_of
from frankboost.estimators.hard_examples import HardExamples
from frankboost.estimators.out_of_fold import quiet, votes_out_of_fold
from frankboost.estimators.wrong_labels import LabelIssues, issues_of
from frankboost.model import Model, positives
from frankboost.model.model import vote_columns
from frankboost.saying import unsaid
from frankboost.tables.labelled import check_labels
from frankboost.tables.weights import check_weights
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import check_count

FOLDS = 5
ROUNDING = 1e-9  # of a mean of margins


class RowChecks:
    """The methods of a classifier that take the training set again."""

    model_: Model

    def hard_examples(self, X: Any, y: ArrayLike) -> HardExamples:
        """The training examples at their cap in the distribution that attains the bound.

        No ensemble over the class has a large margin on all of them at once: outliers, wrong labels,
        and what the features cannot tell apart. With the bound g, every ensemble over the class has a margin
        of at most theta > g on rows of at least the share (theta - g) / (1 + theta) of the distribution.

        Parameters
        ----------
        X, y : array-like
            The training set, as given to `fit`.

        Returns
        -------
        HardExamples
            With `index`, `margin` and `weight`, hardest first; printed it is a table and what is proved, and
            `to_frame()` a data frame.
        """
        _, margins, weight = self._facts(X, column_or_1d(y))
        hard = np.flatnonzero(self.model_.capped)
        order = hard[np.argsort(margins[hard], kind="stable")]
        proofs = [each.certificate.hard_sentence() for each in self.model_.ensembles]
        return HardExamples(order, margins[order], weight[order], [each for each in proofs if each])

    def label_issues(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, cv: int = FOLDS
    ) -> LabelIssues:
        """How probable it is that the label of each training row is right, and which labels are wrong.

        The labels are compared with votes of this fit and with votes of `cv` fits from each of which a part
        of the rows is left out; so this takes about `cv` times as long as a fit at a nu that is given. How
        many labels of each class should be which other follows from the held-out votes, as in confident
        learning. `frankboost.label_issues` fits a classifier for this purpose, at a large nu.

        Parameters
        ----------
        X, y, sample_weight : array-like
            The training set, as given to `fit`. Rows without weight are not judged.
        cv : int, default=5
            At most so many fits; no more than the smallest class has rows.

        Returns
        -------
        LabelIssues
            With one entry per row: `is_label_issue`, `label_quality`, `given_label`, `predicted_label`,
            `margin` and `weight`. Printed it lists the worst; `to_frame()` is a data frame with the column
            names of the package cleanlab.
        """
        check_is_fitted(self)
        check_count("cv", cv, at_least=2)
        labels = check_labels(y, len(column_or_1d(y)))
        votes, margins, weight = self._facts(X, labels)
        rows = check_weights(sample_weight, len(labels))
        judged, classes = rows > 0.0, self.model_.classes
        given = np.searchsorted(classes, labels)
        held_out = self._held_out(X, labels, sample_weight, judged, cv)
        own = vote_columns(votes)[judged] if len(classes) > 2 else votes[judged, None]
        size = np.abs(held_out).mean(axis=0) / np.maximum(np.abs(own).mean(axis=0), ROUNDING)
        chances = _chances(
            held_out, np.clip((size * own + held_out) / 2.0, -1.0, 1.0), given[judged], rows[judged]
        )
        return issues_of(classes, given, chances, judged, [margins, weight])

    def _facts(self, X: Any, labels: Any) -> tuple[Floats, Floats, Floats]:
        """Votes, margins and weights of the training rows; a ValueError for other rows."""
        votes: Floats = self._votes(X)
        margins = self.model_.margins(votes, labels)
        ensembles = self.model_.ensembles
        d = np.array([each.distribution for each in ensembles])
        if d.shape[1] != len(margins):
            raise ValueError(f"X must have the {d.shape[1]} rows that were fitted; got {len(margins)} rows")
        if len(ensembles) == 1:
            _check_fitted_rows(ensembles[0].certificate, float(d[0] @ margins))
        return votes, margins, d.max(axis=0)

    def _votes(self, X: Any) -> Floats:
        raise NotImplementedError

    def _held_out(
        self, X: Any, labels: Any, sample_weight: ArrayLike | None, judged: Flags, cv: int
    ) -> Floats:
        """The vote for each judged row of a fit that did not see it, one column per ensemble."""
        plain = quiet(self)
        if len(self.model_.ensembles) == 1 and "nu" in plain.get_params():
            plain.set_params(nu=self.model_.ensembles[0].certificate.nu)  # also where it was chosen
        fewest = int(np.unique(labels[judged], return_counts=True)[1].min())
        splitter = StratifiedKFold(max(min(cv, fewest), 2), shuffle=True, random_state=0)
        with unsaid(UserWarning):
            return votes_out_of_fold(plain, (X, labels, sample_weight), judged, cv=splitter)


def _check_fitted_rows(certificate: Any, mean: float) -> None:
    """Raise unless the mean margin under the distribution is between soft margin and bound.

    On the rows of the fit it is: no distribution within the caps has a smaller mean than the soft margin, and
    no vote a larger one than the bound.
    """
    low = getattr(certificate, "in_use", None)
    low = certificate.soft_margin if low is None else low
    high = certificate.bound if certificate.exact else 1.0
    if not low - ROUNDING <= mean <= high + ROUNDING:
        raise ValueError(
            "X and y must be the rows that were fitted, in their order: under the distribution of the fit "
            f"their mean margin must be in [{low:.5f}, {high:.5f}]; got {mean:.5f}"
        )


def _chances(held_out: Floats, both: Floats, given: Indices, weight: Floats) -> tuple[Floats, Floats]:
    """Probabilities of the classes for held-out votes and for others, calibrated on the first."""
    count = held_out.shape[1]
    targets = given[:, None] == positives(np.arange(max(count, 2)))
    parts = [
        HeldOut(votes, target, weight / weight.mean())
        for votes, target in zip(held_out.T, targets.T, strict=True)
    ]
    calibration = calibration_of(parts)
    found = [calibration(votes) for votes in (held_out, both)]
    if count == 1:
        return np.hstack([1.0 - found[0], found[0]]), np.hstack([1.0 - found[1], found[1]])
    first, second = (np.maximum(each, 1e-12) for each in found)
    return first / first.sum(axis=1, keepdims=True), second / second.sum(axis=1, keepdims=True)
