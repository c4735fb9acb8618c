"""frankboost on a Dask cluster: the same model, bit for bit (the extra `frankboost[dask]`)."""

from frankboost.dask.classifiers import (
    DaskERLPBoostClassifier,
    DaskMLPBoostClassifier,
    DaskSoftMarginClassifier,
)
from frankboost.dask.verification import verify

__all__ = ["DaskERLPBoostClassifier", "DaskMLPBoostClassifier", "DaskSoftMarginClassifier", "verify"]
