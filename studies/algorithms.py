"""The algorithms by name: LevelBoost, those of the paper, every other rule alone, and those of plugins.

A plugin is another package. It adds rules by entry points of `frankboost.rules`, each of which is an
algorithm here. It adds algorithms by entry points of `frankboost.algorithms`: functions from the settings of
a classifier to a classifier.
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
OURS_ONE_TREE = "LEVEL-1"  # LevelBoost with one tree per round, as the algorithms of the paper
TREE = "tree"  # our weak learner
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
    OURS_ONE_TREE: partial(SoftMarginClassifier, columns_per_round=1),
    **{
        name.upper(): partial(MLPBoostClassifier, fw_rule=None, secondary=name)
        for name in SECONDARIES
        if name not in ("lp", "erlp", "level")
    },
}


def algorithm_names() -> list[str]:
    """The names of all algorithms; if a plugin has a name of ours, the name means ours."""
    return list(dict.fromkeys([*ALGORITHMS, *FAMILY, *plugin_names("rules"), *plugin_names("algorithms")]))


def plugins_of(algorithm: str, learner: str) -> list[tuple[Group, str]]:
    """The plugins that a fit may use."""
    found: list[tuple[Group, str]] = [("learners", learner)]
    if algorithm not in ALGORITHMS and algorithm not in FAMILY:
        found += [("rules", algorithm), ("algorithms", algorithm)]
    return found


def make_algorithm(algorithm: str, **settings: Any) -> SoftMarginBooster:
    """Make the classifier of an algorithm; a `PluginError` if a plugin fails."""
    own = ALGORITHMS.get(algorithm) or FAMILY.get(algorithm)
    if own is not None:
        return own(**settings)
    if algorithm in plugin_names("rules"):
        return MLPBoostClassifier(fw_rule=None, secondary=algorithm, **settings)
    clf: SoftMarginBooster = made_by_plugin("algorithms", algorithm, lambda make: make(**settings), "rules")
    return clf


def learner_names() -> list[str]:
    """Our trees, and the weak learners that plugins add by entry points of `frankboost.learners`."""
    return list(dict.fromkeys([TREE, *plugin_names("learners")]))


def plugin_learner(name: str) -> WeakLearner:
    """The weak learner of a plugin; a `PluginError` if it fails."""
    learner: WeakLearner = made_by_plugin("learners", name, lambda make: make(), "prepare")
    return learner


def load_plugins(algorithms: Iterable[str], learner: str) -> None:
    """Load the plugins among these names; a `PluginError` if one fails."""
    for name in algorithms:
        if name not in ALGORITHMS and name not in FAMILY:
            with blaming(*plugins_of(name, learner)):
                make_algorithm(name).rules()
    if learner != TREE:
        plugin_learner(learner)
