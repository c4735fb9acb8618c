"""What the comparisons find, as a Markdown table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

HEAD = ["what", "against", "ours", "theirs", "ratio", "asked", "reached?"]


@dataclass(frozen=True)
class Asked:
    """A figure and the side of it that counts as reached."""

    figure: str
    sense: Literal[">=", "<="]
    limit: float

    def __str__(self) -> str:
        return f"{self.figure} {self.sense} {self.limit:g}"


@dataclass(frozen=True)
class Row:
    """One line of the table. Without a value nothing was measured; an unsound one reaches nothing."""

    what: str
    against: str
    ours: str
    theirs: str
    value: float | None
    asked: Asked | None
    sound: bool = True

    @property
    def reached(self) -> str:
        """yes, no, or not measured."""
        if self.value is None or self.asked is None:
            return "not measured"
        limit = self.asked.limit
        good = self.value >= limit if self.asked.sense == ">=" else self.value <= limit
        return "yes" if good and self.sound else "no"

    def cells(self) -> list[str]:
        """The cells under `HEAD`."""
        value = "-" if self.value is None else _number(self.value)
        return [self.what, self.against, self.ours, self.theirs, value, str(self.asked or "-"), self.reached]


@dataclass(frozen=True)
class Result:
    """What one comparison found: rows of the table, remarks, and every time that was taken."""

    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    raw: Any = None


def markdown(date: str, machine: Mapping[str, Any], settings: Mapping[str, Any], results: Results) -> str:
    """The table, with the machine and the remarks under it."""
    table = [HEAD, ["---"] * len(HEAD)]
    table += [row.cells() for result in results.values() for row in result.rows]
    lines = ["| " + " | ".join(cells) + " |" for cells in table]
    about = [
        f"{date}. {machine['cpu']}, {machine['cores']} cores, {machine['memory']}; {machine['os']}; "
        + ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
        + f". Load average at the start: {machine['load']:.2f}.",
        "Settings: " + ", ".join(f"{name} = {value}" for name, value in settings.items()) + ".",
    ]
    if machine["load"] > 1.0:
        about.append(
            "The machine was busy at the start: times are unreliable, those of OpenMP programs most."
        )
    if settings["quick"]:
        about.append(
            "A quick run: the asked figures are those of the full one, and the limit caps the ratios."
        )
    notes = [note for result in results.values() for note in result.notes]
    return "\n".join([*lines, "", *(f"* {text}" for text in about + notes)]) + "\n"


def write(
    folder: Path, date: str, machine: Mapping[str, Any], settings: Mapping[str, Any], results: Results
) -> str:
    """Write results.json and table.md; the table."""
    comparisons = {name: _as_json(result) for name, result in results.items()}
    everything = {"date": date, "machine": machine, "settings": settings, "comparisons": comparisons}
    table = markdown(date, machine, settings, results)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
    (folder / "table.md").write_text(table, encoding="utf-8")
    return table


def _as_json(result: Result) -> dict[str, Any]:
    rows = [asdict(row) | {"reached": row.reached} for row in result.rows]
    return {"rows": rows, "notes": result.notes, "raw": result.raw}


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"


Results = dict[str, Result]
