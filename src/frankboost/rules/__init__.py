"""How weights move: every rule proposes weights, the loop keeps the best."""

from frankboost.rules.base import Position, Proposal, Rule, SecondaryRule, Step

__all__ = ["Position", "Proposal", "Rule", "SecondaryRule", "Step"]
