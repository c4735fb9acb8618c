"""Plots of fitted models, used as in scikit-learn: `SomeDisplay.from_estimator(clf, ...)`."""

from frankboost.display.base import SmallMultiples
from frankboost.display.convergence import ConvergenceDisplay
from frankboost.display.importances import ImportanceDisplay
from frankboost.display.margins import MarginDisplay
from frankboost.display.nu_path import NuPathDisplay
from frankboost.display.pair import PairDisplay
from frankboost.display.row import RowDisplay
from frankboost.display.shape import ShapeDisplay
from frankboost.display.terms import TermsDisplay
from frankboost.display.tree import TreeDisplay

__all__ = [
    "ConvergenceDisplay",
    "ImportanceDisplay",
    "MarginDisplay",
    "NuPathDisplay",
    "PairDisplay",
    "RowDisplay",
    "ShapeDisplay",
    "SmallMultiples",
    "TermsDisplay",
    "TreeDisplay",
]
