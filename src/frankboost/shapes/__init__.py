"""Write the vote of small trees as an exact sum of functions of one feature and of two features."""

from frankboost.shapes.bins import Bins
from frankboost.shapes.making import Features, importances_of, shapes_of
from frankboost.shapes.terms import Shapes, Term

__all__ = ["Bins", "Features", "Shapes", "Term", "importances_of", "shapes_of"]
