"""Results of a study as one page."""

from frankboost.report.assembly import build

__all__ = ["build"]
