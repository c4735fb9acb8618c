"""The results of a study as a page, and as tables and figures for other programs."""

from __future__ import annotations

from collections.abc import Iterable

from studies.report.content import LEGEND, Report
from studies.report.figures import figures
from studies.report.protocol import remarks
from studies.report.results import Outcomes
from studies.report.summary import summary
from studies.report.tables.endings import closed_gaps, failures, worst_case
from studies.report.tables.errors import cross_validation, errors, split_errors
from studies.report.tables.times import paper_times, speedup, times
from studies.running.outcome import Outcome

TITLE = "Boosting as Frank-Wolfe, again"
TABLES = {
    "times": times,
    "speedup": speedup,
    "times-paper": paper_times,
    "closed": closed_gaps,
    "errors": errors,
    "errors-algorithms": split_errors,
    "cross-validation": cross_validation,
    "worst-case": worst_case,
    "failures": failures,
}


def build_report(known: Iterable[Outcome]) -> Report:
    """Build the report of some outcomes; tables and figures without outcomes are left out."""
    outcomes = Outcomes(known)
    tables = tuple(filter(None, (table(outcomes) for table in TABLES.values())))
    drawn = figures(outcomes)
    return Report(
        title=TITLE,
        byline=f"{outcomes.machine} · {outcomes.date}",
        summary=summary(outcomes, drawn),
        remarks=remarks(outcomes),
        legend=LEGEND,
        tables=tables,
        figures=drawn,
        runs={outcome.key: outcome.to_json(curves=False) for outcome in outcomes},
    )
