"""Any scikit-learn classifier that takes sample_weight, as a weak learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Classifier:
    """Weak learner: a scikit-learn classifier fitted to the distribution as sample weights.

    It minimises a loss of its own, so its edge need not be the largest and the certificate says
    `exact=False`. A `random_state` of None is set to 0, so that the same data give the same model.
    """

    estimator: Any

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> ClassifierOracle:
        """Check that the classifier can be weighted."""
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise TypeError(f"estimator must take sample_weight in fit; {self.estimator!r} does not")
        return ClassifierOracle(self.estimator, X, y)


@dataclass(frozen=True, eq=False)
class FittedClassifier:
    """A fitted classifier's label as a hypothesis; `sign` turns one with a negative edge round."""

    classifier: Any
    sign: float

    def __call__(self, X: Floats, /) -> Floats:
        """-1 or +1 for each row."""
        return self.sign * np.where(self.classifier.predict(X) > 0, 1.0, -1.0)


class ClassifierOracle:
    """A scikit-learn classifier at work on one training set."""

    exact = False

    def __init__(self, estimator: Any, X: Floats, y: Floats) -> None:
        self._estimator = estimator
        self._X = X
        self._y = y.astype(np.int64)
        self.hypothesis_class = f"{type(estimator).__name__}, which need not find the largest edge"

    def __call__(self, d: Floats, /) -> list[FittedClassifier]:
        """The classifier fitted with weights d."""
        classifier = clone(self._estimator)
        if classifier.get_params().get("random_state", 0) is None:
            classifier.set_params(random_state=0)
        # Weights of mean 1, as a classifier with settings such as min_weight expects.
        classifier.fit(self._X, self._y, sample_weight=d * len(d))
        hypothesis = FittedClassifier(classifier, 1.0)
        if (d * self._y) @ hypothesis(self._X) < 0.0:
            return [FittedClassifier(classifier, -1.0)]
        return [hypothesis]
