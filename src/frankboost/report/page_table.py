"""A table of a report as HTML: headings that sort, numbers that open their runs, notes below."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from html import escape
from string import ascii_lowercase

from frankboost.report.content import Cell, Table


def table_html(table: Table, number: int) -> str:
    """The section of one table; a note that several cells share is printed once."""
    name = escape(table.name)
    marks = _marks(table)
    numeric = [any(_is_number(row[j]) for row in table.lines) for j in range(len(table.columns))]
    head = "".join(_heading(text, right) for text, right in zip(table.columns, numeric, strict=True))

    def row_html(row: tuple[Cell, ...]) -> str:
        return "".join(_cell(cell, j, numeric[j], marks, name) for j, cell in enumerate(row))

    rows, summary = (
        "\n".join(f"<tr>{row_html(row)}</tr>" for row in part) for part in (table.rows, table.summary)
    )
    notes = "".join(
        f'<li id="{name}-note-{m}"><sup>{m}</sup> {escape(note)}</li>' for note, m in marks.items()
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


def _heading(text: str, right: bool) -> str:
    return f'<th scope="col"{_class(right)}><button type="button">{escape(text)}</button></th>'


def _cell(cell: Cell, column: int, right: bool, marks: Mapping[str, str], name: str) -> str:
    tag, scope = ("th", ' scope="row"') if column == 0 else ("td", "")
    sorted_by = "" if (key := _sort_key(cell)) is None else f' data-value="{escape(key)}"'
    title = f' title="{escape(cell.note)}"' if cell.note else ""
    described = f' aria-describedby="{name}-note-{marks[cell.note]}"' if cell.note else ""
    content = f"<span{described}>{escape(cell.text)}</span>"
    if cell.runs:
        runs = escape(json.dumps(cell.runs))
        content = (
            f'<button type="button" class="number" data-runs="{runs}" aria-haspopup="dialog"{described}>'
            f"{escape(cell.text)}</button>"
        )
    mark = f'<sup class="mark">{marks[cell.note]}</sup>' if cell.note else ""
    return f"<{tag}{scope}{_class(right)}{sorted_by}{title}>{content}{mark}</{tag}>"


def _class(right: bool) -> str:
    return ' class="right"' if right else ""


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.value, int | float)


def _sort_key(cell: Cell) -> str | None:
    """The value as JSON; nothing for what comes last."""
    if isinstance(cell.value, float) and math.isinf(cell.value):
        return f"{'-' if cell.value < 0 else ''}1e999"  # JSON has no infinity, but this reads as one
    if cell.value is None or cell.value != cell.value:
        return None
    return json.dumps(cell.value)


def _marks(table: Table) -> dict[str, str]:
    """a, b, ..., z, aa, ab, ... for the different notes, in the order of reading."""
    notes = dict.fromkeys(cell.note for row in table.lines for cell in row if cell.note)
    return {note: _letters(i) for i, note in enumerate(notes)}


def _letters(i: int) -> str:
    before, last = divmod(i, len(ascii_lowercase))
    return (_letters(before - 1) if before else "") + ascii_lowercase[last]
