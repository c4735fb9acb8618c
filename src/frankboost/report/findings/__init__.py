"""What the numbers say, in plain paragraphs, losses included."""

from __future__ import annotations

from frankboost.report.findings.accuracy import errors
from frankboost.report.findings.speed import against_the_paper, gaps, losses, speedups, worst_case
from frankboost.report.findings.study import company, failures, what_was_run
from frankboost.report.selection import Runs

PARAGRAPHS = (
    what_was_run, company, gaps, speedups, against_the_paper, losses, errors, worst_case, failures,
)  # fmt: skip


def findings(runs: Runs) -> tuple[str, ...]:
    """The paragraphs that there are runs for."""
    return tuple(filter(None, (paragraph(runs) for paragraph in PARAGRAPHS)))
