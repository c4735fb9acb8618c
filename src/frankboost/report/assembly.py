"""Outcomes -> report."""

from __future__ import annotations

from collections.abc import Iterable

from frankboost.experiments.outcome import Outcome
from frankboost.report.content import Report
from frankboost.report.figures import figures
from frankboost.report.findings import findings
from frankboost.report.results import Outcomes
from frankboost.report.tables.closed import closed_gaps
from frankboost.report.tables.cross_validation import cross_validation
from frankboost.report.tables.errors import errors
from frankboost.report.tables.failures import failures
from frankboost.report.tables.paper_times import paper_times
from frankboost.report.tables.speedup import speedup
from frankboost.report.tables.split_errors import split_errors
from frankboost.report.tables.times import times
from frankboost.report.tables.worst_case import worst_case

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
CURVES = {"trace", "test_curve"}


def build(known: Iterable[Outcome]) -> Report:
    """Everything that outcomes have to say; a table or figure without any is left out."""
    outcomes = Outcomes(known)
    lines = {outcome.key: outcome.to_json() for outcome in outcomes}
    return Report(
        title=TITLE,
        findings=findings(outcomes),
        tables=tuple(filter(None, (table(outcomes) for table in TABLES.values()))),
        figures=figures(outcomes),
        runs={
            key: {name: value for name, value in line.items() if name not in CURVES}
            for key, line in lines.items()
        },
        machine=outcomes.machine,
        date=outcomes.date,
    )
