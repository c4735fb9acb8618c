"""One scale for the votes for many classes, each of which was fitted against the rest.

Each class has its own nu, so that votes of the same size mean different log-odds. Rows that were held out
tell the log-odds of each class, about a line in its vote. Constant trees give all votes the same line, so
that the largest vote is for the most probable class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from frankboost.choosing.calibration import HeldOut, beta_calibration, line_of
from frankboost.choosing.leaves import shrunk
from frankboost.model import Calibration, Ensemble, Vote

ROUNDING = 1e-8  # of a soft margin: more than weights lose on the grid


def one_scale(
    ensembles: Sequence[Ensemble], held_out: Sequence[HeldOut]
) -> tuple[list[Ensemble], list[HeldOut]]:
    """Shrink votes whose log-odds are lines through 0, so that all lines have the same slope, the largest."""
    slopes = np.array([line_of(each)[0] for each in held_out])
    shares = (slopes / slopes.max()).tolist()
    votes = [replace(each, votes=share * each.votes) for each, share in zip(held_out, shares, strict=True)]
    return [_shrunk(each, share) for each, share in zip(ensembles, shares, strict=True)], votes


def _shrunk(ensemble: Ensemble, share: float) -> Ensemble:
    """The ensemble with a share of its vote in use, whose soft margin becomes that share, too."""
    vote, certificate = shrunk(Vote(ensemble.hypotheses, ensemble.weights), share), ensemble.certificate
    assert certificate.in_use is not None
    certificate = replace(certificate, in_use=share * certificate.in_use - ROUNDING)
    return replace(ensemble, hypotheses=vote.hypotheses, weights=vote.weights, certificate=certificate)


def one_calibration(held_out: Sequence[HeldOut]) -> Calibration:
    """One calibration for the votes of all classes, which have one scale."""
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
