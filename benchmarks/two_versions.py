"""Whether one version of the library is slower than another, workload by workload.

    python benchmarks/two_versions.py DIR OLD_PYTHON NEW_PYTHON [--turns 5]

DIR holds raetsch/*.npz and large/covtype.npz; the two are the interpreters in which the versions are
installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from turns import Workload, load, main

SETS = ("banana", "diabetis", "german", "image", "ringnorm", "splice", "twonorm", "waveform")


def workloads(data: Path) -> Iterator[Workload]:
    """What both versions do, through public names that both have."""
    import frankboost as fb  # noqa: PLC0415 - only in the processes that are timed

    def fit(kind: str, X: Any, y: Any, **settings: Any) -> Callable[[], object]:
        return lambda: getattr(fb, kind)(**{"nu": 0.3, **settings}).fit(X, y)

    def fits(X: Any, y: Any) -> list[object]:
        # Several, since the number of rounds of a single fit is a matter of luck.
        return [fit("SoftMarginClassifier", X, y, nu=nu)() for nu in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)]

    def rows(path: str) -> tuple[Any, Any]:
        arrays = load(data / path)
        return arrays["X"], arrays["y"]

    sets = {name: rows(f"raetsch/{name}.npz") for name in SETS}
    for name, (X, y) in sets.items():
        yield f"LevelBoost at seven nu, {name}", partial(fits, X, y)
    X, y = sets["waveform"]
    yield "LevelBoost, waveform, all thresholds", fit("SoftMarginClassifier", X, y, max_bins=None)
    yield "LevelBoost, waveform, depth 3", fit("SoftMarginClassifier", X, y, max_depth=3, max_iter=8)
    X, y = sets["german"]
    yield "LPBoost, german", fit("LPBoostClassifier", X, y, max_iter=60)
    yield "ERLPBoost, german", fit("ERLPBoostClassifier", X, y, max_iter=100)
    yield "MLPBoost(pairwise, lp), german", fit("MLPBoostClassifier", X, y, fw_rule="pairwise", max_iter=60)
    yield "C-ERLPBoost, german", fit("CERLPBoostClassifier", X, y, max_iter=200)
    X, y = sets["twonorm"]
    model = fb.SoftMarginClassifier(nu=0.3).fit(X, y)
    many = np.repeat(X, 14, axis=0)
    yield "predict, 100,000 rows", lambda: model.decision_function(many)
    yield "predict, 10 rows, 200 times", lambda: [model.decision_function(X[:10]) for _ in range(200)]
    yield "verify, twonorm", lambda: fb.verify(model, X, y)
    X, y = rows("large/covtype.npz")
    yield "LevelBoost, covtype", fit("SoftMarginClassifier", X, y, tol=0.05, n_jobs=2)


if __name__ == "__main__":
    main(__doc__, workloads)
