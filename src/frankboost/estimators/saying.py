"""Warnings, at the line of the caller."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from sklearn.exceptions import ConvergenceWarning

LIBRARIES = (str(Path(__file__).parents[1]), str(Path(inspect.getfile(ConvergenceWarning)).parent))

# Not the filters of `warnings`, which are those of all threads.
_UNSAID: ContextVar[tuple[type[Warning], ...]] = ContextVar("unsaid", default=())


@contextmanager
def unsaid(*categories: type[Warning]) -> Iterator[None]:
    """Fits that do not warn so: those within another fit, and those whose caller tells what was reached."""
    token = _UNSAID.set((*_UNSAID.get(), *categories))
    try:
        yield
    finally:
        _UNSAID.reset(token)


def say(sentence: str, category: type[Warning]) -> None:
    """Warn, unless it is to stay unsaid."""
    if not issubclass(category, _UNSAID.get()):
        warnings.warn(sentence, category, stacklevel=_stack_level())


def _stack_level() -> int:
    """That of the first caller which is neither this library's nor scikit-learn's; `say` has 1."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(LIBRARIES):
        frame, level = frame.f_back, level + 1
    return level
