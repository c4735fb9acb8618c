"""One scale for the votes for many classes, each of which was fitted against the rest.

Each class has its own nu, so that votes of the same size mean different log-odds. For each class, held-out
rows give the line that fits the log-odds best as a function of the vote. Constant trees give all votes the
same line, so that the largest vote is for the most probable class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from frankboost.choosing.calibration import HeldOutVotes, beta_calibration, fit_line
from frankboost.choosing.leaves import shrink_vote
from frankboost.model import Calibration, Ensemble, Vote

ROUNDING = 1e-8  # of a soft margin: more than weights lose on the grid


def to_common_scale(
    ensembles: Sequence[Ensemble], held_out: Sequence[HeldOutVotes]
) -> tuple[list[Ensemble], list[HeldOutVotes]]:
    """Shrink votes whose log-odds are lines through 0 until all lines have the slope of the steepest one."""
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
