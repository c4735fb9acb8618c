"""Data sets: made, bundled with scikit-learn, or read from files."""

from frankboost.datasets.base import Dataset
from frankboost.datasets.bundled import breast_cancer
from frankboost.datasets.generated import ringnorm, twonorm, waveform, worst_case

__all__ = ["Dataset", "breast_cancer", "ringnorm", "twonorm", "waveform", "worst_case"]
