"""What a study is made of: runs, each one fit of one algorithm to one set of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from frankboost.experiments.problems import TOL

LIMITS = {"time_limit", "memory_limit"}


@dataclass(frozen=True)
class Run:
    """One fit and what it is measured on; plain settings, so that a run can be told from its line of results.

    Attributes
    ----------
    part : str
        What it is for: "times", "curves", "cv", "errors" or "worst-case".
    dataset, rows : str, int or None
        A set of the collection, or, with `rows`, one made with so many.
    algorithm, nu, tol : str, float, float
        As in `comparison.ALGORITHMS`; nu is a fraction of the rows that are fitted.
    split : int or None
        Which fifth of the rows is kept for the test error; None: all are fitted, and there is none.
    fold : int or None
        Which fifth of what is left is kept for the validation error instead.
    seed : int
        Shuffles the rows before they are split.
    max_depth, max_bins : int, int or None
        The trees; None: every threshold between two distinct values.
    time_limit, memory_limit : float
        CPU seconds of the fit, and gigabytes.
    threads : int
    """

    part: str
    dataset: str
    algorithm: str
    nu: float
    rows: int | None = None
    split: int | None = None
    fold: int | None = None
    seed: int = 0
    tol: float = TOL
    max_depth: int = 2
    max_bins: int | None = None
    time_limit: float = 20.0
    memory_limit: float = 4.0
    threads: int = 1

    @property
    def key(self) -> str:
        """Its name: one line of results counts for a key, the last."""
        dataset = self.dataset if self.rows is None else f"{self.dataset}-{self.rows}"
        details = {"nu": self.nu, "split": self.split, "fold": self.fold, "seed": self.seed or None}
        shown = [f"{name}={value:g}" for name, value in details.items() if value is not None]
        return "/".join([self.part, dataset, self.algorithm, *shown])

    @property
    def timed(self) -> bool:
        """Whether its seconds count, so that nothing may run beside it."""
        return self.part != "cv"

    def answered_by(self, result: Mapping[str, Any]) -> bool:
        """Whether a line of results is about this run.

        One that was made under other limits counts if neither those nor these would have ended it.
        """
        apart = {name for name, value in asdict(self).items() if result.get(name, value) != value}
        return not apart or (apart <= LIMITS and self._within_limits(result))

    def _within_limits(self, result: Mapping[str, Any]) -> bool:
        return bool(
            result["status"] == "done"
            and result["certificate"]["status"] != "time_limit"
            and result["cpu_seconds"] <= self.time_limit
            and result["peak_memory"] <= self.memory_limit
        )
