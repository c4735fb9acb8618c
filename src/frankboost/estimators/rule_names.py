"""Rules by the names that parameters give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frankboost.rules.base import Rule
from frankboost.rules.frank_wolfe import Away, BlendedPairwise, Classic, LineSearch, Pairwise, ShortStep
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.level import Level


def linear_program() -> Rule:
    """LPBoost's rule; HiGHS is loaded by those who use it."""
    from frankboost.rules.linear_program import LinearProgram  # noqa: PLC0415  (heavy)

    return LinearProgram()


# Rules by name; each is made for a tolerance, which only the level rule needs.
FW_RULES: dict[str, Callable[[float], Rule]] = {
    "classic": lambda _: Classic(),
    "short-step": lambda _: ShortStep(),
    "line-search": lambda _: LineSearch(),
    "away": lambda _: Away(),
    "pairwise": lambda _: Pairwise(),
    "blended-pairwise": lambda _: BlendedPairwise(),
}
SECONDARIES: dict[str, Callable[[float], Rule]] = {
    "lp": lambda _: linear_program(),
    "erlp": lambda _: FullyCorrective(),
    "level": Level,
}


def check_rule(
    name: str, value: Any, *, known: dict[str, Callable[[float], Rule]], own: bool = False
) -> None:
    """Raise unless a rule is known by its name, or may be one of the user's own and is one."""
    if value is None or (isinstance(value, str) and value in known):
        return
    if not (own and hasattr(value, "start") and not isinstance(value, type)):
        allowed = ", ".join(map(repr, known)) + (", a rule" if own else "") + " or None"
        raise ValueError(f"{name} must be {allowed}; got {value!r}")
