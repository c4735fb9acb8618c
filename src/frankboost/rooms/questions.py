"""Questions that a room asks its parts: methods of `Part`, marked where they are defined.

`Parts` carries the questions to the parts, in this process, on a cluster or on a device. It reads the marks,
and needs no list of names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")
R_co = TypeVar("R_co", covariant=True)
Method = TypeVar("Method", bound=Callable[..., Any])


Question = Callable[..., Any]  # a method of `Part`
Answers = list[list[Any]]  # for each of some questions, the answers of all parts


class Number(int):
    """The number under which the parts keep margins or a distribution."""


@dataclass(frozen=True)
class Marks:
    """The properties of a question that `Parts` has to know.

    A question that changes a part, and has numbers among its arguments, changes what is kept under the first
    number and reads what is kept under the others.
    """

    changes: bool  # the part stores something; a part that replaces a lost one has to be asked again
    adds: bool  # only the sum of the answers of all parts matters
    silent: bool  # there is no answer, so that the question may wait for the next one that has an answer


def question(
    *, changes: bool = False, adds: bool = False, optional: bool = False
) -> Callable[[Method], Method]:
    """Mark a method of `Part` as a question. Every part answers it, unless it is optional.

    A question that returns None is silent.
    """

    def marked(method: Method) -> Method:
        silent = method.__annotations__["return"] in (None, "None")
        method.marks = Marks(changes, adds, silent)  # type: ignore[attr-defined]
        method.__isabstractmethod__ = not optional  # type: ignore[attr-defined]
        return method

    return marked


@dataclass(eq=False, slots=True)  # not frozen: a fit on one machine makes some of them per millisecond
class Asked(Generic[R]):
    """A question with its arguments; `each` has the first argument for each part, if that differs."""

    question: Callable[..., R]
    args: Sequence[Any] = ()
    named: Mapping[str, Any] | None = None
    each: Sequence[Any] | None = None

    @property
    def marks(self) -> Marks:
        marks: Marks = self.question.marks  # type: ignore[attr-defined]
        return marks

    def of(self, part: Any, k: int) -> R:
        """The answer of the k-th part."""
        method: Callable[..., R] = getattr(part, self.question.__name__)
        own = () if self.each is None else (self.each[k],)
        return method(*own, *self.args, **self.named) if self.named else method(*own, *self.args)

    def __iter__(self) -> Steps[list[R]]:
        """The answers of all parts, in a function of `Steps`: `answers = yield from asked(...)`."""
        [answers] = yield [self]
        return answers


AnyAsked = Asked[Any]
Steps = Generator[Sequence[AnyAsked], Answers, R]  # yields questions, is sent the answers, returns a result


class Asking(Protocol[R_co]):
    """One question or several steps, which `Parts.run` carries out."""

    def __iter__(self) -> Steps[R_co]:
        """The steps."""


def asked(question: Callable[Concatenate[Any, P], R], /, *args: P.args, **named: P.kwargs) -> Asked[R]:
    return Asked(question, args, named)


def asked_each(
    question: Callable[Concatenate[Any, T, P], R], each: Sequence[T], /, *args: P.args, **named: P.kwargs
) -> Asked[R]:
    """A question whose first argument differs from part to part."""
    return Asked(question, args, named, each)


def asked_together(one: Asking[R], other: Asking[S]) -> Steps[tuple[R, S]]:
    """Run two computations that do not depend on each other, and ask the questions of both in one
    exchange."""
    found: dict[int, Any] = {}
    waiting: dict[int, Steps[Any]] = {0: iter(one), 1: iter(other)}
    answers: dict[int, Any] = dict.fromkeys(waiting)
    while True:
        questions: dict[int, Sequence[AnyAsked]] = {}
        for k, steps in waiting.items():
            try:
                questions[k] = steps.send(answers[k])
            except StopIteration as end:
                found[k] = end.value
        if not questions:
            return found[0], found[1]
        waiting = {k: waiting[k] for k in questions}
        told = iter((yield list(chain(*questions.values()))))
        answers = {k: list(islice(told, len(some))) for k, some in questions.items()}


class Parts(ABC):
    """All parts, in the order of their rows."""

    count: int  # how many parts there are
    rows: int  # of all parts

    @abstractmethod
    def answers(self, *asked: AnyAsked) -> Answers:
        """The answers of all parts to each of some questions that do not depend on each other's answers.

        If only the sum of the answers matters, there may be fewer answers, which are partial sums.
        """

    @abstractmethod
    def can(self, question: Question) -> bool:
        """Whether the parts have an answer to an optional question."""

    def ask(self, question: Callable[Concatenate[Any, P], R], /, *args: P.args, **named: P.kwargs) -> list[R]:
        """The answers of all parts to a question."""
        return self.answers(Asked(question, args, named))[0]

    def run(self, steps: Asking[R]) -> R:
        """Run steps, which ask questions that depend on earlier answers; returns their result."""
        waiting = iter(steps)
        try:
            asked = next(waiting)
            while True:
                asked = waiting.send(self.answers(*asked))
        except StopIteration as end:
            found: R = end.value
            return found


class PartsHere(Parts):
    """Parts in this process, asked one after the other."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = parts
        self.count = len(parts)
        self.rows = sum(part.size() for part in parts)

    def answers(self, *asked: AnyAsked) -> Answers:
        return [[each.of(part, k) for k, part in enumerate(self.parts)] for each in asked]

    def can(self, question: Question) -> bool:
        """Whether there is one part, and its class answers the question."""
        return self.count == 1 and getattr(type(self.parts[0]), question.__name__) is not question


def added(answers: Sequence[T]) -> T:
    """The sum of the answers; a single answer is returned as it is."""
    total = answers[0]
    for each in answers[1:]:
        total = total + each  # type: ignore[operator]
    return total
