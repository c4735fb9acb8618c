"""`frankboost labels`: the most suspicious labels of a file, and what is left after corrections."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from frankboost.cli import page
from frankboost.cli.arguments import Parser, count
from frankboost.cli.files import DATA_HELP, FILES, add_ignore, check_output, output, refusing
from frankboost.estimators.label_issues import LenientClassifier
from frankboost.estimators.parameters import MOST_JOBS
from frankboost.estimators.prediction import ModelClassifier, encoding_of
from frankboost.estimators.row_checks import REPEATS
from frankboost.estimators.wrong_labels import LabelIssues
from frankboost.model import Ensemble
from frankboost.progress import is_terminal
from frankboost.tables.files import name_of, read_table
from frankboost.tables.reading import TrainingTable, about, check_columns, read_training
from frankboost.typing import AnyArray, Floats, Indices
from frankboost.validation import quoted

ROW, GIVEN, NEW, OUT = "row", "given_label", "corrected_label", "?"
MOST_ROWS, MOST_ALIKE, MOST_FEATURES = 20, 3, 12  # of the page

DESCRIPTION = """\
Find the most suspicious labels of a file. The command writes a file with one
line per row, the worst label first: the number of the row, whether the row is
flagged, the probability that its label is right, the label, the suggested
label, and an empty column corrected_label. Fill in corrected_label: a label, or
? to leave the row out. Then run the command again with --relabel: it uses your
corrections, checks the other rows again, and copies the corrections to the new
file. Rows count from 1, without the header."""

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
    inputs = {"the file of the data": args.data}
    if args.relabel is not None:
        inputs["the file of the corrections"] = args.relabel
    check_output(parser, "--out", args.out, inputs)
    check_output(parser, "--page", args.page, inputs | {"what --out writes": args.out})
    with refusing(parser):
        given = table = read_training(args.data, args.target, args.ignore, args.weight)
    corrections = np.full(len(given.y), "", dtype=object)
    if args.relabel is not None:
        with refusing(parser, "--relabel"):
            corrections = read_corrections(args.relabel, given.y)
        table = corrected(given, corrections)
    watched = int(is_terminal(sys.stderr))
    clf = LenientClassifier(n_jobs=args.jobs, verbose=watched)
    try:
        clf.fit(table.X, table.y, table.weight)
        issues = clf.label_issues(table.X, table.y, table.weight, repeats=args.repeats)
    except ValueError as error:
        parser.error(f"argument DATA: {name_of(args.data)} cannot be judged: {error}")
    frame = issues.to_frame()
    frame.insert(0, ROW, np.arange(1, len(frame) + 1))
    frame[GIVEN], frame[NEW] = given.y, corrections  # all that --relabel needs the next time
    with output(parser, args.out) as file:
        frame.iloc[issues.order].to_csv(file, index=False, lineterminator="\n")
    if args.page is not None:
        text = _page(f"{name_of(args.data)}: {args.target}", clf, table.X, issues)
        with output(parser, args.page) as file:
            file.write(text.encode())
    print(f"{issues.is_label_issue.sum()} of {len(issues)} labels are flagged; they come first in {args.out}")
    return 0


def read_corrections(path: str, y: AnyArray) -> AnyArray:
    """The corrected label of each row as text, empty where there is none, from a file that --out wrote."""
    table = read_table(path)
    known = [str(label) for label in np.unique(y).tolist()]
    found = np.full(len(y), "", dtype=object)
    with about(path):
        check_columns([ROW, NEW], table.names)
        names = [ROW, NEW, *([GIVEN] if GIVEN in table.names else [])]
        columns = [table.column(name, [OUT, *known]).astype("string") for name in names]
        for line, (place, new, *label) in enumerate(zip(*columns, strict=True), start=1):
            if new is None or not isinstance(new, str) or not new.strip():
                continue
            number = str(place).removesuffix(".0")
            if not number.isdecimal() or not 1 <= int(number) <= len(y):
                raise ValueError(
                    f"row {line}: the {ROW} must be a number in [1, {len(y)}]; got {quoted(place)}"
                )
            there = str(y[int(number) - 1])
            if label not in ([], [there]):
                raise ValueError(
                    f"row {line}: the {GIVEN} must be that of row {number} of DATA, {quoted(there)}; "
                    f"got {quoted(label[0])}"
                )
            if new not in [*known, OUT]:
                raise ValueError(
                    f"row {line}: the {NEW} must be one of {known}, or {OUT} to leave the row out; "
                    f"got {quoted(new)}"
                )
            found[int(number) - 1] = new
    return found


def corrected(table: TrainingTable, corrections: AnyArray) -> TrainingTable:
    """Apply corrections; rows that they leave out get the weight 0."""
    known = {str(label): label for label in np.unique(table.y).tolist()}
    y, weight = table.y.copy(), np.ones(len(table.y)) if table.weight is None else table.weight.astype(float)
    for row in np.flatnonzero(corrections != "").tolist():
        y[row] = known.get(corrections[row], y[row])
    weight[corrections == OUT] = 0.0
    changed, gone = int((y != table.y).sum()), int((weight == 0.0).sum())
    print(f"{changed} labels corrected, {gone} rows left out", file=sys.stderr)
    return replace(table, y=y, weight=weight if gone or table.weight is not None else None)


def _page(title: str, clf: ModelClassifier, X: Any, issues: LabelIssues) -> str:
    """A page of the worst rows of a table X, each beside the most similar rows of the suggested label."""
    numbers, sizes = encoding_of(clf)(X), clf.model_.importances
    contests = clf.model_.contests
    order = np.arange(clf.n_features_in_) if sizes is None else np.argsort(-sizes, kind="stable")
    shown = order[:MOST_FEATURES]  # those that matter most
    parts = [
        f"<p>{issues.is_label_issue.sum()} of {len(issues)} labels are flagged, those that are right with "
        "the lowest probability; these are the worst. Where few labels are wrong, even a flagged label can "
        "be right with a probability above 0.9. Rows count from 1, without the header.</p>"
    ]
    proofs = [each.certificate.hard_sentence() for each in clf.model_.ensembles]
    parts += [f"<p>{escape(each)}</p>" for each in proofs]
    for row in issues.index[:MOST_ROWS].tolist():
        given, new = issues.given_label[row], issues.predicted_label[row]
        parts.append(
            f"<h2>Row {row + 1}: {escape(str(given))}, suggested {escape(str(new))}</h2>"
            f"<p>The label is right with a probability of {issues.label_quality[row]:.3f}; the margin is "
            f"{issues.margin[row]:+.3f}.</p>"
        )
        ensemble = next((each.ensemble for each in contests if each.label == new), contests[0].ensemble)
        alike, agree = _alike(ensemble, numbers, issues, row)
        heads = ["", f"row {row + 1}", *(f"row {k + 1}" for k in alike.tolist())]
        rows = [row, *alike.tolist()]
        lines = [
            ["label", *map(str, issues.given_label[rows])],
            ["share of trees that agree", "", *(f"{each:.0%}" for each in agree)],
            *([str(X.columns[f]), *(str(X.iloc[k, f]) for k in rows)] for f in shown.tolist()),
        ]
        parts.append(page.table(heads, lines))
    return page.document(title, parts)


def _alike(ensemble: Ensemble, numbers: Any, issues: LabelIssues, row: int) -> tuple[Indices, Floats]:
    """The rows of the suggested label on which most trees, by weight, vote as on a given row; and their
    shares."""
    agree = np.zeros(len(issues))
    for tree, weight in zip(ensemble.hypotheses, ensemble.weights.tolist(), strict=True):
        votes = tree(numbers)
        agree += weight * (votes == votes[row])
    others = np.flatnonzero((issues.given_label == issues.predicted_label[row]) & ~issues.is_label_issue)
    found = others[np.argsort(-agree[others], kind="stable")[:MOST_ALIKE]]
    return found, agree[found]
