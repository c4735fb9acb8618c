"""Results -> report."""

from __future__ import annotations

from frankboost.report.content import Report
from frankboost.report.figures import figures
from frankboost.report.findings import findings
from frankboost.report.lines import check
from frankboost.report.selection import Runs
from frankboost.report.setting import date, machine
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


def build(runs: Runs) -> Report:
    """Everything that the runs have to say; a table or figure without runs is left out.

    Raises
    ------
    ValueError
        If a run lacks what is needed; the message names its key.
    """
    check(runs)
    every = (table(runs) for table in TABLES.values())
    return Report(
        title=TITLE,
        findings=findings(runs),
        tables=tuple(table for table in every if table is not None),
        figures=figures(runs),
        runs={
            key: {name: value for name, value in run.items() if name not in CURVES}
            for key, run in runs.items()
        },
        machine=machine(runs),
        date=date(runs),
    )
