"""Hypotheses for many classes: tuples of one hypothesis per class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from frankboost.learners.base import Hypothesis, HypothesisClass
from frankboost.scope import joint_text
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False, repr=False)
class OnePerClass:
    """One hypothesis per class of labels; together they are one hypothesis, with one weight."""

    members: tuple[Hypothesis, ...]

    def __repr__(self) -> str:
        return f"<OnePerClass: {', '.join(map(repr, self.members))}>"

    def __call__(self, X: Floats, /) -> Floats:
        """The votes for each row of X, one column per class."""
        return np.column_stack([member(X) for member in self.members])


@dataclass(frozen=True, eq=False, repr=False)
class JointClass(HypothesisClass):
    """The class of all tuples of `classes` hypotheses of the class `each`."""

    each: HypothesisClass
    classes: int
    searched_as: ClassVar[Literal["trees", "columns", "joint"] | None] = "joint"

    def __str__(self) -> str:
        return joint_text(str(self.each), self.classes)


def class_of_each(kind: HypothesisClass) -> HypothesisClass:
    """The class of the members of a joint hypothesis; for any other class, the class itself."""
    return kind.each if isinstance(kind, JointClass) else kind
