"""A report as one HTML file that needs nothing else: no network, no font, no library."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from frankboost.report.content import Figure, Report, Series
from frankboost.report.render.page_table import runs_button, table_html
from frankboost.report.render.plot import LOOKS, MARKS, plot_html, sample_svg


def html(report: Report) -> str:
    """The page; the same report gives the same text."""
    series = (line for figure in report.figures for panel in figure.panels.values() for line in panel)
    looks = {label: k % LOOKS for k, label in enumerate(dict.fromkeys(line.label for line in series))}
    return Template(_asset("page.html")).substitute(
        title=escape(report.title),
        byline=escape(" · ".join(filter(None, (report.machine, report.date)))),
        style=_asset("page.css"),
        contents=_contents(report),
        findings="\n".join(f"<p>{escape(finding)}</p>" for finding in report.findings),
        tables="\n".join(table_html(table, i) for i, table in enumerate(report.tables, start=1)),
        figures="\n".join(_figure(figure, i, looks) for i, figure in enumerate(report.figures, start=1)),
        marks=MARKS,
        count=len(report.runs),
        runs=_script_json(report.runs),
        script=_asset("page.js"),
    )


def _asset(name: str) -> str:
    return (files("frankboost.report.render") / "assets" / name).read_text(encoding="utf-8")


def _contents(report: Report) -> str:
    links = {
        "findings": "Findings",
        **{f"table-{t.name}": f"Table {i}. {t.title}" for i, t in enumerate(report.tables, start=1)},
        **{f"figure-{f.name}": f"Figure {i}. {f.title}" for i, f in enumerate(report.figures, start=1)},
        "reproduce": "How to reproduce",
    }
    return "\n".join(f'<li><a href="#{escape(to)}">{escape(text)}</a></li>' for to, text in links.items())


def _figure(figure: Figure, number: int, looks: Mapping[str, int]) -> str:
    """All panels; the script leaves the chosen one in sight."""
    name = escape(figure.name)
    options = "".join(f"<option>{escape(panel)}</option>" for panel in figure.panels)
    panels = "\n".join(_panel(figure, panel, looks) for panel in figure.panels)
    return f"""<section id="figure-{name}" aria-labelledby="figure-{name}-title">
<h3 id="figure-{name}-title">Figure {number}. {escape(figure.title)}</h3>
<figure>
<p class="controls"><label>Data set <select>{options}</select></label></p>
{panels}
<figcaption>{escape(figure.caption)}</figcaption>
</figure>
</section>"""


def _panel(figure: Figure, name: str, looks: Mapping[str, int]) -> str:
    entries = "".join(_legend_entry(name, line, looks[line.label]) for line in figure.panels[name])
    return f"""<div class="panel">
<p class="panel-name">{escape(name)}</p>
<fieldset class="legend"><legend>Algorithms</legend>{entries}</fieldset>
{plot_html(figure, name, looks)}
</div>"""


def _legend_entry(panel: str, line: Series, look: int) -> str:
    label = escape(line.label)
    box = f'<label><input type="checkbox" checked value="{label}">{sample_svg(look)}{label}</label>'
    button = runs_button("run", [line.run], f"{panel}, {line.label}", f' aria-label="run of {label}"')
    return f'<span class="entry">{box}{button}</span>'


def _script_json(data: Any) -> str:
    r"""JSON that no HTML parser can take for the end of a script: `<`, `>` and `&` as \u003c, ..."""
    text = json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _finite(data: Any) -> Any:
    """The same data with "inf" and "nan" as words, which JSON has no numbers for."""
    if isinstance(data, Mapping):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
