"""`frankboost predict`: what a model says of a file."""

from __future__ import annotations

import csv
import io
import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from frankboost.cli.arguments import Parser
from frankboost.cli.files import DATA_HELP, check_output, for_numbers, loaded, opened, wrong_data
from frankboost.datasets.columns import Floats
from frankboost.datasets.tables import rows_like
from frankboost.estimators.base import SoftMarginBooster

DESCRIPTION = """\
Print the predictions of a model for each row of a file, as CSV with a header. Columns are found by their
names, whatever their order, and those that the model does not know are left alone."""

EPILOG = """\
examples:
  frankboost predict new.csv --model churn.json
  frankboost predict new.parquet --model churn.json --proba --out shares.csv
  frankboost predict new.csv --model churn.json --scores | head

A category that was not fitted is treated as a missing value."""


def add_command(commands: Any) -> None:
    """Add `predict` to the commands of a parser."""
    parser: Parser = commands.add_parser(
        "predict",
        help="predict the rows of a file with a saved model",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("data", metavar="DATA", help=DATA_HELP)
    add("--model", metavar="MODEL.json", required=True, help="a model that `frankboost fit` saved")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--proba", action="store_true",
                      help="a column for each class with its share of the vote, in [0, 1]")  # fmt: skip
    what.add_argument("--scores", action="store_true",
                      help="a column for each class with the vote for it, in [-1, 1]")  # fmt: skip
    add("--out", metavar="FILE.csv", help="write here instead of to standard output")
    parser.set_defaults(run=lambda args: _command(parser, args))


def _command(parser: Parser, args: Namespace) -> int:
    if args.out is not None:
        inputs = {"the file of the data": args.data, "the model": args.model}
        check_output(parser, "--out", args.out, inputs)
    model = loaded(parser, args.model)
    source = opened(parser, args.data)
    names = [str(name) for name in model.feature_names_in_]
    categories = {str(name): values.tolist() for name, values in model.categories_.items()}
    try:
        X = rows_like(source, names, categories)
    except ValueError as error:
        wrong_data(parser, error)
    text = _csv(_answers(for_numbers(model), X, args))
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        Path(args.out).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        print(f"{parser.prog}: {args.out} cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def _answers(model: SoftMarginBooster, X: Floats, args: Namespace) -> Iterable[list[Any]]:
    """The header, and then a row for each row."""
    if not (args.proba or args.scores):
        yield ["prediction"]
        yield from ([label] for label in model.predict(X).tolist())
        return
    yield model.classes_.tolist()
    yield from (model.predict_proba(X) if args.proba else _votes(model, X)).tolist()


def _votes(model: SoftMarginBooster, X: Floats) -> Floats:
    """A column a class: of two classes one's vote is the other's with the opposite sign."""
    votes = model.decision_function(X)
    return votes if votes.ndim == 2 else np.column_stack([0.0 - votes, votes])


def _csv(rows: Iterable[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
