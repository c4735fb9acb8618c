"""Constructors from declared parameters: default, meaning and check of each are written down once.

A class that is decorated with `with_parameters` gets its constructor, and the part of its docstring that
describes it, from the parameters that it declares and inherits.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from inspect import get_annotations
from typing import Any, TypeVar, dataclass_transform

Check = Callable[[str, Any], None]
T = TypeVar("T")


def parameter(
    *, default: Any, kind: str, doc: str, check: Check | None = None, saved: bool = True, kw_only: bool = True
) -> Any:
    """A parameter of a constructor.

    `kind` says in words what it may be, and `check(name, value)` raises if it is not that; without a check
    those who use the value look at it. `saved`: whether a saved model keeps it, if the value is plain.
    """
    about = {"kind": kind, "doc": doc, "check": check, "saved": saved}
    return field(default=default, kw_only=kw_only, metadata=about)


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(parameter,))
def with_parameters(cls: type[T]) -> type[T]:
    """A class with the constructor of its parameters, which replace {parameters} in its docstring.

    A value without `parameter` around it is another default for a parameter that is inherited.
    """
    inherited = getattr(cls, "__dataclass_fields__", {})
    for name in get_annotations(cls):
        if not isinstance(value := vars(cls)[name], Field):
            setattr(cls, name, parameter(default=value, **inherited[name].metadata))
    dataclass(eq=False, repr=False)(cls)
    if cls.__doc__ is not None:
        cls.__doc__ = cls.__doc__.replace("{parameters}", _described(parameters_of(cls)))
    return cls


def parameters_of(classifier: Any) -> dict[str, Field[Any]]:
    """By name, in the order of the constructor."""
    return {each.name: each for each in sorted(fields(classifier), key=lambda each: bool(each.kw_only))}


def check_parameters(classifier: Any) -> None:
    """Raise for the first parameter that is not what it may be."""
    for name, each in parameters_of(classifier).items():
        if (check := each.metadata["check"]) is not None:
            check(name, getattr(classifier, name))


def _described(known: dict[str, Field[Any]]) -> str:
    lines = ["Parameters", "    ----------"]
    for name, each in known.items():
        lines.append(f"    {name} : {each.metadata['kind']}, default={each.default!r}")
        lines.append(
            textwrap.fill(each.metadata["doc"], 108, initial_indent=" " * 8, subsequent_indent=" " * 8)
        )
    return "\n".join(lines)
