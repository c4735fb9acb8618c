"""`frankboost labels`: the most suspicious labels of a file, and what is left after corrections."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np

from frankboost.cli.arguments import Parser, count
from frankboost.cli.files import DATA_HELP, FILES, add_ignore, check_output, refusing, writes
from frankboost.cli.labels_page import page
from frankboost.estimators.label_issues import LenientClassifier
from frankboost.estimators.parameters import MOST_JOBS
from frankboost.estimators.row_checks import REPEATS
from frankboost.progress import is_terminal
from frankboost.tables.files import name_of, read_table, replacing
from frankboost.tables.reading import TrainingTable, about, check_columns, read_training
from frankboost.validation import quoted

ROW, NEW, OUT = "row", "corrected_label", "?"

DESCRIPTION = """\
Find the most suspicious labels of a file. The command writes a file with one
line per row, the worst label first: the number of the row, whether the row is
flagged, the probability that its label is right, the label, the suggested
label, and an empty column corrected_label. Fill in corrected_label: a label, or
? to leave the row out. Then run the command again with --relabel: it uses your
corrections and checks the other rows again. Rows count from 1, without the
header."""

EPILOG = f"""\
examples:
  frankboost labels churn.csv --target churned --out issues.csv \\
      --page issues.html
  frankboost labels churn.csv --target churned --out left.csv \\
      --relabel issues.csv

{FILES}
Exit status: 0; 1 if a file cannot be written; 2 if a file cannot be read or an
option is wrong."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add("data", metavar="DATA", help=DATA_HELP)
    add("--target", metavar="COLUMN", required=True, help="the column with the labels")
    add("--out", metavar="FILE.csv", required=True, help="the file to write, one line per row of DATA")
    add("--page", metavar="FILE.html",
        help="a page to write: the worst rows, each beside similar rows of the suggested label")  # fmt: skip
    add("--relabel", metavar="FILE.csv", help="a file that --out wrote, with corrections filled in")
    add(
        "--weight",
        metavar="COLUMN",
        help="the column of sample weights, numbers >= 0; this column is no feature",
    )
    add("--repeats", metavar="N", type=count(), default=REPEATS,
        help="how often the rows are halved; each time takes two fits (default: %(default)s)")  # fmt: skip
    add("--jobs", metavar="N", type=count(at_most=MOST_JOBS, all=-1), default=-1,
        help="the number of threads (default: all cores)")  # fmt: skip
    add_ignore(parser)


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    data = {"the file of the data": args.data}
    check_output(parser, "--out", args.out, data)
    check_output(parser, "--page", args.page, data | {"what --out writes": args.out})
    with refusing(parser):
        table = read_training(args.data, args.target, args.ignore, args.weight)
    if args.relabel is not None:
        with refusing(parser, "--relabel"):
            table = corrected(table, args.relabel)
    watched = int(is_terminal(sys.stderr))
    clf = LenientClassifier(n_jobs=args.jobs, verbose=watched)
    try:
        clf.fit(table.X, table.y, table.weight)
        issues = clf.label_issues(table.X, table.y, table.weight, repeats=args.repeats)
    except ValueError as error:
        parser.error(f"argument DATA: {name_of(args.data)} cannot be judged: {error}")
    frame = issues.to_frame()
    frame.insert(0, ROW, np.arange(1, len(frame) + 1))
    frame[NEW] = ""
    with writes(parser, args.out), replacing(Path(args.out)) as file:
        frame.iloc[issues.order].to_csv(file, index=False, lineterminator="\n", mode="wb")
    if args.page is not None:
        text = page(f"{name_of(args.data)}: {args.target}", clf, table.X, issues)
        with writes(parser, args.page), replacing(Path(args.page)) as file:
            file.write(text.encode())
    print(f"{issues.is_label_issue.sum()} of {len(issues)} labels are flagged; they come first in {args.out}")
    return 0


def corrected(table: TrainingTable, path: str) -> TrainingTable:
    """Apply the corrections in a file; rows that it leaves out get the weight 0."""
    given = read_table(path)
    with about(path):
        check_columns([ROW, NEW], given.names)
        y = table.y.copy()
        known = {str(label): label for label in np.unique(y).tolist()}
        weight = np.ones(len(y)) if table.weight is None else table.weight.astype(float)
        places, labels = (given.column(name, [OUT, *known]).astype("string") for name in (ROW, NEW))
        for line, (place, label) in enumerate(zip(places, labels, strict=True), start=1):
            if label is None or not isinstance(label, str) or not label.strip():
                continue
            number = str(place).removesuffix(".0")
            if not number.isdecimal() or not 1 <= int(number) <= len(y):
                raise ValueError(
                    f"row {line}: the {ROW} must be a number in [1, {len(y)}]; got {quoted(place)}"
                )
            if label not in known and label != OUT:
                raise ValueError(
                    f"row {line}: the {NEW} must be one of {list(known)}, or {OUT} to leave the row out; "
                    f"got {quoted(label)}"
                )
            if label == OUT:
                weight[int(number) - 1] = 0.0
            else:
                y[int(number) - 1] = known[label]
    changed, gone = int((y != table.y).sum()), int((weight == 0.0).sum())
    print(f"{changed} labels corrected, {gone} rows left out", file=sys.stderr)
    return replace(table, y=y, weight=weight if gone or table.weight is not None else None)
