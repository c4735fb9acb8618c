"""frankboost on a Dask cluster: the same model, bit for bit (the extra `frankboost[dask]`)."""

from frankboost.dask.classifiers import (
    DaskERLPBoostClassifier,
    DaskMLPBoostClassifier,
    DaskSoftMarginClassifier,
)

__all__ = ["DaskERLPBoostClassifier", "DaskMLPBoostClassifier", "DaskSoftMarginClassifier"]
