"""The vote that a classifier is in the end: the optimum's trees, with leaves that say how sure they are."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import islice

import numpy as np

from frankboost.choosing.calibration import HeldOut
from frankboost.choosing.held_out_loss import unit_of
from frankboost.choosing.leaves import LogOdds, mean_of, shifted, sure_leaves
from frankboost.choosing.search import Case
from frankboost.choosing.trials import Choice, Sure
from frankboost.fitting.problems import TrainingSet
from frankboost.model import Ensemble, Vote, weighted_vote
from frankboost.typing import Floats

ROUNDING = 1e-8  # more than sums of margins are off by


def in_use(
    choice: Choice, held_out: HeldOut, ensemble: Ensemble, case: Case, rows: TrainingSet
) -> tuple[Ensemble, HeldOut]:
    """The ensemble with the vote in use, its optimum beside it, and held-out votes that calibrate it.

    A vote above 0 is a probability above 1/2, or where an error costs the same either way. `rows` are those
    that were fitted.
    """
    if not case.sure:
        return ensemble, held_out
    vote = optimum = Vote(ensemble.hypotheses, ensemble.weights)
    if choice.sure is not None:
        trees = _sure(choice.sure, ensemble, case, averaged=choice.averaged)
        vote = Vote(trees.trees, trees.sizes / trees.scale)
        votes = np.clip(held_out.votes * (choice.sure.scale / trees.scale), -1.0, 1.0)
        held_out = replace(held_out, votes=votes)
    held_out, zero = held_out.moved()
    vote = shifted(vote, zero)
    votes = weighted_vote(vote.hypotheses, vote.weights, rows.X, case.settings.threads)
    reached = _soft_margin(rows.y * votes, rows.sample_weight, ensemble.certificate.nu)
    certificate = replace(ensemble.certificate, in_use=reached)
    found = replace(
        ensemble,
        hypotheses=vote.hypotheses,
        weights=vote.weights,
        certificate=certificate,
        optimum=optimum,
    )
    return found, held_out


def _sure(sure: Sure, ensemble: Ensemble, case: Case, *, averaged: bool) -> LogOdds:
    """The trees with leaves that were gone through as often as the held-out rows asked for."""
    data = case.data.part(case.some)
    weight = data.plain_weight / unit_of(case.data, case.patterns.count)
    runs = islice(sure_leaves(ensemble.trees(), data.X, data.y > 0.0, weight), sure.passes + 1)
    [trees] = deque(runs, maxlen=1)
    return mean_of([*sure.parts, trees]) if averaged else trees


def _soft_margin(margins: Floats, weight: Floats, nu: float) -> float:
    """The mean of the smallest margins, up to nu of the weight, and no more than it is."""
    order = np.argsort(margins, kind="stable")
    weight, room = weight[order], nu * float(weight.sum())
    taken = np.clip(room - (np.cumsum(weight) - weight), 0.0, weight)
    return float((taken * margins[order]).sum() / taken.sum()) - ROUNDING
