"""The votes in use of a classifier: trees with sure leaves, and one scale for many classes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from frankboost.choosing.calibration import HeldOutVotes, beta_calibration, fit_line
from frankboost.choosing.held_out_loss import weight_of_one_row
from frankboost.choosing.leaves import (
    LogOddsTrees,
    distinct_trees,
    fit_sure_leaves,
    mean_log_odds,
    order_trees,
    shift_vote,
    shrink_vote,
)
from frankboost.choosing.search import ChoiceProblem
from frankboost.choosing.trials import Choice, SureLeaves
from frankboost.learners.tree import Forest
from frankboost.model import Calibration, Ensemble, Vote

ROUNDING = 1e-8  # of a soft margin: more than weights lose on the grid


def with_vote_in_use(
    choice: Choice,
    held_out: HeldOutVotes,
    ensemble: Ensemble,
    problem: ChoiceProblem,
    soft_margin_of: Callable[[Vote], float],
) -> tuple[Ensemble, HeldOutVotes]:
    """Give an ensemble its vote in use, beside the optimum; also returns held-out votes that calibrate it.

    With two classes, a vote above 0 is a probability above 1/2, or, with `class_weight`, above the
    probability at which both errors cost the same. For one of many classes, the log-odds are about a line
    through 0 in the vote. `soft_margin_of` computes the soft margin of a vote on the rows of the fit.
    """
    if not problem.sure:
        return ensemble, held_out
    vote = optimum = Vote(ensemble.hypotheses, ensemble.weights)
    if choice.sure is not None:
        trees = _trees_with_sure_leaves(choice.sure, ensemble, problem)
        vote = Vote(trees.forest.trees(), trees.sizes / trees.scale)
        votes = np.clip(held_out.votes * (choice.sure.scale / trees.scale), -1.0, 1.0)
        held_out = replace(held_out, votes=votes)
    held_out, zero = held_out.centre_by_line() if problem.one_of_many else held_out.centre_by_calibration()
    vote = shift_vote(vote, zero)
    found = replace(
        ensemble,
        hypotheses=vote.hypotheses,
        weights=vote.weights,
        certificate=replace(ensemble.certificate, in_use=soft_margin_of(vote)),
        optimum=optimum,
    )
    return found, held_out


def _trees_with_sure_leaves(sure: SureLeaves, ensemble: Ensemble, problem: ChoiceProblem) -> LogOddsTrees:
    """The trees of the vote in use, after the number of passes that is best on held-out rows.

    If rows are few, several parts of them were held out, each from a fit of its own. Then the vote is the
    mean of the votes of these fits, which depends neither on copies of rows nor on their order. Else the
    trees of the optimum over all rows come first, and then those of the fit that held rows out.
    """
    kind: Any = ensemble.hypothesis_class
    recalled = [[kind.recall(tree) for tree in each.forest.trees()] for each in sure.parts]
    if len(sure.parts) > 1:
        pairs = zip(sure.parts, recalled, strict=True)
        found = [LogOddsTrees(Forest.of(trees), each.sizes) for each, trees in pairs if None not in trees]
        if found:
            return mean_log_odds(found)
    problem = problem.with_merged_rows()  # so that a weight of 2 is the row twice, to the last bit
    data = problem.data.select(problem.leaf_rows)
    weight = data.plain_weight / weight_of_one_row(problem.data, problem.patterns.count)
    known = [tree for tree in recalled[0] if tree is not None]
    steps = fit_sure_leaves(distinct_trees([*order_trees(ensemble), *known]), data.X, data.y > 0.0, weight)
    [trees] = deque(islice(steps, sure.passes + 1), maxlen=1)
    return trees


def to_common_scale(
    ensembles: Sequence[Ensemble], held_out: Sequence[HeldOutVotes]
) -> tuple[list[Ensemble], list[HeldOutVotes]]:
    """Shrink the votes for many classes, each fitted against the rest, until they have one scale.

    Each class has its own nu, so that votes of the same size mean different log-odds. Held-out rows give the
    line through 0 that fits the log-odds of a class best as a function of its vote. Constant trees give all
    lines the slope of the steepest one, so that the largest vote is for the most probable class.
    """
    slopes = np.array([fit_line(each)[0] for each in held_out])
    shares = (slopes / slopes.max()).tolist()
    votes = [replace(each, votes=share * each.votes) for each, share in zip(held_out, shares, strict=True)]
    return [_shrink_ensemble(each, share) for each, share in zip(ensembles, shares, strict=True)], votes


def _shrink_ensemble(ensemble: Ensemble, share: float) -> Ensemble:
    """Multiply the vote in use, and with it its soft margin, by `share`."""
    vote, certificate = shrink_vote(Vote(ensemble.hypotheses, ensemble.weights), share), ensemble.certificate
    assert certificate.in_use is not None
    certificate = replace(certificate, in_use=share * certificate.in_use - ROUNDING)
    return replace(ensemble, hypotheses=vote.hypotheses, weights=vote.weights, certificate=certificate)


def calibrate_together(held_out: Sequence[HeldOutVotes]) -> Calibration:
    """Fit one calibration to the votes for all classes, which have one scale."""
    found = beta_calibration(
        replace(
            held_out[0],
            votes=np.concatenate([each.votes for each in held_out]),
            target=np.concatenate([each.target for each in held_out]),
            weight=np.concatenate([each.weight for each in held_out]),
        )
    )
    floor = max(each.floor for each in held_out)
    return Calibration(*(np.full(len(held_out), each) for each in (found.a, found.b, found.intercept, floor)))
