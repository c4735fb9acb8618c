"""What the numbers say, in plain paragraphs, losses included."""

from __future__ import annotations

from frankboost.report.findings.speed import against_the_paper, gaps, losses, speedups, worst_case
from frankboost.report.findings.study import company, errors, failures, what_was_run
from frankboost.report.results import Outcomes

PARAGRAPHS = (
    what_was_run, company, gaps, speedups, against_the_paper, losses, errors, worst_case, failures,
)  # fmt: skip


def findings(outcomes: Outcomes) -> tuple[str, ...]:
    """The paragraphs that there are outcomes for."""
    return tuple(filter(None, (paragraph(outcomes) for paragraph in PARAGRAPHS)))
