"""The page of the reproduction, made of the runs that are kept."""

from pathlib import Path

from frankboost.experiments.results import read
from frankboost.report import build
from frankboost.report.render.page import html


def write(app):
    """Beside the page that embeds it."""
    outcomes = read(Path(app.srcdir) / "reproduction" / "runs.jsonl")
    target = Path(app.outdir) / "reproduction" / "report.html"
    target.write_text(html(build(outcomes.values())), encoding="utf-8")
