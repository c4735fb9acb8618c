"""Warnings that point at the user's own line, and errors that name the user's class."""

from __future__ import annotations

import difflib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sklearn.exceptions import ConvergenceWarning

LIBRARIES = (str(Path(__file__).parent), str(Path(inspect.getfile(ConvergenceWarning)).parent))

EARLY = (
    "the fit holds out rows by itself to choose nu; to stop by the score on other rows, "
    "give callbacks=[EarlyStopping(X, y)] of frankboost.callbacks"
)
# What other libraries call settings, and how the same is done here.
INSTEAD = {
    "eval_set": EARLY,
    "early_stopping": EARLY,
    "early_stopping_rounds": EARLY,
    "n_estimators": "the fit ends when its gap is at most tol; max_iter limits its rounds",
    "learning_rate": "there is no learning rate: each round optimises the weights of all trees",
    "monotone_constraints": "the parameter is monotonic_cst, of the constructor",
}

# Not the filters of `warnings`, which are those of all threads.
_UNSAID: ContextVar[tuple[type[Warning], ...]] = ContextVar("unsaid", default=())


P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")


def named(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Make the error for arguments that a method does not take name the class, and what to use instead.

    Python's own error names the base class that has the method, which users never see.
    """
    signature = inspect.signature(method)

    @wraps(method)
    def checked(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            signature.bind(self, *args, **kwargs)
        except TypeError as error:
            unknown = [name for name in kwargs if name not in signature.parameters]
            instead = next((f"; {told}" for name in unknown if (told := _instead(name, signature))), "")
            raise TypeError(f"{type(self).__name__}.{method.__name__}() {error}{instead}") from None
        return method(self, *args, **kwargs)

    return checked


def _instead(name: str, signature: inspect.Signature) -> str:
    """What to use instead of an argument that a method does not take; empty if this is not known."""
    alike = difflib.get_close_matches(name, signature.parameters, n=1)
    return INSTEAD.get(name) or (f"did you mean {alike[0]}?" if alike else "")


@contextmanager
def unsaid(*categories: type[Warning]) -> Iterator[None]:
    """Suppress such warnings: of inner fits, and where the caller reports the result itself."""
    token = _UNSAID.set((*_UNSAID.get(), *categories))
    try:
        yield
    finally:
        _UNSAID.reset(token)


def say(sentence: str, category: type[Warning]) -> None:
    """Warn, unless `unsaid` suppresses this category."""
    if not issubclass(category, _UNSAID.get()):
        warnings.warn(sentence, category, stacklevel=_stack_level())


def _stack_level() -> int:
    """The level of the first caller outside this library and scikit-learn; `say` has 1."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(LIBRARIES):
        frame, level = frame.f_back, level + 1
    return level
