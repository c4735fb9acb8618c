"""A report as one HTML file that needs nothing else: no network, no font, no library."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, TypeVar

from studies.report.content import Figure, Report, ReportTable, Summary
from studies.report.render.page_table import number_html, table_html
from studies.report.render.plot import LOOKS, figure_html, lead_html

Part = TypeVar("Part", ReportTable, Figure)

UNITS = {"time_limit": "CPU seconds", "memory_limit": "GB", "peak_memory": "GB"}


def html(report: Report) -> str:
    """The page; the same report gives the same text."""
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
        findings="\n".join(f"<li>{escape(finding)}</li>" for finding in report.findings),
        tables=tables,
        figures=figures,
        count=len(report.runs),
        runs=_script_json({key: _fields(run) for key, run in report.runs.items()}),
        script=_asset("page.js"),
    )


def summary_html(summary: Summary, looks: Mapping[str, int]) -> str:
    """The first screen."""
    cards = "".join(
        f"<li>{number_html(card.cell, card.what)}<span>{escape(card.what)}</span></li>"
        for card in summary.cards
    )
    return f"""<section class="summary" aria-label="Summary">
<p class="headline">{escape(summary.sentence)}</p>
<p class="terms">{escape(summary.terms)}</p>
<div class="facts">
<ul class="cards">{cards}</ul>
{lead_html(summary.lead, looks) if summary.lead else ""}
</div>
</section>"""


def _asset(name: str) -> str:
    return (files("studies.report.render") / "assets" / name).read_text(encoding="utf-8")


def _sections(kind: str, parts: Sequence[Part], body: Callable[[Part], str]) -> tuple[str, str]:
    """Links to the tables or figures, and themselves."""
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
    """What there is to say of a run, in words: those of its certificate are behind that name."""
    words: dict[str, str] = {}
    for field, value in run.items():
        name = prefix + field.replace("_", " ") + (f" ({UNITS[field]})" if field in UNITS else "")
        if isinstance(value, Mapping):
            words |= _fields(value, f"{name}: ")
        elif value is not None:
            words[name] = f"{value:.6g}" if isinstance(value, float) else str(value)
    return words


def _script_json(data: Any) -> str:
    r"""JSON that no HTML parser can take for the end of a script: `<`, `>` and `&` as \u003c, ..."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
