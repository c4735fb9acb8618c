"""Fits in a JSON document: one ensemble each, with what was proved about it."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import UNSET, Meta, UnsetType, structs

from frankboost.certificate import Certificate
from frankboost.constraints import Constraints
from frankboost.export import json_fields
from frankboost.export.json_fields import Count, Finite, Margin, Number, Saved, Shares
from frankboost.export.json_trees import nodes_of, read_tree
from frankboost.learners.base import Hypothesis, HypothesisClass
from frankboost.learners.one_per_class import JointClass, OnePerClass, class_of_each
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble, Vote, VoteAlone
from frankboost.native import MOST_CATEGORIES
from frankboost.trace import Record, Trace
from frankboost.typing import RuleName, Status


class SavedCertificate(Saved, frozen=True):
    """The certificate of a fit."""

    soft_margin: Margin
    bound: Margin
    tol: Annotated[float, Meta(ge=0.0, le=sys.float_info.max)]
    nu: Annotated[float, Meta(gt=0.0, le=1.0)]
    exact: bool
    status: Status
    in_use: Margin | None


class SavedConstraints(Saved, frozen=True):
    """What every tree of a class keeps to; `monotonic` has one entry per feature or none at all."""

    monotonic: list[Literal[-1, 0, 1]]
    interactions: (
        list[Annotated[list[Count], Meta(min_length=1)]] | Literal["pairwise", "no_interactions"] | None
    )
    leaf_weight: Annotated[float, Meta(ge=0.0, le=sys.float_info.max)] = 0.0

    def read(self) -> Constraints:
        sets = self.interactions
        kept = tuple(map(tuple, sets)) if isinstance(sets, list) else sets
        return Constraints(tuple(self.monotonic), kept, self.leaf_weight)


class SavedClass(Saved, frozen=True):
    """The class of trees that a fit declares; thresholds and categories have one entry per feature.

    What it is called follows from them, and from whether the thresholds are said to be all there can be.
    """

    max_depth: json_fields.AtLeastOne
    thresholds: list[list[Finite]]
    categories: list[Annotated[int, Meta(ge=0, le=MOST_CATEGORIES)]]
    all_thresholds: bool
    exact: bool  # said of trees of depth 3 that were all searched
    constraints: SavedConstraints | None = None

    def __post_init__(self) -> None:
        for f, cuts in enumerate(self.thresholds):
            json_fields.check_increasing(f"thresholds[{f}]", cuts)


class SavedTrace(Saved, frozen=True):
    """The columns of a trace."""

    round: Annotated[list[Count], Meta(min_length=1)]
    seconds: list[Number]
    soft_margin: list[Number]
    smoothed: list[Number]
    bound: list[Number]
    gap: list[Number]
    hypotheses: list[Count]
    support: list[Count]
    rule: list[RuleName]
    oracle_seconds: list[Number]
    rule_seconds: list[Number]

    def __post_init__(self) -> None:
        rounds = list(range(1, len(self.round) + 1))
        if self.round != rounds:
            raise json_fields.wrong("round", "1, 2, 3, ...", self.round)
        for name, column in structs.asdict(self).items():
            json_fields.check_length(name, column, len(rounds))


class SavedVote(Saved, frozen=True):
    """Trees and their weights; where many classes are one game, a tree of each class for each weight."""

    weights: Shares
    # Of Leaf and Split: a choice that msgspec makes by tags only, which nodes do not have.
    trees: Annotated[list[Annotated[list[Any], Meta(min_length=1)]], Meta(min_length=1)]

    classes: Annotated[int, Meta(ge=3, le=2**31 - 1)] | UnsetType = UNSET

    @property
    def together(self) -> int:
        """The number of trees that share one weight."""
        return 1 if isinstance(self.classes, UnsetType) else self.classes

    def __post_init__(self) -> None:
        if self.together == 1:
            json_fields.check_length("weights", self.weights, len(self.trees))
        json_fields.check_length("trees", self.trees, len(self.weights) * self.together)
        _check_sum("weights", self.weights)


class SavedFit(SavedVote, frozen=True, kw_only=True):
    """One ensemble; a distribution over rows and classes goes from row to row."""

    certificate: SavedCertificate
    distribution: Shares
    hypothesis_class: SavedClass
    trace: SavedTrace
    optimum: SavedVote | None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_sum("distribution", self.distribution)
        if (self.optimum is None) != (self.certificate.in_use is None):
            raise ValueError("in_use must be a number if there is an optimum, and null if there is none")


def _check_sum(name: str, shares: list[float]) -> None:
    if abs(sum(shares) - 1.0) > json_fields.ROUNDING:
        raise ValueError(f"{name} must have sum 1; got {sum(shares):g}")


def vote_of(vote: Vote) -> dict[str, Any]:
    """A vote of trees as the members of a SavedVote."""
    trees = [each.trees() for each in vote.voters()]
    nodes = [nodes_of(tree) for together in zip(*trees, strict=True) for tree in together]
    return {
        "weights": vote.weights,
        "trees": nodes,
        **({"classes": len(trees)} if len(trees) > 1 else {}),
    }


def read_vote(where: str, vote: SavedVote, categories: Sequence[int]) -> VoteAlone:
    """The trees and weights of a vote; `categories` has how many of them each feature has, 0 for a number."""
    return VoteAlone(_hypotheses(where, vote, categories), np.array(vote.weights))


def _hypotheses(
    where: str, vote: SavedVote, categories: Sequence[int], max_depth: int | None = None
) -> Sequence[Hypothesis]:
    """The trees of a vote; those that share a weight are one hypothesis."""
    trees = [
        read_tree(f"{where}.trees[{j}]", nodes, categories, max_depth or len(nodes))
        for j, nodes in enumerate(vote.trees)
    ]
    count = vote.together
    if count == 1:
        return trees
    return [OnePerClass(tuple(trees[at : at + count])) for at in range(0, len(trees), count)]


def fit_of(ensemble: Ensemble) -> dict[str, Any]:
    """An ensemble of trees as the members of a SavedFit."""
    declared = class_of_each(ensemble.hypothesis_class)
    if not isinstance(declared, TreeClass):
        raise TypeError(f"model must be fitted with estimator=None or a BestTree; its class is {declared}")
    certificate = ensemble.certificate.facts()
    del certificate["hypothesis_class"]  # which follows from the class
    return {
        "certificate": certificate,
        **vote_of(ensemble),
        "optimum": None if ensemble.optimum is None else vote_of(ensemble.optimum),
        "distribution": ensemble.distribution.ravel(),
        "hypothesis_class": {name: value for name, value in asdict(declared).items() if value is not None},
        "trace": {name: list(map(_number, ensemble.trace[name])) for name in Trace.columns},
    }


def _number(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read_fit(where: str, fit: SavedFit) -> Ensemble:
    """The ensemble of a fit."""
    declared, at = fit.hypothesis_class, f"{where}.optimum"
    arrays = {
        "thresholds": tuple(map(np.array, declared.thresholds)),
        "categories": tuple(declared.categories),
        "constraints": None if declared.constraints is None else declared.constraints.read(),
    }
    hypothesis_class: HypothesisClass = TreeClass(**structs.asdict(declared) | arrays)
    distribution = np.array(fit.distribution)
    if fit.together > 1:
        hypothesis_class = JointClass(hypothesis_class, fit.together)
        distribution = distribution.reshape(-1, fit.together)
    claims = structs.asdict(fit.certificate) | {"hypothesis_class": str(hypothesis_class)}
    best, trees = fit.optimum, (declared.categories, declared.max_depth)
    return Ensemble(
        certificate=Certificate(**claims),
        hypotheses=_hypotheses(where, fit, *trees),
        weights=np.array(fit.weights),
        optimum=None if best is None else Vote(_hypotheses(at, best, *trees), np.array(best.weights)),
        distribution=distribution,
        hypothesis_class=hypothesis_class,
        trace=_trace(fit.trace),
    )


def _trace(saved: SavedTrace) -> Trace:
    columns = structs.asdict(saved)
    trace = Trace()
    for row in zip(*columns.values(), strict=True):
        values: list[Any] = [float(each) if each in ("nan", "inf", "-inf") else each for each in row]
        trace.append(Record(**dict(zip(columns, values, strict=True))))
    return trace
