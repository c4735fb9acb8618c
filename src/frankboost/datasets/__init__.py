"""Data sets: the paper's by name, made, bundled with scikit-learn, or read from files."""

from frankboost.datasets.base import Dataset
from frankboost.datasets.bundled import breast_cancer, digits
from frankboost.datasets.collection import NAMES, load, realisations
from frankboost.datasets.generated import ringnorm, twonorm, waveform, worst_case

__all__ = [
    "NAMES",
    "Dataset",
    "breast_cancer",
    "digits",
    "load",
    "realisations",
    "ringnorm",
    "twonorm",
    "waveform",
    "worst_case",
]
