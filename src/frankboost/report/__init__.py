"""Results of a study as one page, and as tables and figures for other programs."""

from frankboost.report.assembly import build

__all__ = ["build"]
