"""Who is told of the rounds of a fit, and what is noted of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.callbacks import Observer, Round
from frankboost.learners.base import Hypothesis
from frankboost.model import Stages
from frankboost.trace import Record, Trace
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Audience:
    """Who is told of the rounds of a fit, and what they are told about it.

    Attributes
    ----------
    observers : sequence of functions of a Round
    halt : Event or None
        Set from another thread, it is an interrupt.
    label, classes : object, array
        The class that a positive vote is for, and all classes.
    encode : function or None
        From rows such as those of the fit to numbers.
    """

    observers: Sequence[Observer] = ()
    halt: Event | None = None
    label: Any = None
    classes: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    encode: Callable[[Any], Floats] | None = None


NOBODY = Audience()


class RoundLog:
    """What is noted of the rounds, and who is told."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.clock = time.perf_counter()
        self.trace = Trace()
        self.stages = Stages()

    def note(self, facts: dict[str, Any], weights: Floats, known: list[Hypothesis]) -> bool:
        """Note a round and tell the observers; whether one of them wants to stop."""
        record = Record(round=len(self.trace) + 1, seconds=time.perf_counter() - self.clock, **facts)
        self.trace.append(record)
        self.stages.add(record.round, weights)
        if not self.audience.observers:
            return False
        event = Round(
            **vars(record),
            known=known,
            weights=weights,
            label=self.audience.label,
            classes=self.audience.classes,
            encode=self.audience.encode,
        )
        # Each is told, whatever others say.
        answers = [observer(event) for observer in self.audience.observers]
        return any(isinstance(answer, bool | np.bool_) and bool(answer) for answer in answers)

    def halted(self) -> bool:
        """Whether another thread asked for an end."""
        return self.audience.halt is not None and self.audience.halt.is_set()
