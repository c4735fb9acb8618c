"""A report as one HTML file that needs no network, no fonts and no libraries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from itertools import chain, count, product
from string import Template, ascii_lowercase
from typing import Any, TypeVar

from studies.report.content import Cell, Figure, Report, ReportTable, Summary
from studies.report.render.plot import LOOKS, figure_html, lead_html

Part = TypeVar("Part", ReportTable, Figure)

UNITS = {"time_limit": "CPU seconds", "memory_limit": "GB", "peak_memory": "GB"}


def html(report: Report) -> str:
    """The page as text, which is the same for the same report."""
    labels = dict.fromkeys(label for figure in report.figures for label in figure.labels)
    looks = {label: k % LOOKS for k, label in enumerate(labels)}
    table_links, tables = _sections("Table", report.tables, table_html)
    figure_links, figures = _sections("Figure", report.figures, partial(figure_html, looks=looks))
    return Template(_asset("page.html")).substitute(
        title=escape(report.title),
        byline=escape(report.byline),
        description=escape(report.summary.sentence if report.summary else report.title),
        summary=summary_html(report.summary, looks) if report.summary else "",
        legend=escape(report.legend),
        style=_asset("page.css"),
        contents=table_links + figure_links,
        remarks="\n".join(f"<p>{escape(remark)}</p>" for remark in report.remarks),
        tables=tables,
        figures=figures,
        count=len(report.runs),
        runs=_script_json({key: _fields(run) for key, run in report.runs.items()}),
        script=_asset("page.js"),
    )


def summary_html(summary: Summary, looks: Mapping[str, int]) -> str:
    """The summary at the top of the page."""
    return f"""<section class="summary" aria-label="Summary">
<p class="headline">{escape(summary.sentence)}</p>
<p class="terms">{escape(summary.terms)}</p>
{lead_html(summary.lead, looks) if summary.lead else ""}
</section>"""


def table_html(table: ReportTable) -> str:
    """A table with its caption above and its notes below; a note of several cells is printed once."""
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
    """The cells of a row; the dialog of a number has the first cell of the row in its heading."""
    headings = (f"{row[0].text}, {text}: {cell.text}" for text, cell in zip(table.columns, row, strict=True))
    cells = zip(tags, row, headings, strict=True)
    return "".join(_cell(f"table-{table.name}", *each, marks) for each in cells)


def _cell(name: str, tag: str, cell: Cell, heading: str, marks: Mapping[str, str]) -> str:
    title = mark = described = ""
    if cell.note:
        title, mark = f' title="{escape(cell.note)}"', f'<sup class="mark">{marks[cell.note]}</sup>'
        described = f' aria-describedby="{escape(name)}-note-{marks[cell.note]}"'
    content = f"<span{described}>{escape(cell.text)}</span>"
    if cell.runs:  # a button that shows the runs
        opens = f'data-runs="{escape(json.dumps(cell.runs))}" data-heading="{escape(heading)}"{described}'
        content = f'<button class="number" aria-haspopup="dialog" {opens}>{escape(cell.text)}</button>'
    return f"<{tag}{_sort_key(cell)}{title}>{content}{mark}</{tag[:2]}>"


def _sort_key(cell: Cell) -> str:
    """The attribute by which the script of the page sorts; empty for values that come last."""
    if cell.value is None or cell.value != cell.value:
        return ""
    value = cell.value if isinstance(cell.value, str) else json.dumps(cell.value)
    return f' data-value="{escape(value)}"'


def _marks(table: ReportTable) -> dict[str, str]:
    """The marks a, b, ..., z, aa, ab, ... of the different notes, in the order of reading."""
    notes = dict.fromkeys(cell.note for row in table.lines for cell in row if cell.note)
    letters = map("".join, chain.from_iterable(product(ascii_lowercase, repeat=k) for k in count(1)))
    return dict(zip(notes, letters, strict=False))


def _asset(name: str) -> str:
    return (files("studies.report.render") / "assets" / name).read_text(encoding="utf-8")


def _sections(kind: str, parts: Sequence[Part], body: Callable[[Part], str]) -> tuple[str, str]:
    links = sections = ""
    for k, part in enumerate(parts, start=1):
        name, title = escape(f"{kind.lower()}-{part.name}"), escape(f"{kind} {k}. {part.title}")
        links += f'<li><a href="#{name}">{title}</a></li>\n'
        sections += f"""<section id="{name}" aria-labelledby="{name}-title">
<h3 id="{name}-title">{title}</h3>
{body(part)}
</section>
"""
    return links, sections


def _fields(run: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """The fields of a run as texts; names of fields in a mapping begin with the name of the mapping."""
    words: dict[str, str] = {}
    for field, value in run.items():
        name = prefix + field.replace("_", " ") + (f" ({UNITS[field]})" if field in UNITS else "")
        if isinstance(value, Mapping):
            words |= _fields(value, f"{name}: ")
        elif value is not None:
            words[name] = f"{value:.6g}" if isinstance(value, float) else str(value)
    return words


def _script_json(data: Any) -> str:
    r"""JSON that cannot end a script in HTML: `<`, `>` and `&` are written as \u003c, ..."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
