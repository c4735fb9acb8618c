"""Our active set against a general QP solver, on the quadratic programs of a real ERLPBoost fit.

    pip install daqp && python benchmarks/quadratic_program.py

Every Newton step of one fit is recorded and solved again by both, alternating, from the same data.
"""

from __future__ import annotations

import platform
import time
from datetime import date

import daqp
import numpy as np
from sklearn.datasets import load_breast_cancer
from threadpoolctl import threadpool_limits

from frankboost import ERLPBoostClassifier
from frankboost.rules import fully_corrective
from frankboost.rules.quadratic import maximise_on_simplex


def record() -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The quadratic programs of one fit."""
    problems = []

    def spy(slope, H, start):
        problems.append((slope.copy(), H.copy(), start.copy()))
        return maximise_on_simplex(slope, H, start)

    fully_corrective.maximise_on_simplex = spy
    X, y = load_breast_cancer(return_X_y=True)
    ERLPBoostClassifier(nu=0.1, columns_per_round=5).fit(X, y)
    fully_corrective.maximise_on_simplex = maximise_on_simplex
    return problems


def general(slope: np.ndarray, H: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The same problem by daqp, regularised alike; it has no warm start in this form."""
    n = len(slope)
    c = slope + H @ start
    pull = max(1e-12, 1e-6 * np.trace(H) / n)
    A = np.ones((1, n))
    upper, lower = np.append(np.full(n, 1e30), 1.0), np.append(np.zeros(n), 1.0)
    sense = np.append(np.zeros(n), 5).astype(np.int32)
    v, _, flag, _ = daqp.solve(H + pull * np.eye(n), -(c + pull * start), A, upper, lower, sense)
    return v if flag > 0 else np.full(n, np.nan)


def main() -> None:
    """Print a table."""
    problems = record()
    seconds, values = {"ours": 0.0, "daqp": 0.0}, {"ours": [], "daqp": []}
    with threadpool_limits(limits=1, user_api="blas"):
        for c, H, start in problems:
            for name, solve in (("ours", maximise_on_simplex), ("daqp", general)):
                begin = time.perf_counter()
                v = solve(c, H, start)
                seconds[name] += time.perf_counter() - begin
                values[name].append(c @ (v - start) - (v - start) @ H @ (v - start) / 2)
    behind = np.subtract(values["daqp"], values["ours"])
    print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}")
    print(f"{len(problems)} problems, {max(len(c) for c, *_ in problems)} variables at the most")
    for name, total in seconds.items():
        print(f"{name:>6}: {1e3 * total / len(problems):8.3f} ms a problem")
    print(f"largest difference in the objective: {np.nanmax(np.abs(behind)):.1e}")
    print(f"not solved by daqp: {np.isnan(behind).sum()}")


if __name__ == "__main__":
    main()
