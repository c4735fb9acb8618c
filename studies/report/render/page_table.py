"""A table of a report as HTML: headings that sort, numbers that open their runs, notes below."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from itertools import chain, count, product
from string import ascii_lowercase

from studies.report.content import Cell, ReportTable


def table_html(table: ReportTable) -> str:
    """A table with its caption above and its notes below; a note that several cells share is printed once."""
    name, marks = escape(f"table-{table.name}"), _marks(table)
    sides = [' class="right"' if right else "" for right in table.numeric]
    head = "".join(
        f'<th scope="col"{side}><button type="button">{escape(text)}</button></th>'
        for text, side in zip(table.columns, sides, strict=True)
    )
    tags = [f'th scope="row"{sides[0]}', *(f"td{side}" for side in sides[1:])]
    rows, summary = (
        "\n".join(f"<tr>{_row(table, row, tags, marks)}</tr>" for row in part)
        for part in (table.rows, table.summary)
    )
    notes = "".join(
        f'<li id="{name}-note-{mark}"><sup>{mark}</sup> {escape(note)}</li>' for note, mark in marks.items()
    )
    return f"""<p class="caption" id="{name}-caption">{escape(table.caption)}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}-title">
<table class="sortable" aria-labelledby="{name}-title" aria-describedby="{name}-caption">
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
<tfoot>{summary}</tfoot>
</table>
</div>
<ul class="notes">{notes}</ul>"""


def _row(table: ReportTable, row: tuple[Cell, ...], tags: list[str], marks: Mapping[str, str]) -> str:
    """Cells; the dialog of a number is headed by the first of its row."""
    headings = (f"{row[0].text}, {text}: {cell.text}" for text, cell in zip(table.columns, row, strict=True))
    cells = zip(tags, row, headings, strict=True)
    return "".join(_cell(f"table-{table.name}", *each, marks) for each in cells)


def _cell(name: str, tag: str, cell: Cell, heading: str, marks: Mapping[str, str]) -> str:
    title = mark = described = ""
    if cell.note:
        title, mark = f' title="{escape(cell.note)}"', f'<sup class="mark">{marks[cell.note]}</sup>'
        described = f' aria-describedby="{escape(name)}-note-{marks[cell.note]}"'
    content = number_html(cell, heading, described)
    return f"<{tag}{_sort_key(cell)}{title}>{content}{mark}</{tag[:2]}>"


def number_html(cell: Cell, heading: str, described: str = "") -> str:
    """The text of a cell, which opens the runs that it was made of, if there are some."""
    if not cell.runs:
        return f"<span{described}>{escape(cell.text)}</span>"
    opens = f'data-runs="{escape(json.dumps(cell.runs))}" data-heading="{escape(heading)}"{described}'
    return f'<button class="number" aria-haspopup="dialog" {opens}>{escape(cell.text)}</button>'


def _sort_key(cell: Cell) -> str:
    """The value as JavaScript reads it; nothing for what comes last."""
    if cell.value is None or cell.value != cell.value:
        return ""
    value = cell.value if isinstance(cell.value, str) else json.dumps(cell.value)
    return f' data-value="{escape(value)}"'


def _marks(table: ReportTable) -> dict[str, str]:
    """a, b, ..., z, aa, ab, ... for the different notes, in the order of reading."""
    notes = dict.fromkeys(cell.note for row in table.lines for cell in row if cell.note)
    letters = map("".join, chain.from_iterable(product(ascii_lowercase, repeat=k) for k in count(1)))
    return dict(zip(notes, letters, strict=False))
