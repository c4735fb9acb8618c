"""`frankboost predict`: what a model says of a file."""

from __future__ import annotations

import csv
import sys
from argparse import Namespace
from typing import Any, TextIO

import numpy as np

from frankboost.cli.arguments import Parser
from frankboost.cli.files import add_model_and_data, check_output, loaded, read_like
from frankboost.estimators.prediction import ModelClassifier
from frankboost.typing import Floats

DESCRIPTION = """\
Print the predictions of a model for each row of a file, as CSV with a header. Columns are found by their
names, whatever their order, and those that the model does not know are left alone."""

EPILOG = """\
examples:
  frankboost predict new.csv --model churn.json
  frankboost predict new.parquet --model churn.json --proba --out shares.csv
  frankboost predict new.csv --model churn.json --scores | head

A category that was not fitted is treated as a missing value."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_model_and_data(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--proba", action="store_true",
                      help="a column for each class with its share of the vote, or its probability if "
                      "the model is calibrated, in [0, 1]")  # fmt: skip
    what.add_argument("--scores", action="store_true",
                      help="a column for each class with the vote for it, in [-1, 1]")  # fmt: skip
    parser.add_argument("--out", metavar="FILE.csv", help="write here instead of to standard output")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    if args.out is not None:
        inputs = {"the file of the data": args.data, "the model": args.model}
        check_output(parser, "--out", args.out, inputs)
    model = loaded(parser, args.model)
    header, rows = _answers(model, read_like(parser, args.data, model), args)
    if args.out is None:
        _write(sys.stdout, header, rows)
        return 0
    try:
        with open(args.out, "w", encoding="utf-8", newline="") as file:
            _write(file, header, rows)
    except OSError as error:
        print(f"{parser.prog}: {args.out} cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def _answers(model: ModelClassifier, X: Any, args: Namespace) -> tuple[list[Any], list[list[Any]]]:
    """A header, and a row for each row."""
    if args.proba or args.scores:
        answers = model.predict_proba(X) if args.proba else _votes(model, X)
        return model.classes_.tolist(), answers.tolist()
    return ["prediction"], [[label] for label in model.predict(X).tolist()]


def _votes(model: ModelClassifier, X: Any) -> Floats:
    """One column per class: of two classes one's vote is the other's with the opposite sign."""
    votes = model.decision_function(X)
    return votes if votes.ndim == 2 else np.column_stack([0.0 - votes, votes])


def _write(file: TextIO, header: list[Any], rows: list[list[Any]]) -> None:
    csv.writer(file, lineterminator="\n").writerows([header, *rows])
