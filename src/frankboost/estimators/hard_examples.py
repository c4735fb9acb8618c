"""The rows that limit the bound: no ensemble has a large margin on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from frankboost.pictures import Printed
from frankboost.typing import Floats, Indices
from frankboost.validation import needed

MOST_SHOWN = 8  # rows in a representation


@dataclass(frozen=True, eq=False, repr=False)
class HardExamples(Printed):
    """The rows at their cap, hardest first; `print` shows a table and what is proved about all votes."""

    index: Indices  # the positions of the rows
    margin: Floats  # in [-1, 1]; negative if the row is misclassified
    weight: Floats  # in the distribution that attains the bound
    proofs: Sequence[str] = ()  # one sentence for each ensemble whose bound is proved, by weak duality

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        first = ", ".join(map(str, self.index[:MOST_SHOWN]))
        more = ", ..." if len(self) > MOST_SHOWN else ""
        return f"<HardExamples: {len(self)} rows{f', hardest first: {first}{more}' if first else ''}>"

    def __str__(self) -> str:
        if len(self) == 0:
            return "no row is at its cap; a larger nu makes the caps lower"
        columns = zip(self.index, self.margin, self.weight, strict=True)
        rows = [f"{row:>8} {margin:>8.3f} {weight:>9.3g}" for row, margin, weight in columns]
        left = len(rows) - MOST_SHOWN
        end = [f"{left:>8} more"] if left > 0 else []
        return "\n".join(
            [f"{'position':>8} {'margin':>8} {'weight':>9}", *rows[:MOST_SHOWN], *end, *self.proofs]
        )

    def to_frame(self) -> Any:
        """A pandas DataFrame with the columns margin and weight, indexed by position."""
        pd = needed("pandas", "to_frame needs", "pandas")
        index = pd.Index(self.index, name="position")
        return pd.DataFrame({"margin": self.margin, "weight": self.weight}, index=index)
