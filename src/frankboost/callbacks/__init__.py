"""Callbacks for `callbacks=`: called after each round, and a fit ends when one returns True."""

from frankboost.callbacks.early_stopping import EarlyStopping
from frankboost.callbacks.json_lines import JsonLines
from frankboost.callbacks.round import Observer, Round

__all__ = ["EarlyStopping", "JsonLines", "Observer", "Round"]
