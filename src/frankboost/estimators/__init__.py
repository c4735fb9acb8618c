"""The scikit-learn classes."""
