"""Our active set against a general QP solver, on the quadratic programs of a real ERLPBoost fit.

    pip install daqp && python benchmarks/quadratic_program.py

Every Newton step of one fit is recorded and solved again by both from the same data, by turns and several
times; the least CPU time of each counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from unittest.mock import patch

import daqp
import numpy as np
from contest import conditions
from sklearn.datasets import load_breast_cancer
from threadpoolctl import threadpool_limits

from frankboost import ERLPBoostClassifier
from frankboost.rules.quadratic import maximise_on_simplex
from frankboost.typing import Floats

REPEATS = 5

Program = tuple[Floats, Floats, Floats, float]
Solver = Callable[[Floats, Floats, Floats, float], Floats]


def record() -> list[Program]:
    """The quadratic programs of one fit."""
    programs: list[Program] = []

    def spy(slope: Floats, H: Floats, start: Floats, pull: float) -> Floats:
        programs.append((slope.copy(), H.copy(), start.copy(), pull))
        return maximise_on_simplex(slope, H, start, pull)

    X, y = load_breast_cancer(return_X_y=True)
    with patch("frankboost.rules.fully_corrective.maximise_on_simplex", spy):
        ERLPBoostClassifier(nu=0.1, columns_per_round=5).fit(X, y)
    return programs


def general(slope: Floats, H: Floats, start: Floats, pull: float) -> Floats:
    """The same problem by daqp, regularised alike; it has no warm start in this form."""
    n = len(slope)
    c = slope + H @ start
    added = max(1e-12, pull * float(np.trace(H)) / n)
    A = np.ones((1, n))
    upper, lower = np.append(np.full(n, 1e30), 1.0), np.append(np.zeros(n), 1.0)
    sense = np.append(np.zeros(n), 5).astype(np.int32)
    v, _, flag, _ = daqp.solve(H + added * np.eye(n), -(c + added * start), A, upper, lower, sense)
    return np.asarray(v) / np.sum(v) if flag > 0 else np.full(n, np.nan)


def timed(solve: Solver, program: Program) -> tuple[float, float]:
    """CPU seconds, and the objective reached."""
    begin = time.process_time()
    v = solve(*program)
    seconds = time.process_time() - begin
    slope, H, start, _ = program
    return seconds, float(slope @ (v - start) - (v - start) @ H @ (v - start) / 2)


def main() -> None:
    """Print a table."""
    programs = record()
    solvers: dict[str, Solver] = {"ours": maximise_on_simplex, "daqp": general}
    seconds: dict[str, list[float]] = {name: [] for name in solvers}
    values: dict[str, list[float]] = {name: [] for name in solvers}
    with threadpool_limits(limits=1, user_api="blas"):
        for program in programs:
            turns = [{name: timed(solve, program) for name, solve in solvers.items()} for _ in range(REPEATS)]
            for name in solvers:
                seconds[name].append(min(turn[name][0] for turn in turns))
                values[name].append(turns[0][name][1])
    behind = np.subtract(values["daqp"], values["ours"])
    about = conditions()
    print(f"{date.today()}, {about['cpu']}, load {about['load']:.1f}, one thread")
    print(f"{len(programs)} programs, {max(len(slope) for slope, *_ in programs)} variables at the most")
    for name, each in seconds.items():
        print(f"{name:>6}: {1e3 * float(np.mean(each)):8.3f} ms per program")
    print(f"objective of daqp less ours: {np.nanmin(behind):.1e} to {np.nanmax(behind):.1e}")
    print(f"more than 1e-9 apart: {np.sum(np.abs(behind) > 1e-9)}")
    print(f"not solved by daqp: {np.isnan(behind).sum()}")


if __name__ == "__main__":
    main()
