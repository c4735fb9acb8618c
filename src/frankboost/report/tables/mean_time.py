"""The mean CPU time of an algorithm on a data set, over nu."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from frankboost.report.amount import Amount, mean
from frankboost.report.content import Cell
from frankboost.report.selection import Run, endings, keys, seconds, struck
from frankboost.report.tables.cells import SECONDS, amount, nothing


@dataclass(frozen=True)
class MeanTime:
    """Runs that differ in nu, out of so many; a run that ended early makes their mean a lower limit."""

    runs: list[Run]
    planned: int

    @property
    def seconds(self) -> Amount | None:
        """The mean, a struck limit counted as the limit; None if a run failed, or there is none."""
        known = [each for each in map(seconds, self.runs) if each is not None]
        return mean(known) if len(known) == len(self.runs) else None

    @property
    def whole(self) -> bool:
        """Whether there is a time at every nu planned."""
        return len(self.runs) == self.planned and self.seconds is not None

    def cell(self) -> Cell:
        """The mean; a lower limit of it if runs struck theirs, as the paper writes >10^4."""
        if not self.runs:
            return nothing()
        average = self.seconds
        if average is None:
            return Cell("failed", None, keys(self.runs), self._note())
        limits = {run["time_limit"] if struck(run) else None for run in self.runs}
        if len(limits) == 1 and None not in limits:
            return Cell(f">{average.value:g}", average.value, keys(self.runs), self._note())
        return amount(average, SECONDS, keys(self.runs), self._note())

    def _note(self) -> str:
        some = f"over {len(self.runs)} of {self.planned} nu" if len(self.runs) < self.planned else ""
        return "; ".join(filter(None, [endings(self.runs), some]))


def mean_time(runs: Iterable[Run], algorithm: str, planned: int) -> MeanTime:
    """Of one algorithm among the runs on a data set, where the study has so many values of nu."""
    return MeanTime([run for run in runs if run["algorithm"] == algorithm], planned)
