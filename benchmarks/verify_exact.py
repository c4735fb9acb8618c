"""What a proof in integers costs: `verify` of one version against that of another, each on its own fit.

    python benchmarks/verify_exact.py DIR OLD_PYTHON NEW_PYTHON [--turns 5]

DIR holds raetsch/*.npz; the two are the interpreters in which the versions are installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from turns import Workload, load, main


def workloads(data: Path) -> Iterator[Workload]:
    """One verification for each set."""
    import frankboost as fb  # noqa: PLC0415 - only in the processes that are timed

    for path in sorted((data / "raetsch").glob("*.npz")):
        rows = load(path)
        X, y, weight = rows["X"], rows["y"], rows["count"].astype(float)
        model = fb.SoftMarginClassifier(nu=0.3).fit(X, y, weight)
        yield path.stem, partial(fb.verify, model, X, y, weight)


if __name__ == "__main__":
    main(__doc__, workloads)
