"""The weak learner of a classifier, and checks that it works with the classifier's other parameters."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.classifier import Classifier
from frankboost.validation import quoted

JOINT = "joint"  # the value of `multi_class` for one game of all classes
CONSTRAINTS = ("monotonic_cst", "interaction_cst", "min_samples_leaf")


def check_monotonic(learner: WeakLearner, classes: NDArray[Any]) -> None:
    """Raise a ValueError for monotonic_cst with more than two classes."""
    signs = getattr(learner, "monotonic_cst", None)
    if signs is not None and len(classes) > 2:
        raise ValueError(
            "monotonic_cst must be None with more than two classes, whose votes cannot all rise; "
            f"got {quoted(signs)} with {len(classes)} classes"
        )


def check_joint(clf: Any, learner: WeakLearner) -> None:
    """Raise a ValueError if the classes cannot be fitted together (multi_class="joint")."""
    if clf.multi_class != JOINT:
        return
    if not learner.splits_features:
        raise ValueError(
            'multi_class must be "ovr" unless the weak learner is BestTree, the default; '
            f"got {JOINT!r} with {learner!r}"
        )


def make_weak_learner(clf: Any) -> WeakLearner:
    """Make the weak learner of a classifier from its parameter `estimator` and the parameters of trees."""
    learner, constraints = clf.estimator, {name: getattr(clf, name) for name in CONSTRAINTS}
    if learner is None:
        return BestTree(max_depth=clf.max_depth, max_bins=clf.max_bins, **constraints)
    for name, value in constraints.items():
        if value is not None:
            raise ValueError(
                f"{name} must be None with an estimator: give it as BestTree({name}=...); "
                f"got {quoted(value)} with {learner!r}"
            )
    if isinstance(learner, WeakLearner):
        return learner
    if hasattr(learner, "fit") and hasattr(learner, "predict") and not isinstance(learner, type):
        return Classifier(learner)
    raise TypeError(
        "estimator must be None, a weak learner (BestTree, Columns, or a WeakLearner of your own) "
        f"or a scikit-learn classifier that takes sample_weight; got {learner!r}"
    )
