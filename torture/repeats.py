"""Equal fits have equal bytes, as pickles and as files, whatever memory held before."""

from __future__ import annotations

import json
import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import frankboost as fb
from torture.kind import Tried, require

REPEATS = 3
PARTS = ("hypotheses", "weights", "distribution", "hypothesis_class", "certificate", "capped", "importances")


def attempt(seed: int) -> Tried:
    """One table of numbers, categories and dates with gaps, fitted some times."""
    rng = np.random.default_rng([31, seed])
    X, y = _table(rng)
    settings: dict[str, Any] = {"max_depth": int(rng.integers(1, 4)), "max_iter": 20}
    settings["calibration"] = [None, 2][rng.integers(2)]
    first = _bytes(fb.SoftMarginClassifier(0.3, 0.05, **settings).fit(X, y))
    for _ in range(REPEATS):
        _fill_memory(rng)
        again = _bytes(fb.SoftMarginClassifier(0.3, 0.05, **settings).fit(X, y))
        for what, one in first.items():
            require(one == again[what], f"{settings}: {what} differs between equal fits\n{X}\n{y.tolist()}")
    return Tried({"fits": REPEATS + 1})


def _table(rng: Generator) -> tuple[Any, Any]:
    import pandas as pd  # noqa: PLC0415 - heavy

    m = int(rng.integers(20, 80))
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 99, m), "D")
    X = pd.DataFrame({"a": rng.standard_normal(m), "b": rng.integers(0, 4, m) / 2, "day": days})
    X["kind"] = pd.Categorical(rng.choice(list("uvwxyz"), m))
    X["text"] = rng.choice(["one", "two", "three"], m)
    X = X.mask(rng.random(X.shape) < 0.1)
    return X[X.columns[rng.random(5) < 0.8].tolist() or ["kind"]], rng.permutation(m) % int(
        rng.integers(2, 4)
    )


def _fill_memory(rng: Generator) -> None:
    """Leave scraps where the next fit will have its arrays."""
    scraps = [bytes([65 + k % 26]) * int(size) for k, size in enumerate(rng.integers(16, 4000, 5000))]
    del scraps[::2]


def _bytes(model: Any) -> dict[str, object]:
    """All of a model but the time that its fit took."""
    parts = {
        f"the pickle of {name} of ensemble {k}": pickle.dumps(getattr(ensemble, name, None))
        for k, ensemble in enumerate(model.model_.ensembles)
        for name in PARTS
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        fb.save(model, path)
        document = json.loads(path.read_bytes())
        fb.save(model, path, certificate=False)
        parts["the file without a certificate"] = path.read_bytes()
    for fit in document["fits"]:
        fit["trace"] = {name: each for name, each in fit["trace"].items() if "seconds" not in name}
    return {**parts, "the file": json.dumps(document)}
