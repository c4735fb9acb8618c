"""Fitted models as plain data, which everything that reads a fit works on."""

from frankboost.model.ensemble import Ensemble, LeftOutError, Stages, Vote, VoteAlone, weighted_vote
from frankboost.model.model import (
    Calibration,
    Categories,
    Contest,
    Model,
    own_class,
    positives,
    vote_columns,
)

__all__ = [
    "Calibration",
    "Categories",
    "Contest",
    "Ensemble",
    "LeftOutError",
    "Model",
    "Stages",
    "Vote",
    "VoteAlone",
    "own_class",
    "positives",
    "vote_columns",
    "weighted_vote",
]
