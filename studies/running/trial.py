"""What a study is made of: trials, each one fit of one algorithm to one set of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from frankboost.typing import Indices
from studies.algorithms import TREE

Stopping = Literal["gap", "paper"]
"""bound - soft margin <= tol, or the paper's own test, bound - smoothed soft margin <= tol/2."""

TOL = 0.01
FIFTHS = 5
PATIENCE = 20.0  # times its CPU limit, and a minute: how long a process may be there at all


@dataclass(frozen=True)
class Trial:
    """One fit and what it is measured on, in plain settings that its line of results repeats."""

    part: str  # "times", "curves", "cv", "errors", "worst-case", "compare", "accuracy" or "labels"
    dataset: str  # one of the collection or of a folder, or, with `rows`, one that is made
    algorithm: str  # one of `algorithms`, or a contestant with its settings
    nu: float  # a fraction of the rows that are fitted; 0 if it is the contestant's
    rows: int | None = None  # how many a set is made with
    # Which rows are kept aside for the test error, see `split_rows`.
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
    learner: str = TREE  # or the name of a weak learner that another package adds
    train_rows: int | None = None  # of a contestant's split, at most so many
    test_rows: int | None = None
    clock: Literal["cpu", "wall"] = "cpu"  # CPU seconds of the fit, or seconds of the whole process
    noise: str = ""  # how labels are turned wrong, if they are

    @property
    def key(self) -> str:
        """Its name; of several lines of results with one key the last counts."""
        dataset = self.dataset if self.rows is None else f"{self.dataset}-{self.rows}"
        details = {"nu": self.nu or None, "split": self.split, "fold": self.fold, "seed": self.seed or None}
        shown = [f"{name}={value:g}" for name, value in details.items() if value is not None]
        test = [] if self.stopping == "gap" else [f"stopping={self.stopping}"]
        other = [] if self.learner == TREE else [f"learner={self.learner}"]
        noise = [self.noise] if self.noise else []
        return "/".join([self.part, dataset, *noise, self.algorithm, *shown, *test, *other])

    @property
    def set_name(self) -> str:
        """The name of the data set; one that is not the collection's says how many rows it has."""
        return self.dataset if self.rows is None else f"{self.dataset} ({self.rows} rows)"

    @property
    def partition(self) -> tuple[int, int]:
        """Seed and split: which rows were kept for testing."""
        return self.seed, self.split or 0

    @property
    def timed(self) -> bool:
        """Whether nothing may run beside it, since its seconds count; of accuracy, the user says."""
        return self.part not in ("cv", "accuracy")

    @property
    def patience(self) -> float:
        """Seconds by the wall clock after which its process is ended."""
        return self.time_limit if self.clock == "wall" else PATIENCE * self.time_limit + 60.0

    def split_rows(self, y: NDArray[Any]) -> tuple[Indices, Indices]:
        """The rows to fit and those kept aside, none without a split.

        All rows fall into five parts of like labels, and `split` is the one for testing; with a `fold` the
        others fall into five parts again, and that one is kept aside in the place of the test rows, which
        are not looked at.
        """
        fitted = np.arange(len(y))
        aside = fitted[:0]
        fifths = StratifiedKFold(FIFTHS, shuffle=True, random_state=self.seed)
        for number in (self.split, self.fold):
            if number is not None:
                inner, outer = list(fifths.split(fitted, y[fitted]))[number]
                fitted, aside = fitted[inner], fitted[outer]
        return fitted, aside
