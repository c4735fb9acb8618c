"""A room on a device, and its weak learner."""

from __future__ import annotations

from dataclasses import replace

from joblib import effective_n_jobs

from frankboost.cuda.part import CudaPart
from frankboost.learners.best_tree import BestTree
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree_class import TreeClass
from frankboost.rooms.parts import PartsHere, PartsRoom
from frankboost.rooms.parts_search import PartsTrees
from frankboost.typing import Floats


def cuda_room(
    learner: BestTree, X: Floats, y: Floats, sample_weight: Floats, *, nu: float, tol: float
) -> tuple[PartsRoom, PartsTrees]:
    """The rows on the current device, and the search over them."""
    if learner.max_depth > 2:
        raise ValueError(f'max_depth must be 1 or 2 with device="cuda"; got {learner.max_depth!r}')
    features = BinnedFeatures.from_rows(
        X, sample_weight, learner.max_bins, learner.categorical, learner.thresholds
    )
    parts = PartsHere([CudaPart(features, y, sample_weight)], len(y), in_one_place=True)
    trees = TreeClass(learner.max_depth, features.thresholds, features.categories, features.all_thresholds)
    first = replace(features, codes=features.codes[:, :1].copy())
    threads = effective_n_jobs(learner.n_jobs)
    search = PartsTrees(trees, first, parts, columns=learner.columns_per_round or 1, threads=threads)
    return PartsRoom(parts, search, nu=nu, tol=tol, threads=threads), search
