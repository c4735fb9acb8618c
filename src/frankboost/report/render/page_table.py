"""A table of a report as HTML: headings that sort, numbers that open their runs, notes below."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain, count, product
from string import ascii_lowercase

from frankboost.report.content import Cell, ReportTable


def table_html(table: ReportTable, number: int) -> str:
    """The section of one table; a note that several cells share is printed once."""
    name, marks = escape(table.name), _marks(table)
    sides = [' class="right"' if right else "" for right in table.numeric]
    head = "".join(
        f'<th scope="col"{side}><button type="button">{escape(text)}</button></th>'
        for text, side in zip(table.columns, sides, strict=True)
    )
    rows, summary = (
        "\n".join(f"<tr>{_row(table, row, sides, marks)}</tr>" for row in part)
        for part in (table.rows, table.summary)
    )
    notes = "".join(
        f'<li id="{name}-note-{mark}"><sup>{mark}</sup> {escape(note)}</li>' for note, mark in marks.items()
    )
    foot = f"\n<tfoot>\n{summary}\n</tfoot>" if summary else ""
    return f"""<section id="table-{name}" aria-labelledby="table-{name}-title">
<h3 id="table-{name}-title">Table {number}. {escape(table.title)}</h3>
<p class="caption" id="table-{name}-caption">{escape(table.caption)}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="table-{name}-title">
<table class="sortable" aria-labelledby="table-{name}-title" aria-describedby="table-{name}-caption">
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>{foot}
</table>
</div>
{f'<ul class="notes">{notes}</ul>' if notes else ""}
</section>"""


def runs_button(text: str, runs: Sequence[str], heading: str, attributes: str = "") -> str:
    """A text that opens runs in a dialog with a heading."""
    return (
        f'<button type="button" class="number" data-runs="{escape(json.dumps(runs))}" '
        f'data-heading="{escape(heading)}" aria-haspopup="dialog"{attributes}>{escape(text)}</button>'
    )


def _row(table: ReportTable, row: tuple[Cell, ...], sides: list[str], marks: Mapping[str, str]) -> str:
    name = row[0].text
    details = (f"{name}, {text}: {cell.text}" for text, cell in zip(table.columns[1:], row[1:], strict=True))
    tags = [f'th scope="row"{sides[0]}', *(f"td{side}" for side in sides[1:])]
    cells = zip(tags, row, [name, *details], strict=True)
    return "".join(_cell(tag, cell, heading, marks, escape(table.name)) for tag, cell, heading in cells)


def _cell(tag: str, cell: Cell, heading: str, marks: Mapping[str, str], name: str) -> str:
    sorted_by = "" if (key := _sort_key(cell)) is None else f' data-value="{escape(key)}"'
    title = mark = described = ""
    if cell.note:
        title, mark = f' title="{escape(cell.note)}"', f'<sup class="mark">{marks[cell.note]}</sup>'
        described = f' aria-describedby="{name}-note-{marks[cell.note]}"'
    plain = f"<span{described}>{escape(cell.text)}</span>"
    content = runs_button(cell.text, cell.runs, heading, described) if cell.runs else plain
    return f"<{tag}{sorted_by}{title}>{content}{mark}</{tag[:2]}>"


def _sort_key(cell: Cell) -> str | None:
    """The value as JSON; nothing for what comes last."""
    if isinstance(cell.value, float) and math.isinf(cell.value):
        return f"{'-' if cell.value < 0 else ''}1e999"  # JSON has no infinity, but this reads as one
    if cell.value is None or cell.value != cell.value:
        return None
    return json.dumps(cell.value)


def _marks(table: ReportTable) -> dict[str, str]:
    """a, b, ..., z, aa, ab, ... for the different notes, in the order of reading."""
    notes = dict.fromkeys(cell.note for row in table.lines for cell in row if cell.note)
    letters = map("".join, chain.from_iterable(product(ascii_lowercase, repeat=k) for k in count(1)))
    return dict(zip(notes, letters, strict=False))
