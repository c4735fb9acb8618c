"""Fitted models as plain data: what everything that reads a fit is given."""

from frankboost.model.calibration import Calibration
from frankboost.model.ensemble import Ensemble, Stages, weighted_vote
from frankboost.model.model import Categories, Contest, Model, positives

__all__ = [
    "Calibration",
    "Categories",
    "Contest",
    "Ensemble",
    "Model",
    "Stages",
    "positives",
    "weighted_vote",
]
