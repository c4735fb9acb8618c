"""Plots of a fit, in scikit-learn's manner: `from_estimator`, then `plot`."""

from frankboost.display.base import SmallMultiples
from frankboost.display.convergence import ConvergenceDisplay
from frankboost.display.importances import ImportanceDisplay
from frankboost.display.margins import MarginDisplay
from frankboost.display.nu_path import NuPathDisplay
from frankboost.display.tree import TreeDisplay

__all__ = [
    "ConvergenceDisplay",
    "ImportanceDisplay",
    "MarginDisplay",
    "NuPathDisplay",
    "SmallMultiples",
    "TreeDisplay",
]
