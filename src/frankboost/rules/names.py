"""The rules by name: ours, and those that other packages add as entry points of `frankboost.rules`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frankboost.plugins import made_by_plugin, plugin_names
from frankboost.rules.base import Rule
from frankboost.rules.bounded_losses import LogisticBoost, MadaBoost, SmoothBoost
from frankboost.rules.corrective import AdaBoost, AdaBoostStar, ArcGV, Hedge
from frankboost.rules.frank_wolfe import Away, BlendedPairwise, Classic, LineSearch, Pairwise, ShortStep
from frankboost.rules.fully_corrective import FullyCorrective, MDBoost
from frankboost.rules.level import Level, SoftBoost

FINEST = 1e-9  # no rule aims at a smaller gap


def linear_program() -> Rule:
    """LPBoost's rule; this loads HiGHS, which no other rule needs."""
    from frankboost.rules.linear_program import LinearProgram  # noqa: PLC0415  (heavy)

    return LinearProgram()


def _in_out() -> Rule:
    from frankboost.rules.linear_program import InOut  # noqa: PLC0415  (heavy)

    return InOut()


FW_RULES: dict[str, Callable[[], Rule]] = {
    "classic": Classic,
    "short-step": ShortStep,
    "line-search": LineSearch,
    "away": Away,
    "pairwise": Pairwise,
    "blended-pairwise": BlendedPairwise,
}
SECONDARIES: dict[str, Callable[[float], Rule]] = {  # for a tolerance
    "lp": lambda tol: linear_program(),
    "erlp": lambda tol: FullyCorrective(),
    "level": lambda tol: Level(max(tol, FINEST)),
    "softboost": lambda tol: SoftBoost(max(tol, FINEST)),
    "in-out": lambda tol: _in_out(),
    "adaboost": lambda tol: AdaBoost(),
    "adaboost-star": lambda tol: AdaBoostStar(max(tol, FINEST)),
    "arc-gv": lambda tol: ArcGV(),
    "hedge": lambda tol: Hedge(max(tol, FINEST)),
    "madaboost": lambda tol: MadaBoost(),
    "logistic": lambda tol: LogisticBoost(),
    "smoothboost": lambda tol: SmoothBoost(),
    "mdboost": lambda tol: MDBoost(),
}


def is_rule(value: Any) -> bool:
    """Whether a value has the attributes of a rule, `kind` and `start`."""
    kind = getattr(value, "kind", None)
    return kind in ("fw", "secondary") and hasattr(value, "start") and not isinstance(value, type)


def secondary_names() -> list[str]:
    """The names that `secondary` may have: ours, and those of other packages."""
    return list(dict.fromkeys([*SECONDARIES, *plugin_names("rules")]))


def secondary_rule(name: str, tol: float) -> Rule:
    """The rule of a name for a tolerance, ours before that of another package; raises `PluginError` if the
    other package's rule cannot be used."""
    if name in SECONDARIES:
        return SECONDARIES[name](tol)
    rule: Rule = made_by_plugin("rules", name, lambda make: make(tol), "start")
    return rule
