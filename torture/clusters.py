"""Odd Dask partitions, and workers that are killed: the model is that of one machine, bit for bit."""

from __future__ import annotations

import functools
import os
import re
import signal
import subprocess
import sys
import threading
import warnings
from typing import Any

import numpy as np
from numpy.random import Generator

import frankboost as fb
from torture.child import apart, note
from torture.kind import Failure, Skipped, Tried, require

# A process of its own, which ends when this one does.
CLUSTER = """
import sys
from distributed import LocalCluster
where = {"host": "127.0.0.1", "dashboard_address": None}
cluster = LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, **where)
print(cluster.scheduler_address, flush=True)
sys.stdin.read()
"""
SECONDS, MEMORY = 30.0, 8e9  # CPU time of the client
PATIENCE = 120.0  # seconds until a killed worker has come back
NAMED = re.compile(r"\b(X|y|sample_weight|column|partition|class|classes)\b")
ODD = ("float32", "integers", "text", "nothing but gaps", "one class")


def attempt(seed: int) -> Tried:
    """One problem, here and on the cluster."""
    try:
        import distributed  # noqa: F401, PLC0415
    except ImportError:
        raise Skipped("there is no Dask") from None
    return apart(clusters, seed, seconds=SECONDS, memory=MEMORY)


def clusters(seed: int) -> Tried:
    """The same in this process."""
    rng, client = np.random.default_rng([37, seed]), _client()
    X, y, weight, told = _pieces(rng)
    collections, kind = _collections(rng, X, y, weight)
    settings: dict[str, Any] = {"nu": 0.3, "tol": 0.05, "max_depth": int(rng.integers(1, 3)), "max_iter": 40}
    told = f"{settings}, {kind}, partitions of {[len(each) for each in y]} rows: {told}"
    note(told)
    killed = _kill_a_worker(rng, client) if rng.random() < 0.3 else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = _outcome(fb.SoftMarginClassifier(**settings), *(_joined(each) for each in (X, y, weight)))
        there = _outcome(_dask_classifier()(**settings), *collections)
    if killed is not None:
        killed.join()
        client.wait_for_workers(2, PATIENCE)
    clear = isinstance(there, ValueError | TypeError) and NAMED.search(str(there))
    if isinstance(there, Exception) and not clear:
        raise Failure(f"{told}: {type(there).__name__}: {there}") from there
    if isinstance(there, Exception) and ("text" in told or isinstance(here, Exception)):
        return Tried({"errors": 1})
    require(there == here, f"{told}: here {here!r:.300}, there {there!r:.300}")
    return Tried({f"{kind}: the same{'' if killed is None else ', a worker killed'}": 1})


@functools.cache
def _client() -> Any:
    from distributed import Client  # noqa: PLC0415 - heavy

    pipes: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
    }
    process = subprocess.Popen([sys.executable, "-c", CLUSTER], text=True, **pipes)
    if process.stdout is None:
        raise Failure("the cluster has no output")
    return Client(process.stdout.readline().strip(), timeout=60)


def _dask_classifier() -> Any:
    from frankboost.dask import DaskSoftMarginClassifier  # noqa: PLC0415 - heavy

    return DaskSoftMarginClassifier


def _kill_a_worker(rng: Generator, client: Any) -> threading.Timer:
    """Soon: in the middle of what comes."""
    workers = list(client.run(os.getpid).values())
    victim = workers[rng.integers(len(workers))]
    timer = threading.Timer(float(rng.uniform(0.0, 1.0)), os.kill, (victim, signal.SIGKILL))
    timer.start()
    return timer


def _pieces(rng: Generator) -> tuple[list[Any], list[Any], list[Any] | None, str]:
    """Rows, labels and perhaps weights in pieces, some of them empty or of one row, and what is odd."""
    m = int(rng.integers(20, 120))
    X = rng.integers(0, 5, (m, 3)) / 2.0
    y = (X[:, 0] + rng.standard_normal(m) > 1.0).astype(np.int64) + (rng.random() < 0.2) * (X[:, 2] > 1.5)
    y[:2] = 0, 1
    X[rng.random(X.shape) < 0.05] = np.nan
    odd = [each for each in ODD if rng.random() < 0.15]
    if "one class" in odd:
        order = np.argsort(y, kind="stable")
        X, y = X[order], y[order]
    cuts = np.sort(rng.choice(np.r_[0, 1, rng.integers(0, m, 4), m], int(rng.integers(1, 6))))
    rows, labels = np.split(X, cuts), np.split(y, cuts)
    changed = int(rng.integers(len(rows)))
    if "nothing but gaps" in odd:
        rows[changed] = np.full_like(rows[changed], np.nan)
    if "float32" in odd:
        rows[changed] = rows[changed].astype(np.float32)
    if "integers" in odd and not np.isnan(rows[changed]).any():
        rows[changed] = np.floor(rows[changed]).astype(np.int64)
    if "text" in odd:
        rows[changed] = rows[changed].astype(str)
    weight = np.split(rng.integers(0, 3, m) / 2.0 + (y == y[0]) * 0.5, cuts) if rng.random() < 0.4 else None
    return rows, labels, weight, f"{odd} in partition {changed}, weights: {weight is not None}"


def _joined(pieces: list[Any] | None) -> Any:
    return None if pieces is None else np.concatenate(pieces)


def _collections(rng: Generator, *parts: list[Any] | None) -> tuple[list[Any], str]:
    """Dask arrays, with or without known sizes, or data frames."""
    given = [
        (pieces, np.dtype(np.int64 if k == 1 else np.float64)) for k, pieces in enumerate(parts) if pieces
    ]
    kind = ("arrays", "arrays of unknown sizes", "frames")[rng.integers(3)]
    if kind == "frames":
        return [_frame(*each) for each in given], kind
    return [_array(*each, sized=kind == "arrays") for each in given], kind


def _frame(pieces: list[Any], dtype: Any) -> Any:
    import dask.dataframe as dd  # noqa: PLC0415 - heavy
    import pandas as pd  # noqa: PLC0415

    from dask import delayed  # noqa: PLC0415

    made = [pd.DataFrame(each, columns=list("abc")) if each.ndim == 2 else pd.Series(each) for each in pieces]
    meta = pd.DataFrame(columns=list("abc"), dtype=dtype) if pieces[0].ndim == 2 else pd.Series(dtype=dtype)
    return dd.from_delayed([delayed(each) for each in made], meta=meta, verify_meta=False)


def _array(pieces: list[Any], dtype: Any, *, sized: bool) -> Any:
    import dask.array as da  # noqa: PLC0415 - heavy

    from dask import delayed  # noqa: PLC0415

    shapes = [(len(each) if sized else np.nan, *each.shape[1:]) for each in pieces]
    meta = np.empty((0,) * pieces[0].ndim, dtype)
    chunks = zip(pieces, shapes, strict=True)
    return da.concatenate([da.from_delayed(delayed(each), shape, dtype, meta) for each, shape in chunks])


def _outcome(classifier: Any, X: Any, y: Any, weight: Any = None) -> Any:
    """What equal models share, or the error."""
    try:
        fitted = classifier.fit(X, y, weight)
        model = (fitted.to_local() if hasattr(fitted, "to_local") else fitted).model_
    except Exception as error:
        return error
    return model.classes.tolist(), [
        (each.certificate, each.weights.tobytes(), np.asarray(each.distribution).tobytes(),
         [[tree.nodes[name].tobytes() for name in tree.nodes.dtype.names] for tree in each.hypotheses])
        for each in model.ensembles
    ]  # fmt: skip
