"""What other packages add, by entry points: rules, weak learners and whole algorithms.

    [project.entry-points."frankboost.rules"]
    uniform = "their_package:uniform"

A name is looked up without loading anything; what it stands for is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

Group = Literal["rules", "learners", "algorithms"]
KINDS: dict[Group, str] = {"rules": "rule", "learners": "weak learner", "algorithms": "algorithm"}


class PluginError(ImportError):
    """Something that another package adds does not work; the message names the package."""


def plugin_names(group: Group) -> list[str]:
    """The names in a group of entry points, in alphabetical order."""
    return sorted({point.name for point in _entry_points(group)})


def made_by_plugin(group: Group, name: str, make: Callable[[Any], Any], must_have: str) -> Any:
    """What `make` makes of the object that a name stands for; it must have the attribute `must_have`.

    A `PluginError` if the package cannot be loaded, raises, or makes something else, and if two packages
    have the name.
    """
    points = [point for point in _entry_points(group) if point.name == name]
    if len(points) != 1:
        packages = " and ".join(sorted(map(_package, points))) or "none"
        raise PluginError(f"the {KINDS[group]} {name!r} must come from exactly one package; got {packages}")
    with blaming((group, name)):
        made = make(points[0].load())
        if not hasattr(made, must_have):
            raise TypeError(f"it must have a {must_have!r}; got {made!r}")
    return made


@contextmanager
def blaming(*suspects: tuple[Group, str]) -> Iterator[None]:
    """Let an error name the packages it may come from, if suspects are those of other packages."""
    try:
        yield
    except PluginError:
        raise
    except Exception as error:
        found = [
            f"the {KINDS[group]} {name!r} of the package {_package(point)}"
            for group, name in suspects
            for point in _entry_points(group)
            if point.name == name
        ]
        if not found:
            raise
        raise PluginError(f"{' or '.join(found)} does not work: {type(error).__name__}: {error}") from error


def _entry_points(group: Group) -> list[EntryPoint]:
    return list(entry_points(group=f"frankboost.{group}"))


def _package(point: EntryPoint) -> str:
    return "unknown" if point.dist is None else point.dist.name
