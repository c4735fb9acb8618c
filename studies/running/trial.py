"""Trials, of which studies are made: each is one fit of one algorithm to one set of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from frankboost.typing import Indices
from studies.algorithms import TREE

Stopping = Literal["gap", "paper"]
"""The test that ends a fit: bound - soft margin <= tol, or the paper's, bound - smoothed soft margin <=
tol/2."""

TOL = 0.01
FIFTHS = 5
PATIENCE = 20.0  # a process may run for this multiple of its CPU limit, and a minute


@dataclass(frozen=True)
class Trial:
    """The settings of one fit and of its test, which its line of results repeats."""

    part: str  # "times", "curves", "cv", "errors", "worst-case", "compare", "accuracy" or "labels"
    dataset: str  # the name of a set of the collection or of a folder, or, with `rows`, of a set that is made
    algorithm: str  # one of `algorithms`, or a contestant with its settings
    nu: float  # a fraction of the fitted rows; 0 if the contestant chooses it
    rows: int | None = None  # the number of rows of a set that is made
    # The next three select the test rows, see `split_rows`.
    split: int | None = None
    fold: int | None = None
    seed: int = 0
    tol: float = TOL
    max_depth: int = 2
    max_bins: int | None = None  # None: every threshold between two distinct values
    time_limit: float = 20.0  # seconds by `clock`
    memory_limit: float = 4.0  # gigabytes; 0: none
    threads: int = 1
    stopping: Stopping = "gap"
    learner: str = TREE  # or the weak learner of a plugin
    train_rows: int | None = None  # the largest number of training rows of a contestant
    test_rows: int | None = None  # and of its test rows
    clock: Literal["cpu", "wall"] = "cpu"  # CPU seconds of the fit, or seconds of the whole process
    noise: str = ""  # the kind of noise of the labels, if there is any

    @property
    def key(self) -> str:
        """The name of the trial. If several lines of results have the same key, the last one counts."""
        dataset = self.dataset if self.rows is None else f"{self.dataset}-{self.rows}"
        details = {"nu": self.nu or None, "split": self.split, "fold": self.fold, "seed": self.seed or None}
        shown = [f"{name}={value:g}" for name, value in details.items() if value is not None]
        test = [] if self.stopping == "gap" else [f"stopping={self.stopping}"]
        other = [] if self.learner == TREE else [f"learner={self.learner}"]
        noise = [self.noise] if self.noise else []
        return "/".join([self.part, dataset, *noise, self.algorithm, *shown, *test, *other])

    @property
    def set_name(self) -> str:
        """The name of the data set, with the number of rows of a set that is made."""
        return self.dataset if self.rows is None else f"{self.dataset} ({self.rows} rows)"

    @property
    def partition(self) -> tuple[int, int]:
        """Seed and split, which select the test rows."""
        return self.seed, self.split or 0

    @property
    def timed(self) -> bool:
        """Whether the trial must run alone, since its time is measured; for accuracy, the user decides."""
        return self.part not in ("cv", "accuracy")

    @property
    def patience(self) -> float:
        """The wall-clock seconds after which the process of the trial is ended."""
        return self.time_limit if self.clock == "wall" else PATIENCE * self.time_limit + 60.0

    def split_rows(self, y: NDArray[Any]) -> tuple[Indices, Indices]:
        """The rows to fit, and the test rows; without a `split` there are no test rows.

        All rows are split into five parts with the same shares of labels, and part `split` has the test rows.
        With a `fold`, the other rows are split into five parts again, and part `fold` replaces the test rows.
        """
        fitted = np.arange(len(y))
        aside = fitted[:0]
        fifths = StratifiedKFold(FIFTHS, shuffle=True, random_state=self.seed)
        for number in (self.split, self.fold):
            if number is not None:
                inner, outer = list(fifths.split(fitted, y[fitted]))[number]
                fitted, aside = fitted[inner], fitted[outer]
        return fitted, aside
