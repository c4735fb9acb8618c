"""Rules: each proposes weights of the hypotheses in every round, and the loop keeps the best proposal."""

from frankboost.rules.base import Position, Proposal, Rule, SecondaryRule, Step

__all__ = ["Position", "Proposal", "Rule", "SecondaryRule", "Step"]
