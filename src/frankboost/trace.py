"""What happened, round by round, and how long it took."""

from __future__ import annotations

import time
from collections import UserList
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, ParamSpec, Self, SupportsIndex, TypeVar, overload

from frankboost.pictures import block, rounds, words
from frankboost.typing import RuleName
from frankboost.validation import needed

__all__ = ["Trace"]

P = ParamSpec("P")
R = TypeVar("R")

ENDS = 5  # rounds at either end of a table


@dataclass(frozen=True)
class Record:
    """One round of a fit; `Trace` says what each number is."""

    round: int
    seconds: float
    soft_margin: float
    smoothed: float
    bound: float
    gap: float
    hypotheses: int
    support: int
    rule: RuleName
    oracle_seconds: float
    rule_seconds: float


HEADER = "  round   seconds  soft margin     bound       gap hypotheses  support"


def row_of(r: Record) -> str:
    """What a table shows of a round, below `HEADER`."""
    numbers = f"{r.soft_margin:>12.5f} {r.bound:>9.5f} {r.gap:>9.5f} {r.hypotheses:>10} {r.support:>8}"
    return f"{r.round:>7} {r.seconds:>9.2f} {numbers}"


class Trace(UserList[Record]):
    """What happened in each round of a fit: a list of records, which `print` shows as a table.

    `trace["gap"]` is a list with one entry per round, `trace.to_frame()` a data frame with all columns, and
    `trace[-1]` the record of the last round. The columns are `round`, `seconds` since the start of the fit,
    `soft_margin` (the largest so far), `smoothed` (the smoothed soft margin of the current weights), `bound`,
    `gap`, `hypotheses` (different ones found so far), `support` (how many of them have weight), `rule`,
    `oracle_seconds` (in the weak learner, this round) and `rule_seconds` (in the rules, this round).

    `rule` says whose proposal was taken: "fw", that of a Frank-Wolfe rule; "secondary", that of any other
    rule (so LevelBoost and LPBoost have "secondary" in all rounds); "none", no proposal was better than the
    present weights; "crossover", that of LPBoost, which goes on where the rules make no more progress.
    """

    columns = tuple(field.name for field in fields(Record))

    @overload
    def __getitem__(self, index: SupportsIndex) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    @overload
    def __getitem__(self, index: str) -> list[Any]: ...
    def __getitem__(self, index: SupportsIndex | slice | str) -> Record | Self | list[Any]:
        if isinstance(index, str):
            return [getattr(record, index) for record in self]
        return super().__getitem__(index)

    def __repr__(self) -> str:
        return f"<Trace of {self._count()}>"

    def __str__(self) -> str:
        """A table of the first and the last rounds."""
        rows = [row_of(record) for record in self]
        if len(rows) > 2 * ENDS + 1:
            rows[ENDS:-ENDS] = [f"{'...':>7}"]
        return "\n".join([HEADER, *rows])

    def _count(self) -> str:
        return f"{len(self)} round{'' if len(self) == 1 else 's'}"

    def _repr_html_(self) -> str:
        """Soft margin and bound as a picture."""
        if not self:
            return block(words(repr(self)))
        return block(
            rounds(self["soft_margin"], self["bound"]), words(f"gap {self[-1].gap:.4g} after {self._count()}")
        )

    def to_frame(self) -> Any:
        """The records as a pandas DataFrame."""
        pd = needed("pandas", "to_frame needs", "pandas")
        return pd.DataFrame([asdict(record) for record in self], columns=list(self.columns))


class Stopwatch:
    """Counts the seconds spent in the functions it wraps, so that algorithms need no clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timing(self, function: Callable[P, R]) -> Callable[P, R]:
        """A function that calls the given one and adds its time."""

        def timed(*args: P.args, **kwargs: P.kwargs) -> R:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - start

        return timed

    def lap(self) -> float:
        """Seconds since the last lap."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds
