"""Fits in a JSON document: one ensemble each, with what was proved about it."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, structs

from frankboost.certificate import Certificate
from frankboost.constraints import Constraints
from frankboost.export import json_fields
from frankboost.export.json_fields import Count, Finite, Margin, Number, Saved, Shares
from frankboost.export.json_trees import nodes_of, read_tree
from frankboost.learners.binning import MOST_CATEGORIES
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble, VoteAlone
from frankboost.trace import Record, Trace
from frankboost.typing import RuleName, Status


class SavedCertificate(Saved, frozen=True):
    """The promise of a fit."""

    soft_margin: Margin
    bound: Margin
    tol: Annotated[float, Meta(ge=0.0, le=sys.float_info.max)]
    nu: Annotated[float, Meta(gt=0.0, le=1.0)]
    exact: bool
    status: Status


class SavedConstraints(Saved, frozen=True):
    """What every tree of a class keeps to; `monotonic` has one entry per feature or none at all."""

    monotonic: list[Literal[-1, 0, 1]]
    interactions: (
        list[Annotated[list[Count], Meta(min_length=1)]] | Literal["pairwise", "no_interactions"] | None
    )

    def read(self) -> Constraints:
        sets = self.interactions
        kept = tuple(map(tuple, sets)) if isinstance(sets, list) else sets
        return Constraints(tuple(self.monotonic), kept)


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
    """Trees and their weights."""

    weights: Shares
    # Of Leaf and Split: a choice that msgspec makes by tags only, which nodes do not have.
    trees: Annotated[list[Annotated[list[Any], Meta(min_length=1)]], Meta(min_length=1)]

    def __post_init__(self) -> None:
        json_fields.check_length("weights", self.weights, len(self.trees))
        _check_sum("weights", self.weights)


class SavedFit(SavedVote, frozen=True):
    """One ensemble."""

    certificate: SavedCertificate
    distribution: Shares
    hypothesis_class: SavedClass
    trace: SavedTrace

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_sum("distribution", self.distribution)


def _check_sum(name: str, shares: list[float]) -> None:
    if abs(sum(shares) - 1.0) > json_fields.ROUNDING:
        raise ValueError(f"{name} must have sum 1; got {sum(shares):g}")


def vote_of(ensemble: Ensemble) -> dict[str, Any]:
    """An ensemble of trees as the members of a SavedVote."""
    return {"weights": ensemble.weights, "trees": [nodes_of(tree) for tree in ensemble.trees()]}


def read_vote(where: str, vote: SavedVote, categories: Sequence[int]) -> VoteAlone:
    """The trees and weights of a vote; `categories` has how many of them each feature has, 0 for a number."""
    trees = [
        read_tree(f"{where}.trees[{j}]", nodes, categories, len(nodes)) for j, nodes in enumerate(vote.trees)
    ]
    return VoteAlone(trees, np.array(vote.weights))


def fit_of(ensemble: Ensemble) -> dict[str, Any]:
    """An ensemble of trees as the members of a SavedFit."""
    declared = ensemble.hypothesis_class
    if not isinstance(declared, TreeClass):
        raise TypeError(f"model must be fitted with estimator=None or a BestTree; its class is {declared}")
    certificate = ensemble.certificate.facts()
    del certificate["hypothesis_class"]  # which follows from the class
    return {
        "certificate": certificate,
        **vote_of(ensemble),
        "distribution": ensemble.distribution,
        "hypothesis_class": {name: value for name, value in asdict(declared).items() if value is not None},
        "trace": {name: list(map(_number, ensemble.trace[name])) for name in Trace.columns},
    }


def _number(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read_fit(where: str, fit: SavedFit) -> Ensemble:
    """The ensemble of a fit."""
    declared = fit.hypothesis_class
    arrays = {
        "thresholds": tuple(map(np.array, declared.thresholds)),
        "categories": tuple(declared.categories),
        "constraints": None if declared.constraints is None else declared.constraints.read(),
    }
    hypothesis_class = TreeClass(**structs.asdict(declared) | arrays)
    claims = structs.asdict(fit.certificate) | {"hypothesis_class": str(hypothesis_class)}
    return Ensemble(
        certificate=Certificate(**claims),
        hypotheses=[
            read_tree(f"{where}.trees[{j}]", nodes, declared.categories, declared.max_depth)
            for j, nodes in enumerate(fit.trees)
        ],
        weights=np.array(fit.weights),
        distribution=np.array(fit.distribution),
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
