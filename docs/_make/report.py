"""The page of the reproduction, made of the runs that are kept, with links for the files that it names."""

from pathlib import Path

from studies.report import build_report
from studies.report.render.page import html
from studies.running.results import read

LINK = '<a href="README.html" target="_top">the text about it</a>'


def write(app):
    """Beside the page that embeds it."""
    outcomes = read(Path(app.srcdir) / "reproduction" / "runs.jsonl")
    target = Path(app.outdir) / "reproduction" / "report.html"
    text = html(build_report(outcomes.values())).replace("docs/reproduction/README.md", LINK)
    target.write_text(text, encoding="utf-8")
