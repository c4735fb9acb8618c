"""Functions for `callbacks=`: a fit calls them after each round, and ends when one returns True."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frankboost.arrays import equals
from frankboost.learners.base import Hypothesis
from frankboost.model import positives, weighted_vote
from frankboost.trace import Record, Trace
from frankboost.typing import Flags, Floats
from frankboost.validation import check_count, quoted
from frankboost.vote_scores import Scoring, vote_score

__all__ = ["EarlyStopping", "JsonLines", "Observer", "Round"]


@dataclass(frozen=True, eq=False, repr=False)
class Round(Record):
    """The argument of a callback: the record of a round, and the best ensemble known after it.

    Attributes
    ----------
    known : list of hypotheses
        All hypotheses found so far.
    weights : array with one entry per hypothesis
    label : object
        The class of a positive vote. None with multi_class="joint", where each class has a vote.
    classes : array
        All classes of the fit, in the order in which they are fitted against the rest.
    encode : function
        Converts a table to numbers and checks it as `predict` does; the same function in every round.
    """

    known: Sequence[Hypothesis]
    weights: Floats
    label: Any
    classes: NDArray[Any]
    encode: Callable[[Any], Floats]

    def __repr__(self) -> str:
        return f"<Round {self.round}: {self.soft_margin:.5f} to {self.bound:.5f}, {self.support} hypotheses>"

    def decision_function(self, X: Any) -> Floats:
        """The vote of the best ensemble known, for a table like that of the fit."""
        return weighted_vote(*self.ensemble(), self.encode(X))

    def ensemble(self) -> tuple[list[Hypothesis], Floats]:
        """The hypotheses with a weight, and their weights."""
        used = np.flatnonzero(self.weights).tolist()
        return [self.known[j] for j in used], self.weights[used]

    def record(self) -> Record:
        """The numbers of the round, as the trace keeps them."""
        return Record(**{name: getattr(self, name) for name in Trace.columns})


Observer = Callable[[Round], object]


class EarlyStopping:
    """Stop when the score on your own rows has not risen for some rounds, and keep the best round.

    The model is the ensemble of the round with the largest score; of equal scores, the last one. The
    certificate is about this ensemble, and says "stopped" if its gap is above tol, even if a later round
    closed the gap. `trace_` and the stages have all rounds.

    Parameters
    ----------
    X, y : array-like
        Rows that are not those of the fit, with their labels. Columns and classes must be those of the fit.
    patience : int, default=10
        The number of rounds without a better score after which the fit stops. Rounds in which a single
        hypothesis has all the weight do not count.
    scoring : str, function or None, default=None
        The name of a score of scikit-learn for two classes, such as "roc_auc". The positive rows are those of
        the class that a positive vote is for; probabilities are shares of the vote. Or a function (votes,
        target) -> float, where larger is better and `target` is True for positive rows. None: accuracy. A
        named score other than accuracy needs positive rows and other rows in y.

    Attributes
    ----------
    scores : list of float
        The score after each round of the last fit; with many classes, one class after the other.
    best_round : int
        The round that was kept; with many classes, the round of the last class.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> watch = EarlyStopping(X[400:], y[400:], patience=3)
    >>> clf = SoftMarginClassifier(0.05, 1e-4, callbacks=[watch]).fit(X[:400], y[:400])
    >>> clf.certificate_.status
    'stopped'
    """

    def __init__(
        self, X: Any, y: ArrayLike, patience: int = 10, *, scoring: str | Scoring | None = None
    ) -> None:
        check_count("patience", patience, at_least=1)
        self._X = X if hasattr(X, "shape") else np.asarray(X)  # the fit checks and encodes them
        self._y = np.asarray(y)
        if len(self._X.shape) != 2 or self._y.shape != (len(self._X),):
            raise ValueError(
                "EarlyStopping: X must be a table, and y must have one label per row of X; "
                f"got shapes {self._X.shape} and {self._y.shape}"
            )
        self._patience = patience
        self._scoring = vote_score(scoring)
        self._compares = scoring if isinstance(scoring, str) and scoring != "accuracy" else None
        self.scores: list[float] = []
        self._best, self._waited = -math.inf, 0
        self.best_round = 0
        self.kept_weights: Floats | None = None  # the fit asks for them

    def __call__(self, event: Round) -> bool:
        """Whether it is time to stop."""
        if event.round == 1:
            self._begin(event)
        score = self._score(weighted_vote(*event.ensemble(), self._rows), self._target(event))
        self.scores.append(score)
        if score > self._best:
            self._best, self._waited = score, 0
        elif np.count_nonzero(event.weights) > 1:
            self._waited += 1
        if score == self._best:
            self.best_round, self.kept_weights = event.round, event.weights
        return self._waited >= self._patience

    def _target(self, event: Round) -> Any:
        """Which rows are of the class of a positive vote; with a vote for each class, the number of each
        row's class."""
        if event.label is not None:
            return equals(self._y, event.label)
        return np.argmax([equals(self._y, label) for label in event.classes.tolist()], axis=0)

    def _score(self, votes: Floats, target: Flags) -> float:
        found = self._scoring(votes, target)
        try:
            score = float(found)
        except (TypeError, ValueError):
            score = math.nan
        if math.isnan(score):
            raise ValueError(f"EarlyStopping: scoring must give a number; got {quoted(found)}")
        return score

    def _begin(self, event: Round) -> None:
        classes = event.classes.tolist()
        strange = [label for label in self._y.tolist() if label not in classes]
        if strange:
            raise ValueError(
                f"EarlyStopping: y must hold the classes {classes} of the fit; got {strange[0]!r}"
            )
        if self._compares is not None:
            self._check_compared(event)
        try:
            self._rows = event.encode(self._X)
        except ValueError as error:
            raise ValueError(f"EarlyStopping: {error}") from error
        if event.label is None or event.label == positives(event.classes)[0]:  # the first ensemble of a fit
            self.scores = []
        self._best, self._waited = -math.inf, 0
        self.kept_weights = None

    def _check_compared(self, event: Round) -> None:
        """Raise a ValueError if a score that compares two classes lacks rows of one of them."""
        if event.label is None:
            raise ValueError(
                "EarlyStopping: scoring must be None or a function of votes and the numbers of classes with "
                f'multi_class="joint"; got {self._compares!r}'
            )
        count = int(equals(self._y, event.label).sum())
        if count in (0, len(self._y)):
            raise ValueError(
                f"EarlyStopping: y must hold rows of {_plain(event.label)!r} and of other classes for "
                f"scoring={self._compares!r}; got {count} of {len(self._y)} rows"
            )


class JsonLines:
    """Write the record of each round to a file, one JSON object per line, while the fit runs.

    In each record, `label` is the class of a positive vote: with many classes, the class that is fitted
    against the rest.

    Parameters
    ----------
    path : str or path
        The file; lines are appended to it.

    Examples
    --------
    >>> import tempfile
    >>> from frankboost import SoftMarginClassifier
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rounds.jsonl"
    ...     clf = SoftMarginClassifier(0.5, callbacks=[JsonLines(path)]).fit([[0.0], [1.0]], [0, 1])
    ...     len(path.read_text().splitlines()) == clf.n_iter_
    ...
    True
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = Path(path)

    def __call__(self, event: Round) -> None:
        """Append a line."""
        line = {"label": event.label, **asdict(event.record())}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, default=_plain) + "\n")


def _plain(label: Any) -> Any:
    """A value as JSON can hold it; text for dates and other objects."""
    return label.item() if isinstance(label, np.number | np.bool_) else str(label)
