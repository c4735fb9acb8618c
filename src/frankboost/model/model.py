"""A fitted classifier as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.model.ensemble import Ensemble, VoteAlone, are_joint, weighted_vote
from frankboost.pictures import block, words
from frankboost.scope import Scope
from frankboost.typing import Flags, Floats

Categories = Mapping[str | int, NDArray[Any]]

LEAST = 1e-3  # a share is taken for no smaller, so that its logarithm exists
MORE = 0.5 + 2.0**-53  # than a half, as is what 1 minus it is less
MOST_SHOWN = 10  # classes in a notebook


def positives(classes: NDArray[Any]) -> NDArray[Any]:
    """The class of a positive vote of each ensemble: the second of two classes, or each class against the
    rest."""
    return classes[1:] if len(classes) == 2 else classes


def own_class(labels: NDArray[Any], classes: NDArray[Any], count: int) -> Flags:
    """Which class each of `count` rows is of, one column per class; a ValueError for other labels."""
    if len(labels) != count:
        raise ValueError(f"y must have one label for each of the {count} rows of X; got {len(labels)}")
    own: Flags = labels[:, None] == classes
    if not own.any(axis=1).all():
        strange = labels.tolist()[int(np.argmin(own.any(axis=1)))]
        raise ValueError(f"y must hold the classes {classes.tolist()}; got {strange!r}")
    return own


@dataclass(frozen=True, eq=False)
class Contest:
    """An ensemble that votes for the class `label`, and against `other`, or the rest if that is None.

    Of many classes that are one game there is neither.
    """

    label: Any
    other: Any
    ensemble: Ensemble

    def __str__(self) -> str:
        """The classes that the vote tells apart."""
        if self.label is None:
            return "each class against the next"
        return f"{self.label} against {'the rest' if self.other is None else self.other}"

    @property
    def sides(self) -> tuple[str, str]:
        """The texts for votes of -1 and +1."""
        if self.label is None and are_joint(self.ensemble.hypotheses):
            return "another class", "the class of the row"
        return f"not {self.label}" if self.other is None else str(self.other), str(self.label)


def log_shares(votes: Floats) -> tuple[Floats, Floats]:
    """ln of the shares (1 + vote) / 2 and (1 - vote) / 2 of the weight that is for a class and against it.

    They count from what they are at a vote of 0, where both are 0 after all rounding.
    """
    return np.log1p(votes / (1.0 + 2.0 * LEAST)), np.log1p(-votes / (1.0 + 2.0 * LEAST))


@dataclass(frozen=True, eq=False)
class Calibration:
    """p = f + (1 - 2 f) / (1 + exp(-z)) with z = a ln(1 + v) - b ln(1 - v) + intercept of a vote v.

    One entry per ensemble. It is beta calibration (Kull, Silva Filho, Flach: Beta calibration, 2017) with a
    floor f, an eighth of a row among all of them: rows cannot tell smaller probabilities apart. The votes for
    many classes of one game have one entry for all: p_k = f + (1 - K f) exp(z_k) / sum_l exp(z_l), in the
    order of the votes.
    """

    a: Floats
    b: Floats
    intercept: Floats  # 0: a vote above 0 is a probability above 1/2
    floor: Floats

    @property
    def is_one(self) -> bool:
        """Whether the votes of all ensembles have the same one, which keeps their order."""
        return all(len(np.unique(each)) == 1 for each in (self.a, self.b, self.intercept, self.floor))

    def log_odds(self, votes: Floats) -> Floats:
        """Before the floor, for votes of shape (m, k), one column per ensemble."""
        share, other = log_shares(votes)
        return self.a * share - self.b * other + self.intercept

    def __call__(self, votes: Floats) -> Floats:
        """Probabilities for votes of shape (m, k), one column per ensemble."""
        # exp of a large number would warn; the probability is at its floor long before.
        chances = 1.0 / (1.0 + np.exp(np.minimum(-self.log_odds(votes), 700.0)))
        chances = self.floor + (1.0 - 2.0 * self.floor) * chances
        # No rounding takes a probability to the other side of 1/2.
        sided = np.where(votes > 0.0, np.maximum(chances, MORE), np.minimum(chances, 0.5))
        return np.where(self.intercept == 0.0, sided, chances)

    def together(self, votes: Floats) -> Floats:
        """Probabilities of the classes of one game, one column per class."""
        z = self.log_odds(votes)
        powers = np.exp(z - z.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        found: Floats = self.floor + (1.0 - votes.shape[1] * self.floor) * shares
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Classes and the ensembles that tell them apart."""

    classes: NDArray[Any]  # sorted
    categories: Categories  # of each categorical column, by its name, or its number if columns have no names
    ensembles: tuple[Ensemble, ...]  # one for the second of two classes; else one per class against the rest
    capped: Flags  # training rows as heavy as they may be in some ensemble
    importances: Floats | None = None  # of the features, scaled to sum 1
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
            block(words(str(each))) + each.ensemble.certificate._repr_html_()
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
        importances: Floats | None,
        rows: int,
        weighted: bool,
    ) -> Model:
        """The model of some ensembles that were fitted to the same rows.

        `rows` is how many of them carry weight, and `weighted` whether a weight is not 1.
        """
        capped = np.any([each.capped for each in ensembles if each.capped is not None], axis=0)
        plain = tuple(replace(each, bin_weights=None) for each in ensembles)
        model = cls(classes, categories, plain, capped, importances, dates=dates or None)
        return model.with_scopes(rows, weighted=weighted)

    def with_scopes(self, rows: int, *, weighted: bool) -> Model:
        """The model with scopes in its certificates, for so many rows of weight."""
        classes = tuple(self.classes.tolist()) if self.is_joint else None
        scoped = []
        for game in self.games:
            scope = Scope(game.label, game.other, rows, weighted, classes=classes)
            scoped.append(replace(game.ensemble, certificate=replace(game.ensemble.certificate, scope=scope)))
        return replace(self, ensembles=tuple(scoped))

    @property
    def contests(self) -> list[Contest]:
        """The vote for each class, with the classes that it tells apart."""
        classes = self.classes.tolist()
        other = classes[0] if len(classes) == 2 else None
        labels = positives(self.classes).tolist()
        voters = [voter for each in self.ensembles for voter in each.voters()]
        return [Contest(label, other, each) for label, each in zip(labels, voters, strict=True)]

    @property
    def games(self) -> list[Contest]:
        """The contests as they were fitted: classes that were fitted together are one entry."""
        return [Contest(None, None, self.ensembles[0])] if self.is_joint else self.contests

    @property
    def is_joint(self) -> bool:
        """Whether more than two classes were told apart in one game, by one ensemble."""
        return len(self.classes) > 2 and len(self.ensembles) == 1

    def votes(self, X: Floats, threads: int = 1) -> Floats:
        """One vote per row for the second of two classes; else one column per class."""
        return _joined([weighted_vote(each.hypotheses, each.weights, X, threads) for each in self.ensembles])

    def staged_rounds(self) -> list[int]:
        """The rounds after which the best ensemble known was kept; a loaded model has none, and says so."""
        return sorted({number for each in self.ensembles for number in each.path()[1]})

    def staged_votes(self, X: Floats, threads: int = 1) -> Iterator[Floats]:
        """The votes after each of those rounds; the last is the vote in use."""
        after = [each.staged_votes(X, threads) for each in self.ensembles]
        *numbers, last = self.staged_rounds()
        for number in numbers:
            yield _joined([votes(number) for votes in after])
        in_use = any(each.optimum is not None for each in self.ensembles)
        yield self.votes(X, threads) if in_use else _joined([votes(last) for votes in after])

    def labels(self, votes: Floats) -> NDArray[Any]:
        """The class with the largest vote; the first of them in a tie.

        Where each of more than two classes has a calibration of its own, it is the most probable one: their
        votes have different scales.
        """
        if votes.ndim == 1:
            best = (votes > 0.0).astype(np.intp)
        elif self.calibration is None or self.calibration.is_one:
            best = np.argmax(votes, axis=1)
        else:
            best = np.argmax(self.calibration(votes), axis=1)
        return self.classes[best]

    def probabilities(self, votes: Floats) -> Floats:
        """One column per class; rows sum to 1.

        Without calibration a vote counts as the share (1 + vote) / 2 of the weight that is for the class.
        """
        votes = votes[:, None] if votes.ndim == 1 else votes
        if self.is_joint and self.calibration is not None:
            return self.calibration.together(votes)
        positive = (1.0 + votes) / 2.0 if self.calibration is None else self.calibration(votes)
        if positive.shape[1] == 1:
            return np.hstack([1.0 - positive, positive])
        total = positive.sum(axis=1, keepdims=True)
        even = np.full_like(positive, 1.0 / positive.shape[1])
        shares: Floats = np.divide(positive, total, out=even, where=total > 0.0)
        return shares

    def margins(self, votes: Floats, labels: NDArray[Any]) -> Floats:
        """The margin of each row: the vote for its own class, against the other, the rest, or the next class.

        The last is half the difference of the votes for two classes, and that of one game for all classes.
        """
        own = own_class(labels, self.classes, len(votes))
        columns = vote_columns(votes)
        margins: Floats = columns[own]
        if self.is_joint:
            margins = (margins - np.where(own, -np.inf, columns).max(axis=1)) / 2.0
        return margins


def vote_columns(votes: Floats) -> Floats:
    """One column per class: of two classes, one's vote is the other's with the opposite sign."""
    return votes if votes.ndim == 2 else np.column_stack([0.0 - votes, votes])


def _joined(votes: list[Floats]) -> Floats:
    return votes[0] if len(votes) == 1 else np.column_stack(votes)
