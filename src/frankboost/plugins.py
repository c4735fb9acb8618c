"""What other packages add, by entry points: rules, weak learners and whole algorithms.

    [project.entry-points."frankboost.rules"]
    uniform = "their_package:uniform"

A name is looked up without loading anything; what it stands for is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

Group = Literal["rules", "learners", "algorithms"]
KINDS: dict[Group, str] = {"rules": "rule", "learners": "weak learner", "algorithms": "algorithm"}


class PluginError(ImportError):
    """Something that another package adds cannot be used; the message names the package."""


def plugin_names(group: Group) -> list[str]:
    """What there is, in the order of the alphabet."""
    return sorted(set(_entry_points(group).names))


def made_by_plugin(group: Group, name: str, make: Callable[[Any], Any], must_have: str) -> Any:
    """What `make` makes of the object that a name stands for; it must have an attribute.

    A PluginError if the package cannot be loaded, raises, or makes something else, and if two packages
    have the name.
    """
    points = list(_entry_points(group).select(name=name))
    if len(points) != 1:
        packages = " and ".join(sorted(map(_package, points))) or "no package"
        raise PluginError(f"the {KINDS[group]} {name!r} must be that of one package; got {packages}")
    try:
        made = make(points[0].load())
    except Exception as error:  # whatever another package does
        raise PluginError(
            f"the {KINDS[group]} {name!r} of the package {_package(points[0])} cannot be used: "
            f"{type(error).__name__}: {error}"
        ) from error
    if not hasattr(made, must_have):
        raise PluginError(
            f"the {KINDS[group]} {name!r} of the package {_package(points[0])} must have "
            f"a {must_have!r}; got {made!r}"
        )
    return made


def _entry_points(group: Group) -> Any:
    return entry_points(group=f"frankboost.{group}")


def _package(point: EntryPoint) -> str:
    return "unknown" if point.dist is None else point.dist.name
