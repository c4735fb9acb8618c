"""A callback that stops a fit when it no longer helps on rows kept aside."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.callbacks.round import Round
from frankboost.model import positives
from frankboost.validation import check_count


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
        self._best = -np.inf
        self._since = 0

    def __call__(self, event: Round) -> bool:
        """Whether it is time to stop."""
        if event.round == 1:
            self._begin(event)
        votes = event.votes(self._rows)
        self.scores.append(float(np.mean((votes > 0.0) == (self._y == event.label))))
        if self.scores[-1] > self._best:
            self._best, self._since = self.scores[-1], 0
            return False
        self._since += 1
        return self._since >= self._patience

    def _begin(self, event: Round) -> None:
        classes = event.classes.tolist()
        strange = [label for label in self._y.tolist() if label not in classes]
        if strange:
            raise ValueError(
                f"EarlyStopping: y must hold the classes {classes} of the fit; got {strange[0]!r}"
            )
        try:
            self._rows = event.numbers(self._X)
        except ValueError as error:
            raise ValueError(f"EarlyStopping: {error}") from error
        self._best, self._since = -np.inf, 0
        if event.label == positives(event.classes)[0]:  # the first ensemble of a fit
            self.scores = []
