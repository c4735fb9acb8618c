"""What happened, round by round."""

from __future__ import annotations

from collections import UserList
from dataclasses import asdict, dataclass, fields
from typing import Any, Self, SupportsIndex, overload

from frankboost.pictures import block, rounds, words
from frankboost.typing import RuleName
from frankboost.validation import needed

ENDS = 5  # rounds at either end of a table


@dataclass(frozen=True)
class Record:
    """One round.

    Attributes
    ----------
    round : int
    seconds : float
        Since the start of the fit, preparation included.
    soft_margin : float
        The largest so far.
    smoothed : float
        The smoothed soft margin of the current weights.
    bound : float
    gap : float
        bound - soft_margin.
    hypotheses : int
        Distinct ones found so far.
    support : int
        Hypotheses with positive weight.
    rule : str
        Whose proposal was taken: "fw", a Frank-Wolfe rule's; "secondary", that of any other rule, beside one
        or alone; "none" if the weights stayed. "crossover" in rounds of a linear program that closes the gap.
    oracle_seconds, rule_seconds : float
        Time in the weak learner and in the rules, this round.
    """

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
    """The records of a fit; `trace["gap"]` is a column, and printed it is a table."""

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
