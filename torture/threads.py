"""Fits and predictions side by side: each is what it is alone, and the BLAS has its threads again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import frankboost as fb
from torture.kind import Failure, Tried, require
from torture.samples import blas_threads, digest, sample


def attempt(seed: int) -> Tried:
    """Six fits in four threads, some of them of the same rows, and predictions among them."""
    rng = np.random.default_rng([17, seed])
    jobs = [(int(rng.integers(20, 200)), int(rng.integers(3)), int(rng.choice([1, 2, 3]))) for _ in range(6)]
    alone = [_fit(rows, k, 1) for rows, k, _ in jobs]
    before = blas_threads()
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda job: _fit(*job), jobs))
    except Exception as error:
        raise Failure(f"{jobs}: {type(error).__name__}: {error}") from error
    require(together == alone, f"{jobs}: fits side by side differ from fits alone")
    require(blas_threads() == before, f"the BLAS had {before} threads and has {blas_threads()}")
    return Tried({"fits": len(jobs)})


def _fit(rows: int, seed: int, n_jobs: int) -> tuple[Any, ...]:
    X, y = sample(rows, 4, seed)
    model = fb.SoftMarginClassifier(0.2, 0.02, max_depth=1 + seed % 2, n_jobs=n_jobs).fit(X, y)
    return (*digest(model), model.decision_function(X).tobytes())
