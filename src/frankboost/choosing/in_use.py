"""The vote in use of a classifier: the trees of the optimum, with leaves that say how sure they are."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from frankboost.choosing.calibration import HeldOut
from frankboost.choosing.held_out_loss import unit_of
from frankboost.choosing.leaves import LogOdds, in_order, mean_of, shifted, sure_leaves
from frankboost.choosing.search import Case
from frankboost.choosing.trials import Choice, Sure
from frankboost.learners.tree import Forest, Tree
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble, Vote


def in_use(
    choice: Choice,
    held_out: HeldOut,
    ensemble: Ensemble,
    case: Case,
    reached: Callable[[Vote], float],
) -> tuple[Ensemble, HeldOut]:
    """The ensemble with the vote in use, its optimum beside it, and held-out votes that calibrate it.

    A vote above 0 is a probability above 1/2, or where an error costs the same either way; of one of many
    classes, log-odds are about a line through 0 in the vote. `reached` tells the soft margin of a vote on
    the rows that were fitted.
    """
    if not case.sure:
        return ensemble, held_out
    vote = optimum = Vote(ensemble.hypotheses, ensemble.weights)
    if choice.sure is not None:
        trees = _sure(choice.sure, ensemble, case)
        vote = Vote(trees.forest.trees(), trees.sizes / trees.scale)
        votes = np.clip(held_out.votes * (choice.sure.scale / trees.scale), -1.0, 1.0)
        held_out = replace(held_out, votes=votes)
    held_out, zero = held_out.straight() if case.one_of_many else held_out.moved()
    vote = shifted(vote, zero)
    certificate = replace(ensemble.certificate, in_use=reached(vote))
    found = replace(
        ensemble,
        hypotheses=vote.hypotheses,
        weights=vote.weights,
        certificate=certificate,
        optimum=optimum,
    )
    return found, held_out


def _sure(sure: Sure, ensemble: Ensemble, case: Case) -> LogOdds:
    """The trees with sure leaves, after the number of passes that is best on held-out rows.

    Where rows are few, several parts of them were held out, each from a fit of its own: then it is the mean
    of the votes of these fits, to which neither copies nor the order of the rows matter.
    """
    if len(sure.parts) > 1:
        known = ([_recalled(ensemble, tree) for tree in each.forest.trees()] for each in sure.parts)
        parts = zip(sure.parts, known, strict=True)
        found = [LogOdds(Forest.of(own), each.sizes) for each, own in parts if None not in own]
        if found:
            return mean_of(found)
    case = case.sorted()  # so that a weight of 2 is the row twice, to the last bit
    data = case.data.part(case.some)
    weight = data.plain_weight / unit_of(case.data, case.patterns.count)
    runs = islice(sure_leaves(in_order(ensemble), data.X, data.y > 0.0, weight), sure.passes + 1)
    [trees] = deque(runs, maxlen=1)
    return trees


def _recalled(ensemble: Ensemble, tree: Tree) -> Any:
    """A tree of a fit to some of the rows as the class of all rows has it; None if that lacks it."""
    assert isinstance(ensemble.hypothesis_class, TreeClass)
    return ensemble.hypothesis_class.recall(tree)
