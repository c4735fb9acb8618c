"""Any scikit-learn classifier that takes sample_weight, as a weak learner."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from frankboost.learners.base import Answer, HypothesisClass, Oracle, WeakLearner
from frankboost.typing import Floats


@dataclass(frozen=True)
class Classifier(WeakLearner):
    """Weak learner: a scikit-learn classifier fitted to the distribution as sample weights.

    The classifier minimises a loss of its own, so that its edge need not be the largest, and the certificate
    says `exact=False`. A `random_state` of None is set to 0, so that the same data give the same model.
    """

    estimator: Any

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> ClassifierOracle:
        """Check that the classifier can be weighted."""
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise TypeError(f"estimator must take sample_weight in fit; {self.estimator!r} does not")
        return ClassifierOracle(self.estimator, X, y)


@dataclass(frozen=True, eq=False)
class FittedClassifier:
    """A fitted classifier as a hypothesis: +1 where it predicts `positive`, else -1, times `sign`.

    The sign is -1 if the edge were negative without it.
    """

    classifier: Any
    sign: float = 1.0
    positive: Any = 1

    def __call__(self, X: Floats, /) -> Floats:
        """-1 or +1 for each row."""
        with warnings.catch_warnings():
            # A classifier that was fitted to a data frame warns about arrays.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            return self.sign * np.where(self.classifier.predict(X) == self.positive, 1.0, -1.0)


@dataclass(frozen=True)
class FittedClassifiers(HypothesisClass):
    """The class of all classifiers that a fit may return; its largest edge is not known."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}, which need not find the largest edge"


class ClassifierOracle(Oracle):
    """A scikit-learn classifier at work on one training set."""

    exact = False

    def __init__(self, estimator: Any, X: Floats, y: Floats) -> None:
        self._estimator = estimator
        self._X = X
        self._y = y.astype(np.int64)
        self.hypothesis_class = FittedClassifiers(type(estimator).__name__)

    def __call__(self, u: Floats, /) -> Answer:
        """The classifier fitted with weights |u|."""
        classifier = clone(self._estimator)
        if classifier.get_params().get("random_state", 0) is None:
            classifier.set_params(random_state=0)
        # Settings such as `min_child_weight` of a classifier are meant for weights of mean 1.
        classifier.fit(self._X, self._y, sample_weight=np.abs(u) * len(u))
        hypothesis = FittedClassifier(classifier, 1.0)
        sign = -1.0 if u @ hypothesis(self._X) < 0.0 else 1.0
        return Answer([FittedClassifier(classifier, sign)])

    def recall(self, hypothesis: Any, /) -> FittedClassifier | None:
        """Any fitted classifier can be recalled, as the certificate claims nothing about this class."""
        return hypothesis if isinstance(hypothesis, FittedClassifier) else None
