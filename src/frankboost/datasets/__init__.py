"""Data sets: the paper's by name, made, bundled with scikit-learn, or read from files."""

from frankboost.datasets.builtin import (
    Dataset,
    breast_cancer,
    digits,
    ringnorm,
    twonorm,
    waveform,
    worst_case,
)
from frankboost.datasets.collection import NAMES, load, realisations

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
