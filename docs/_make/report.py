"""The page of the reproduction, made of the runs that are kept."""

from pathlib import Path

from studies.report import build_report
from studies.report.render.page import html
from studies.running.results import read


def write(app):
    """Beside the page that embeds it."""
    outcomes = read(Path(app.srcdir) / "reproduction" / "runs.jsonl")
    target = Path(app.outdir) / "reproduction" / "report.html"
    target.write_text(html(build_report(outcomes.values())), encoding="utf-8")
