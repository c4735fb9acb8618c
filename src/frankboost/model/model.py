"""A fitted classifier as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.model.ensemble import Ensemble, VoteAlone, weighted_vote
from frankboost.pictures import block, words
from frankboost.scope import Scope
from frankboost.typing import Flags, Floats

Categories = Mapping[str | int, NDArray[Any]]

LEAST = 1e-3  # a share is taken for no smaller, so that its logarithm exists
MOST_SHOWN = 10  # classes in a notebook


def positives(classes: NDArray[Any]) -> NDArray[Any]:
    """The class that each ensemble votes for: the second of two, else each against the rest."""
    return classes[1:] if len(classes) == 2 else classes


@dataclass(frozen=True, eq=False)
class Contest:
    """An ensemble that votes for the class `label`, and against `other`, or the rest if that is None."""

    label: Any
    other: Any
    ensemble: Ensemble

    @property
    def sides(self) -> tuple[str, str]:
        """What votes of -1 and +1 stand for."""
        return f"not {self.label}" if self.other is None else str(self.other), str(self.label)


def log_shares(votes: Floats) -> tuple[Floats, Floats]:
    """ln of the shares (1 + vote) / 2 and (1 - vote) / 2 of the weight that is for a class and against it."""
    return np.log((1.0 + votes) / 2.0 + LEAST), np.log((1.0 - votes) / 2.0 + LEAST)


@dataclass(frozen=True, eq=False)
class Calibration:
    """p = 1 / (1 + exp(-z)) with z = a ln((1 + v) / 2) - b ln((1 - v) / 2) + intercept of a vote v.

    One entry per ensemble. It is beta calibration (Kull, Silva Filho, Flach: Beta calibration, 2017).
    """

    a: Floats
    b: Floats
    intercept: Floats

    def __call__(self, votes: Floats) -> Floats:
        """Probabilities for votes of shape (m, k), one column per ensemble."""
        share, other = log_shares(votes)
        log_odds = self.a * share - self.b * other + self.intercept
        # exp of a large number would warn; the probability is 0 long before.
        return 1.0 / (1.0 + np.exp(np.minimum(-log_odds, 700.0)))


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Classes and the ensembles that tell them apart."""

    classes: NDArray[Any]  # sorted
    categories: Categories  # of each categorical column, by its name, or its number if columns have no names
    ensembles: tuple[Ensemble, ...]  # one for the second of two classes; else one per class against the rest
    capped: Flags  # training rows as heavy as they may be in some ensemble
    importances: Floats | None = None  # the mean over the ensembles, each scaled to sum 1, if all have some
    calibration: Calibration | None = None  # of the probabilities
    target_name: str | None = None  # what the column of the labels was called
    weight_name: str | None = None  # what the column of the sample weights was called, if they were one
    dates: Sequence[str] | None = None  # columns whose numbers are days since 1970-01-01, if they were dates

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(each.hypotheses)) for each in self.ensembles)
        return f"<Model of {len(self.classes)} classes: votes of {sizes} hypotheses>"

    def _repr_html_(self) -> str:
        """The certificate and the rounds of a fit; with many classes, the certificates of the first."""
        if any(isinstance(each, VoteAlone) for each in self.ensembles):
            return block(words("saved without its certificate"))
        if len(self.ensembles) == 1:
            [ensemble] = self.ensembles
            return ensemble.certificate._repr_html_() + ensemble.trace._repr_html_()
        parts = [
            block(words(f"{each.label} against the rest")) + each.ensemble.certificate._repr_html_()
            for each in self.contests[:MOST_SHOWN]
        ]
        left = len(self.ensembles) - MOST_SHOWN
        return "".join(parts) + (block(words(f"and {left} more classes")) if left > 0 else "")

    @classmethod
    def of(
        cls,
        classes: NDArray[Any],
        categories: Categories,
        ensembles: Sequence[Ensemble],
        dates: Sequence[str] = (),
        *,
        rows: int,
        weighted: bool,
    ) -> Model:
        """The model of some ensembles that were fitted to the same rows.

        `rows` is how many of them carry weight, and `weighted` whether a weight is not 1.
        """
        capped = np.any([each.capped for each in ensembles if each.capped is not None], axis=0)
        known = [each.importances for each in ensembles if each.importances is not None]
        importances = None
        if len(known) == len(ensembles):
            importances = np.mean([i / i.sum() if i.sum() > 0.0 else i for i in known], axis=0)
        scoped = with_scopes(ensembles, classes, rows, weighted=weighted)
        return cls(classes, categories, scoped, capped, importances, dates=dates or None)

    @property
    def contests(self) -> list[Contest]:
        """Each ensemble with the classes that it tells apart."""
        classes = self.classes.tolist()
        other = classes[0] if len(classes) == 2 else None
        labels = positives(self.classes).tolist()
        return [Contest(label, other, each) for label, each in zip(labels, self.ensembles, strict=True)]

    def votes(self, X: Floats, threads: int = 1) -> Floats:
        """One vote per row for the second of two classes; else one column per class."""
        return _joined([weighted_vote(each.hypotheses, each.weights, X, threads) for each in self.ensembles])

    def staged_rounds(self) -> list[int]:
        """The rounds after which the best ensemble known was kept; a loaded model has none, and says so."""
        return sorted({number for each in self.ensembles for number in each.path()[1]})

    def staged_votes(self, X: Floats, threads: int = 1) -> Iterator[Floats]:
        """The votes after each of those rounds."""
        after = [each.staged_votes(X, threads) for each in self.ensembles]
        for number in self.staged_rounds():
            yield _joined([votes(number) for votes in after])

    def labels(self, votes: Floats) -> NDArray[Any]:
        """The class with the largest vote; the first of them in a tie.

        Of more than two classes the most probable one, if votes are calibrated: ensembles of different nu
        vote in different scales.
        """
        if votes.ndim == 1:
            best = (votes > 0.0).astype(np.intp)
        else:
            best = np.argmax(votes if self.calibration is None else self.calibration(votes), axis=1)
        labels: NDArray[Any] = self.classes[best]
        return labels

    def probabilities(self, votes: Floats) -> Floats:
        """One column per class; rows sum to 1.

        Without calibration a vote counts as the share (1 + vote) / 2 of the weight that is for the class.
        """
        votes = votes[:, None] if votes.ndim == 1 else votes
        positive = (1.0 + votes) / 2.0 if self.calibration is None else self.calibration(votes)
        if positive.shape[1] == 1:
            return np.hstack([1.0 - positive, positive])
        total = positive.sum(axis=1, keepdims=True)
        even = np.full_like(positive, 1.0 / positive.shape[1])
        shares: Floats = np.divide(positive, total, out=even, where=total > 0.0)
        return shares

    def margins(self, votes: Floats, labels: NDArray[Any]) -> Floats:
        """The vote for each row's own class: against the other, or against the rest."""
        if len(labels) != len(votes):
            raise ValueError(
                f"y must have one label for each of the {len(votes)} rows of X; got {len(labels)}"
            )
        own = labels[:, None] == self.classes
        if not own.any(axis=1).all():
            strange = labels.tolist()[int(np.argmin(own.any(axis=1)))]
            raise ValueError(f"y must hold the classes {self.classes.tolist()}; got {strange!r}")
        margins: Floats = vote_columns(votes)[own]
        return margins


def vote_columns(votes: Floats) -> Floats:
    """One column per class: of two classes, one's vote is the other's with the opposite sign."""
    return votes if votes.ndim == 2 else np.column_stack([0.0 - votes, votes])


def with_scopes(
    ensembles: Sequence[Ensemble], classes: NDArray[Any], rows: int, *, weighted: bool
) -> tuple[Ensemble, ...]:
    """The ensembles, whose certificates say what they are about."""
    other = classes.tolist()[0] if len(classes) == 2 else None
    scopes = [Scope(label, other, rows, weighted) for label in positives(classes).tolist()]
    return tuple(
        replace(each, certificate=replace(each.certificate, scope=scope))
        for each, scope in zip(ensembles, scopes, strict=True)
    )


def _joined(votes: list[Floats]) -> Floats:
    return votes[0] if len(votes) == 1 else np.column_stack(votes)
