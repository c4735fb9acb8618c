"""Plots of a fit, in scikit-learn's manner: `from_estimator`, then `plot`."""
