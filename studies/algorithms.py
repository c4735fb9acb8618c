"""The algorithms by name: LevelBoost, the paper's, every other rule alone, and those of other packages.

Other packages add rules by entry points of `frankboost.rules`, which appear here as algorithms, and whole
algorithms by entry points of `frankboost.algorithms`: functions that take the settings of a classifier and
return one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.classifiers import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.learners.base import WeakLearner
from frankboost.plugins import Group, blaming, made_by_plugin, plugin_names
from frankboost.rules.names import SECONDARIES

Make = Callable[..., SoftMarginBooster]

OURS = "LEVEL"
EQUAL = "LEVEL-1"  # with one tree per round, as the paper's have
TREE = "tree"  # the weak learner that is ours
ALGORITHMS: dict[str, Make] = {
    OURS: SoftMarginClassifier,
    "LPB": LPBoostClassifier,
    "ERLPB": ERLPBoostClassifier,
    "FW": CERLPBoostClassifier,
    "PFW": partial(MLPBoostClassifier, fw_rule="pairwise", secondary=None),
    "MLPB-SS": MLPBoostClassifier,
    "MLPB-PFW": partial(MLPBoostClassifier, fw_rule="pairwise", secondary="lp"),
}
FAMILY: dict[str, Make] = {
    EQUAL: partial(SoftMarginClassifier, columns_per_round=1),
    **{
        name.upper(): partial(MLPBoostClassifier, fw_rule=None, secondary=name)
        for name in SECONDARIES
        if name not in ("lp", "erlp", "level")
    },
}


def algorithm_names() -> list[str]:
    """All of them; of two with one name the first is meant."""
    return list(dict.fromkeys([*ALGORITHMS, *FAMILY, *plugin_names("rules"), *plugin_names("algorithms")]))


def suspects(algorithm: str, learner: str) -> list[tuple[Group, str]]:
    """What other packages may have put into a fit."""
    found: list[tuple[Group, str]] = [("learners", learner)]
    if algorithm not in ALGORITHMS and algorithm not in FAMILY:
        found += [("rules", algorithm), ("algorithms", algorithm)]
    return found


def made(algorithm: str, **settings: Any) -> SoftMarginBooster:
    """An algorithm with these settings; a `PluginError` if another package's does not work."""
    own = ALGORITHMS.get(algorithm) or FAMILY.get(algorithm)
    if own is not None:
        return own(**settings)
    if algorithm in plugin_names("rules"):
        return MLPBoostClassifier(fw_rule=None, secondary=algorithm, **settings)
    clf: SoftMarginBooster = made_by_plugin("algorithms", algorithm, lambda make: make(**settings), "rules")
    return clf


def learner_names() -> list[str]:
    """Trees, and the weak learners that other packages add by entry points of `frankboost.learners`."""
    return list(dict.fromkeys([TREE, *plugin_names("learners")]))


def plugin_learner(name: str) -> WeakLearner:
    """The weak learner of another package; a `PluginError` if it does not work."""
    learner: WeakLearner = made_by_plugin("learners", name, lambda make: make(), "prepare")
    return learner


def load_plugins(algorithms: Iterable[str], learner: str) -> None:
    """Load what other packages add, and raise a `PluginError` if it does not work."""
    for name in algorithms:
        if name not in ALGORITHMS and name not in FAMILY:
            with blaming(*suspects(name, learner)):
                made(name).rules()
    if learner != TREE:
        plugin_learner(learner)
