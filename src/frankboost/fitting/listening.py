"""What observers are told of each round, and what they may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import Any

import numpy as np

from frankboost.callbacks import Observer, Round
from frankboost.fitting.run import Listener
from frankboost.learners.base import Hypothesis
from frankboost.trace import Record
from frankboost.typing import Floats, Status


def kept_weights(observers: Sequence[Observer]) -> Floats | None:
    """The weights that an observer wants kept instead of the last, if one does."""
    found = (getattr(observer, "kept_weights", None) for observer in observers)
    return next((weights for weights in found if weights is not None), None)


def listening(observers: Sequence[Observer], halt: Event, facts: dict[str, Any]) -> Listener:
    """Tell observers of each round; they may stop the fit, and another thread may interrupt it."""

    def listen(record: Record, known: Sequence[Hypothesis], weights: Floats) -> Status | None:
        event = Round(**vars(record), known=known, weights=weights, **facts)
        answers = [observer(event) for observer in observers]  # each is told, whatever others say
        if any(isinstance(answer, bool | np.bool_) and answer for answer in answers):
            return "stopped"
        return "interrupted" if halt.is_set() else None

    return listen
