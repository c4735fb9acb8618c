"""Who answers a distribution with a hypothesis."""

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Oracle, WeakLearner
from frankboost.learners.finite import FiniteClass

__all__ = ["Answer", "FiniteClass", "Hypothesis", "HypothesisClass", "Oracle", "WeakLearner"]
