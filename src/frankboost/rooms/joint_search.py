"""The weak learner of many classes in one game: one search for each class."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, TypeVar

from frankboost.grid import rounded_down
from frankboost.learners.base import Answer, Hypothesis, Need
from frankboost.learners.one_per_class import JointClass, OnePerClass
from frankboost.learners.tree import Tree
from frankboost.rooms.base import Search
from frankboost.rooms.joint_rows import ClassRows
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number, Parts
from frankboost.typing import Floats

T = TypeVar("T")


class JointSearch:
    """The search for one hypothesis per class of rows, by a search for two classes.

    The edge of (h_1, ..., h_K) is half the sum over c of sum_i g_ic h_c(x_i). Each term depends on one
    hypothesis, so that the best hypothesis per class gives the best tuple, and the bounds add up. `search`
    takes signed example weights g_c.
    """

    drives = False

    def __init__(self, search: Search, parts: Parts, classes: int) -> None:
        self._search = search
        self._parts = parts
        self._classes = classes
        self._numbers = itertools.count(-1, -1)  # below those of the room
        self.exact = search.exact
        self.hypothesis_class = JointClass(search.hypothesis_class, classes)

    def begin(self, stop: Callable[[], bool], kappa: float) -> None:
        """Set stop, and the kappa of each class so that half of their sum is `kappa`."""
        self._search.begin(stop, 2.0 * kappa / self._classes)

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        """The best hypotheses of each class together, then the second of each, and so on."""
        answers = self._each(number, lambda own, _: self._search(own, Need))
        most = max(len(each.hypotheses) for each in answers)
        together = [
            OnePerClass(tuple(each.hypotheses[min(q, len(each.hypotheses) - 1)] for each in answers))
            for q in range(most)
        ]
        return Answer(together, _half_of_all([each.bound for each in answers]))

    def _each(self, number: Number, found: Callable[[Number, int], T]) -> list[T]:
        """The results of `found` for each class, called with the number of the class's signed weights."""
        results = []
        for code in range(self._classes):
            own = Number(next(self._numbers))
            self._parts.ask(ClassRows.of_class, own, number, code)
            results.append(found(own, code))
            self._parts.ask(Part.forget, [own])
        return results

    def encode(self, hypotheses: Sequence[Any]) -> Any:
        return self._search.encode([member for each in hypotheses for member in each.members])

    def recall(self, hypothesis: Hypothesis, /) -> Hypothesis | None:
        """A hypothesis whose members all belong to the class and vote -1 and +1; else None."""
        if not isinstance(hypothesis, OnePerClass) or len(hypothesis.members) != self._classes:
            return None
        members = [self._search.recall(each) for each in hypothesis.members if _votes_signs(each)]
        known = tuple(each for each in members if each is not None)
        return OnePerClass(known) if len(known) == self._classes else None

    def bin_weights(self, number: Number) -> Floats | None:
        return self._search.bin_weights(number)

    def gains(self, hypotheses: Sequence[Any], number: Number) -> Floats | None:
        """The sum over the classes of half of each class's gains, as in the edge."""
        gains = self._each(number, lambda own, c: self._search.gains([h.members[c] for h in hypotheses], own))
        known = [each / 2.0 for each in gains if each is not None]
        return reduce(add, known) if len(known) == self._classes else None


def _half_of_all(bounds: Sequence[float | None]) -> float | None:
    """Half of the sum of the bounds, rounded up; None, of a search that was cut short, counts as 1."""
    if all(bound is None for bound in bounds):
        return None
    exact = sum((Fraction(1.0 if bound is None else bound) for bound in bounds), Fraction(0))
    return -rounded_down(-exact / 2)


def _votes_signs(hypothesis: Any) -> bool:
    """Whether a hypothesis is a tree whose leaves vote -1 and +1."""
    if not isinstance(hypothesis, Tree):
        return False
    return bool(((hypothesis.feature >= 0) | (abs(hypothesis.value) == 1.0)).all())
