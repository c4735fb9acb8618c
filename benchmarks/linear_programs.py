"""A whole fit of LevelBoost against one solve of the linear program over the trees that it ends with.

The program is the restricted problem of LPBoost, min gamma subject to A_j^T d <= gamma for every tree j,
sum d = 1 and 0 <= d <= 1 / (nu m), with m + 1 variables and one row per tree. Solvers are as they come, on
one thread; what the trees say of the rows is known before the clock starts. All solve one problem, which is
checked: the fit's soft margin is at most the optimum over its trees, which is at most its bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import highspy
import numpy as np
from contest import say, shown
from report import Asked, Result, Row
from scipy import sparse
from sets import SAFETY, SEED, Scope

from frankboost import SoftMarginClassifier
from frankboost.datasets import twonorm

NU, TOL, SLACK = 0.1, 0.01, 1e-3  # PDLP's tolerance is relative
LIMIT = 300.0  # seconds of a solver


def compare(scope: Scope) -> Result:
    """One row per solver that is installed."""
    data = twonorm(2_000, SEED) if scope.quick else scope.twonorm()
    y = np.where(np.asarray(data.y) > 0, 1.0, -1.0)
    start = time.process_time()
    clf = SoftMarginClassifier(NU, TOL, n_jobs=1, time_limit=SAFETY).fit(data.X, y)
    ours = time.process_time() - start
    A = np.column_stack([y * tree(np.asarray(data.X)) for tree in clf.estimators_])
    say(f"fit: {shown(ours)}, {clf.certificate_}, {A.shape[1]} trees")
    result = Result(raw={"ours": ours, "trees": A.shape[1], "theirs": {}})
    for name, solve in SOLVERS.items():
        try:
            start = time.process_time()
            value = solve(A, 1.0 / (NU * len(y)))
            theirs = time.process_time() - start
        except ImportError:
            result.notes.append(f"{name} is not installed: pip install '.[rivals]'")
            continue
        say(f"{name}: {shown(theirs)}, optimum {value}")
        result.raw["theirs"][name] = [theirs, value]
        ends = clf.certificate_
        if value is not None and not ends.soft_margin - SLACK <= value <= ends.bound + SLACK:
            raise AssertionError(f"{name} says {value}, which is not within {ends}")
        result.rows.append(_row(A.shape, name, ours, theirs, solved=value is not None))
    return result


def _row(shape: tuple[int, ...], name: str, ours: float, theirs: float, *, solved: bool) -> Row:
    return Row(
        f"a whole fit of SoftMarginClassifier, twonorm, {shape[0]:,} rows, nu = {NU}, tol = {TOL}: CPU time",
        f"one solve over its {shape[1]} trees by {name}" + ("" if solved else ", not solved"),
        shown(ours),
        ("" if solved else "> ") + shown(theirs),
        theirs / ours,
        Asked("theirs/ours", ">=", 15),
    )


def _by_highs(A: np.ndarray, cap: float, **options: Any) -> float | None:
    """The optimum by HiGHS; None if it is not found in time."""
    m, n = A.shape
    rows = sparse.csr_array(np.block([[A.T, -np.ones((n, 1))], [np.ones((1, m)), np.zeros((1, 1))]]))
    lp, none = highspy.HighsLp(), highspy.kHighsInf
    lp.num_col_, lp.num_row_ = m + 1, n + 1
    lp.col_cost_ = np.append(np.zeros(m), 1.0)
    lp.col_lower_, lp.col_upper_ = np.append(np.zeros(m), -none), np.append(np.full(m, cap), none)
    lp.row_lower_, lp.row_upper_ = np.append(np.full(n, -none), 1.0), np.append(np.zeros(n), 1.0)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = rows.indptr, rows.indices, rows.data
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {"output_flag": False, "threads": 1, "time_limit": LIMIT, **options}.items():
        solver.setOptionValue(name, value)
    solver.passModel(lp)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal and options.get("run_crossover") != "off":
        return None
    return float(solver.getInfo().objective_function_value)


def _by_clarabel(A: np.ndarray, cap: float) -> float | None:
    """The optimum by Clarabel; None if it is not found in time."""
    import clarabel  # noqa: PLC0415  (optional)

    m, n = A.shape
    eye, zero = sparse.eye_array(m), sparse.csc_array((m, 1))
    once = sparse.csc_array(np.append(np.ones(m), 0.0)[None, :])
    below = sparse.csc_array(np.hstack([A.T, -np.ones((n, 1))]))
    rows = sparse.vstack([once, below, sparse.hstack([eye, zero]), sparse.hstack([-eye, zero])], format="csc")
    right = np.concatenate([[1.0], np.zeros(n), np.full(m, cap), np.zeros(m)])
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(n + 2 * m)]
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.time_limit, settings.max_threads = False, LIMIT, 1
    nothing = sparse.csc_matrix((m + 1, m + 1))
    solver = clarabel.DefaultSolver(
        nothing, np.append(np.zeros(m), 1.0), sparse.csc_matrix(rows), right, cones, settings
    )
    solution = solver.solve()
    return float(solution.obj_val) if str(solution.status) == "Solved" else None


SOLVERS: dict[str, Callable[[np.ndarray, float], float | None]] = {
    "HiGHS's interior point without crossover": lambda A, cap: _by_highs(
        A, cap, solver="ipm", run_crossover="off"
    ),
    "HiGHS's simplex": lambda A, cap: _by_highs(A, cap, solver="simplex"),
    "HiGHS's PDLP": lambda A, cap: _by_highs(A, cap, solver="pdlp"),
    "Clarabel": _by_clarabel,
}
