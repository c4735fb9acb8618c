"""The rows of a fit in this process, or on its device."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from frankboost.choosing.sample import Sample, sample_of
from frankboost.fitting.problems import Problems
from frankboost.fitting.run import Settings
from frankboost.fitting.training import Training
from frankboost.learners.base import Start, WeakLearner


class RowsHere:
    """What `fit` was given, as a `Place`."""

    def __init__(self, problems: Problems, starts: Sequence[Start | None]) -> None:
        self._problems = problems
        self.learner = problems.learner
        self.classes, self.encoding = problems.data.classes, problems.data.encoding
        self.is_joint = problems.sets[0].classes > 2
        self.starts = starts

    def sample(self, seed: int, threads: int) -> Sample:
        """The rows that nu is chosen on."""
        return sample_of(self._problems.data, seed, joint=self.is_joint, threads=threads)

    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> AbstractContextManager[Training]:
        """Of the rows with equal ones made one."""
        return nullcontext(Training(self._problems.sets[k], learner, start))
