"""Data sets for examples and studies: the paper's 13 sets, generated ones, and two sets of scikit-learn."""

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
