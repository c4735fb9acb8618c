"""`python -m studies report`: the results of a study as a page, tables and figures."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from frankboost.cli.arguments import Parser
from frankboost.tables.files import replacing
from studies.commands.paper import FULL_DIR, QUICK_DIR
from studies.plan import PARTS
from studies.report import TABLES, build_report
from studies.report.content import Report
from studies.report.figures import DRAWINGS
from studies.report.render.page import html
from studies.report.render.text import csv, figure_csv
from studies.running.results import NAME, read

DESCRIPTION = """\
Make a report of the results of `python -m studies paper`, finished or not: times, gaps and test errors beside
the paper's, and figures of how they came about.

It reads DIR/runs.jsonl and writes
  DIR/report.html              one page that needs nothing else
  DIR/tables/NAME.csv          every table
  DIR/figures/NAME.csv         the points of every figure
A table or figure of an earlier report that there are no runs for any more is removed."""

EPILOG = """\
examples:
  python -m studies report
  python -m studies paper && python -m studies report
  python -m studies report --results build/paper-full
  python -m studies report --results build/paper-full --out page.html"""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add("--results", metavar="DIR", type=Path, default=Path(QUICK_DIR),
        help="folder with runs.jsonl (default: %(default)s)")  # fmt: skip
    add("--out", metavar="FILE.html", type=Path, help="the page (default: DIR/report.html)")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    folder: Path = args.results
    page: Path = args.out or folder / "report.html"
    try:
        outcomes = [each for each in read(folder / NAME).values() if each.trial.part in PARTS]
    except FileNotFoundError:
        options = {Path(QUICK_DIR): "", Path(FULL_DIR): " --full"}.get(folder, f" --out {folder}")
        parser.error(
            f"argument --results: {folder / NAME} is not there; `python -m studies paper{options}` makes it"
        )
    except OSError as error:
        parser.error(f"argument --results: {folder / NAME} cannot be read: {error.strerror or error}")
    except ValueError as error:
        parser.error(f"argument --results: {error}")
    if not outcomes:
        where = f"argument --results: {folder / NAME}"
        parser.error(f"{where} has no finished run of `python -m studies paper` yet")
    report = build_report(outcomes)
    try:
        tables, figures = _write(report, folder, page)
    except OSError as error:
        parser.exit(1, f"{parser.prog}: {error.filename} cannot be written: {error.strerror or error}\n")
    print(f"{len(report.runs)} runs: {page}")
    print(f"{len(report.tables)} tables: {tables}")
    print(f"{len(report.figures)} figures: {figures}")
    return 0


def _write(report: Report, folder: Path, page: Path) -> tuple[Path, Path]:
    """Write the page, the tables and the figures; returns the folders of the tables and of the figures."""
    tables, figures = folder / "tables", folder / "figures"
    for each in (tables, figures, page.parent):
        each.mkdir(parents=True, exist_ok=True)
    for table in report.tables:
        _replace(tables / f"{table.name}.csv", csv(table))
    for figure in report.figures:
        _replace(figures / f"{figure.name}.csv", figure_csv(figure))
    _remove(tables, TABLES.keys() - {table.name for table in report.tables})
    _remove(figures, DRAWINGS.keys() - {figure.name for figure in report.figures})
    _replace(page, html(report))
    return tables, figures


def _replace(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files that an earlier report wrote, and that this one does not have."""
    for name in names:
        (folder / f"{name}.csv").unlink(missing_ok=True)
