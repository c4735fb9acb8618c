"""The scikit-learn classes."""

from frankboost.estimators.parameters import parameter, with_parameters

__all__ = ["parameter", "with_parameters"]
