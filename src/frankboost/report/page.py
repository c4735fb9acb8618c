"""A report as one HTML file that needs nothing else: no network, no font, no library."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from frankboost.report.content import Figure, Report
from frankboost.report.page_table import table_html

SCRIPTS = ("dom.js", "runs.js", "tables.js", "scales.js", "plot.js", "reading.js", "figures.js", "page.js")


def html(report: Report) -> str:
    """The page; the same report gives the same text."""
    return Template(_asset("page.html")).substitute(
        title=escape(report.title),
        byline=escape(" · ".join(line for line in (report.machine, report.date) if line)),
        style=_asset("page.css"),
        contents=_contents(report),
        findings="\n".join(f"<p>{escape(finding)}</p>" for finding in report.findings),
        tables="\n".join(table_html(table, i) for i, table in enumerate(report.tables, start=1)),
        figures="\n".join(_figure(figure, i) for i, figure in enumerate(report.figures, start=1)),
        count=len(report.runs),
        data=_script_json(_data(report)),
        script="\n".join(_asset(name) for name in SCRIPTS),
    )


def _asset(name: str) -> str:
    return (files("frankboost.report") / "assets" / name).read_text(encoding="utf-8")


def _contents(report: Report) -> str:
    def link(to: str, text: str) -> str:
        return f'<li><a href="#{escape(to)}">{escape(text)}</a></li>'

    return "\n".join([
        link("findings", "Findings"),
        *(link(f"table-{t.name}", f"Table {i}. {t.title}") for i, t in enumerate(report.tables, start=1)),
        *(link(f"figure-{f.name}", f"Figure {i}. {f.title}") for i, f in enumerate(report.figures, start=1)),
        link("reproduce", "How to reproduce"),
    ])  # fmt: skip


def _figure(figure: Figure, number: int) -> str:
    """The place of a figure; figures.js draws it."""
    name = escape(figure.name)
    return f"""<section id="figure-{name}" aria-labelledby="figure-{name}-title">
<h3 id="figure-{name}-title">Figure {number}. {escape(figure.title)}</h3>
<figure data-figure="{number - 1}">
<noscript><p>Figures are drawn by JavaScript, which is switched off here.</p></noscript>
<figcaption>{escape(figure.caption)}</figcaption>
</figure>
</section>"""


def _data(report: Report) -> dict[str, Any]:
    """What the scripts read. Panels are a list, as objects of JavaScript put names like "64" first."""
    labels = dict.fromkeys(
        series.label for figure in report.figures for panel in figure.panels.values() for series in panel
    )
    return {
        "labels": list(labels),
        "runs": report.runs,
        "figures": [
            {
                "title": figure.title,
                "xLabel": figure.x_label,
                "yLabel": figure.y_label,
                "log": {"x": figure.x_log, "y": figure.y_log},
                "diagonal": figure.diagonal,
                "panels": [
                    {
                        "name": name,
                        "lines": [
                            {
                                "label": series.label,
                                "points": _points(series.x, series.y),
                                "run": series.run,
                            }
                            for series in panel
                        ],
                    }
                    for name, panel in figure.panels.items()
                ],
            }
            for figure in report.figures
        ],
    }


def _points(x: Sequence[float], y: Sequence[float]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]


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
