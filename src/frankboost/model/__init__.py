"""Fitted models as plain data: what everything that reads a fit is given."""

from frankboost.model.ensemble import Ensemble, Stages, weighted_vote
from frankboost.model.model import Categories, Contest, Model, Sigmoids, positives

__all__ = ["Categories", "Contest", "Ensemble", "Model", "Sigmoids", "Stages", "positives", "weighted_vote"]
