"""Results of a study as one page, and as tables and figures for other programs."""

from __future__ import annotations

from collections.abc import Iterable

from frankboost.experiments.outcome import Outcome
from frankboost.report.captions import LEGEND
from frankboost.report.content import Report
from frankboost.report.figures import figures
from frankboost.report.findings import findings
from frankboost.report.results import Outcomes
from frankboost.report.summary import summary
from frankboost.report.tables.endings import closed_gaps, failures, worst_case
from frankboost.report.tables.errors import cross_validation, errors, split_errors
from frankboost.report.tables.speedup import speedup
from frankboost.report.tables.times import paper_times, times

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


def build(known: Iterable[Outcome]) -> Report:
    """Everything that outcomes have to say; a table or figure without any is left out."""
    outcomes = Outcomes(known)
    tables = tuple(filter(None, (table(outcomes) for table in TABLES.values())))
    drawn = figures(outcomes)
    return Report(
        title=TITLE,
        byline=f"{outcomes.machine} · {outcomes.date}",
        summary=summary(outcomes, drawn),
        findings=findings(outcomes, tables),
        legend=LEGEND,
        tables=tables,
        figures=drawn,
        runs={outcome.key: outcome.to_json(curves=False) for outcome in outcomes},
    )
