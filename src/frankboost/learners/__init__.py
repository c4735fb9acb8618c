"""Weak learners: they find hypotheses of large edge under a distribution over the rows."""

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Oracle, WeakLearner
from frankboost.learners.finite import FiniteClass

__all__ = ["Answer", "FiniteClass", "Hypothesis", "HypothesisClass", "Oracle", "WeakLearner"]
