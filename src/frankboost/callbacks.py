"""Callbacks for `callbacks=`: called after each round, and a fit ends when one returns True."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frankboost.learners.base import Hypothesis
from frankboost.model import positives, weighted_vote
from frankboost.trace import Record, Trace
from frankboost.typing import Floats
from frankboost.validation import check_count

__all__ = ["EarlyStopping", "JsonLines", "Observer", "Round"]


@dataclass(frozen=True, eq=False)
class Round(Record):
    """What a callback is given after a round: its record, and the best ensemble known by then.

    Attributes
    ----------
    known : list of hypotheses
        All that were found so far.
    weights : array with one entry per hypothesis
    label : object
        The class that a positive vote is for.
    classes : array
        All classes of the fit; with more than two, each is fitted against the rest, in this order.
    encode : function
        From rows such as those of the fit to numbers, checked as in `predict`; the same in every round.
    """

    known: Sequence[Hypothesis]
    weights: Floats
    label: Any
    classes: NDArray[Any]
    encode: Callable[[Any], Floats]

    def decision_function(self, X: Any) -> Floats:
        """The vote of the best ensemble known, for rows such as those of the fit."""
        return weighted_vote(*self.ensemble(), self.encode(X))

    def ensemble(self) -> tuple[list[Hypothesis], Floats]:
        """The hypotheses that have a weight, and their weights."""
        used = np.flatnonzero(self.weights).tolist()
        return [self.known[j] for j in used], self.weights[used]

    def record(self) -> Record:
        """The facts alone, as the trace keeps them."""
        return Record(**{name: getattr(self, name) for name in Trace.columns})


Observer = Callable[[Round], object]


class EarlyStopping:
    """Stop when the accuracy on rows kept aside has not risen for some rounds.

    The model is still the ensemble of largest soft margin found; its certificate says "stopped".

    Parameters
    ----------
    X, y : array-like
        Rows and their labels, not those of the fit. Columns and classes must be those of the fit.
    patience : int, default=10
        Rounds without a better accuracy.

    Attributes
    ----------
    scores : list of float
        The accuracy after each round of the last fit; with many classes, of one class after the other
        against the rest.

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

    def __init__(self, X: Any, y: ArrayLike, patience: int = 10) -> None:
        check_count("patience", patience, at_least=1)
        self._X = X if hasattr(X, "shape") else np.asarray(X)  # the fit checks and encodes them
        self._y = np.asarray(y)
        if len(self._X.shape) != 2 or self._y.shape != (len(self._X),):
            raise ValueError(
                "EarlyStopping: X must be a table and y have a label for each of its rows; "
                f"got shapes {self._X.shape} and {self._y.shape}"
            )
        self._patience = patience
        self.scores: list[float] = []

    def __call__(self, event: Round) -> bool:
        """Whether it is time to stop."""
        if event.round == 1:
            self._begin(event)
        votes = weighted_vote(*event.ensemble(), self._rows)
        self.scores.append(float(np.mean((votes > 0.0) == (self._y == event.label))))
        best_round = 1 + int(np.argmax(self.scores[-event.round :]))
        return event.round - best_round >= self._patience

    def _begin(self, event: Round) -> None:
        classes = event.classes.tolist()
        strange = [label for label in self._y.tolist() if label not in classes]
        if strange:
            raise ValueError(
                f"EarlyStopping: y must hold the classes {classes} of the fit; got {strange[0]!r}"
            )
        try:
            self._rows = event.encode(self._X)
        except ValueError as error:
            raise ValueError(f"EarlyStopping: {error}") from error
        if event.label == positives(event.classes)[0]:  # the first ensemble of a fit
            self.scores = []


class JsonLines:
    """Write the record of each round to a file, one JSON object per line, as it happens.

    Its `label` is the class that a positive vote is for: with many classes, the one that is fitted against
    the rest.

    Parameters
    ----------
    path : str or path
        Lines are appended.

    Examples
    --------
    >>> import tempfile
    >>> from frankboost import SoftMarginClassifier
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rounds.jsonl"
    ...     clf = SoftMarginClassifier(callbacks=[JsonLines(path)]).fit([[0.0], [1.0]], [0, 1])
    ...     len(path.read_text().splitlines()) == clf.n_iter_
    True
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = Path(path)

    def __call__(self, event: Round) -> None:
        """Append a line."""
        line = {"label": event.label, **asdict(event.record())}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, default=np.generic.item) + "\n")
