"""Questions that a room asks parts of the rows: methods of `Part`, marked where they are defined.

Whoever carries questions to the parts (a list in this process, a cluster, a device) reads the marks and
needs no list of names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])


Question = Callable[..., Any]  # a method of `Part`
Answers = list[list[Any]]  # of all parts, to each of some questions


class Number(int):
    """The number under which parts keep a distribution, or margins on their way to one."""


@dataclass(frozen=True)
class Marks:
    """What is true of a question.

    Attributes
    ----------
    changes : bool
        The part keeps something, and a part that is made anew has to be asked again. If the arguments hold
        numbers, the question changes what is kept under the first, from what is kept under the others.
    adds : bool
        Only the sum of the answers of all parts matters.
    silent : bool
        There is no answer: the question may wait for the next one that has some.
    """

    changes: bool
    adds: bool
    silent: bool


def question(
    *, changes: bool = False, adds: bool = False, optional: bool = False
) -> Callable[[Method], Method]:
    """Mark a method of `Part` as a question, which every part answers unless it is optional.

    One that returns None is silent.
    """

    def marked(method: Method) -> Method:
        silent = method.__annotations__["return"] in (None, "None")
        method.marks = Marks(changes, adds, silent)  # type: ignore[attr-defined]
        method.__isabstractmethod__ = not optional  # type: ignore[attr-defined]
        return method

    return marked


@dataclass(eq=False, slots=True)  # not frozen: a fit on one machine makes some of them per millisecond
class Asked(Generic[R]):
    """A question and its arguments; where parts get different ones, `each` has the first of each part."""

    question: Callable[..., R]
    args: Sequence[Any] = ()
    named: Mapping[str, Any] | None = None
    each: Sequence[Any] | None = None

    @property
    def marks(self) -> Marks:
        """What is true of the question."""
        marks: Marks = self.question.marks  # type: ignore[attr-defined]
        return marks

    def of(self, part: Any, k: int) -> R:
        """The answer of a part, the k-th of those that are asked."""
        own = () if self.each is None else (self.each[k],)
        answer: R = getattr(part, self.question.__name__)(*own, *self.args, **(self.named or {}))
        return answer


AnyAsked = Asked[Any]


def asked(question: Callable[Concatenate[Any, P], R], /, *args: P.args, **named: P.kwargs) -> Asked[R]:
    """A question and its arguments, for `Parts.ask_both`."""
    return Asked(question, args, named)


def answers(part: object, question: Question) -> bool:
    """Whether a kind of parts has its own answer to an optional question."""
    return getattr(type(part), question.__name__) is not question


class Parts(ABC):
    """All parts, in the order of their rows.

    Attributes
    ----------
    count : int
        How many parts there are.
    rows : int
        Of all parts.
    far : bool
        Whether a question takes longer than most answers, so that two at once are worth it.
    """

    count: int
    rows: int
    far: bool = False

    @abstractmethod
    def answers(self, *asked: AnyAsked) -> Answers:
        """The answers of all parts to each of some questions, of which none depends on another's answer.

        Where only the sum matters there may be fewer answers, which are sums.
        """

    @abstractmethod
    def can(self, question: Question) -> bool:
        """Whether the parts have an answer to an optional question."""

    def ask(self, question: Callable[Concatenate[Any, P], R], /, *args: P.args, **named: P.kwargs) -> list[R]:
        """The answers of all parts to a question."""
        return self.answers(Asked(question, args, named))[0]

    def ask_each(
        self,
        question: Callable[Concatenate[Any, T, P], R],
        each: Sequence[T],
        /,
        *args: P.args,
        **named: P.kwargs,
    ) -> list[R]:
        """The same, where each part gets a first argument of its own."""
        return self.answers(Asked(question, args, named, each))[0]

    def ask_both(self, one: Asked[R], other: Asked[S]) -> tuple[list[R], list[S]]:
        """The answers to two questions, neither of which depends on the answer to the other."""
        first, second = self.answers(one, other)
        return first, second


class PartsHere(Parts):
    """Parts in this process, asked one after the other."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = parts
        self.count = len(parts)
        self.rows = sum(part.size() for part in parts)
        self._can: dict[str, bool] = {}

    def answers(self, *asked: AnyAsked) -> Answers:
        """One question after the other."""
        return [[each.of(part, k) for k, part in enumerate(self.parts)] for each in asked]

    def can(self, question: Question) -> bool:
        """Whether there is a single part, and it has an answer."""
        name = question.__name__
        if name not in self._can:
            self._can[name] = self.count == 1 and answers(self.parts[0], question)
        return self._can[name]


def added(answers: Sequence[T]) -> T:
    """The sum of arrays; of one, itself."""
    total = answers[0]
    for each in answers[1:]:
        total = total + each  # type: ignore[operator]
    return total
