"""`frankboost predict`: what a model says of a file."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import nullcontext
from typing import Any

from frankboost.cli.arguments import Parser
from frankboost.cli.files import (
    add_model_and_data,
    check_output,
    columns,
    loaded,
    opened,
    output,
    refusing,
    rows_like,
)
from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import vote_columns
from frankboost.tables.files import Table
from frankboost.tables.reading import check_columns
from frankboost.validation import quoted

DESCRIPTION = """\
Print the prediction of a model for each row of a file, as CSV with a header.
The command finds columns by their names, in any order, and ignores columns that
were not in the fit."""

EPILOG = """\
examples:
  frankboost predict new.csv --model churn.json
  frankboost predict new.parquet --model churn.json --proba --out shares.csv
  frankboost predict new.csv --model churn.json --id customer,since
  cat new.csv | frankboost predict - --model churn.json --scores | head

A category that was not in the fit is treated as a missing value.
Exit status: 0; 1 if the output cannot be written; 2 if a file cannot be read or
an option is wrong."""


def add_options(parser: Parser) -> None:
    add_model_and_data(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--proba", action="store_true",
                      help="print one column per class: its probability or, if the model is not "
                      "calibrated, its share of the vote, in [0, 1]")  # fmt: skip
    what.add_argument("--scores", action="store_true",
                      help="print one column per class: the vote for it, in [-1, 1]")  # fmt: skip
    parser.add_argument("--id", metavar="COLUMNS", type=columns, action="extend", default=[],
                        help="columns of DATA to print before the predictions, unchanged, separated by "
                        "commas; the option may be repeated")  # fmt: skip
    parser.add_argument("--out", metavar="FILE.csv", help="the file to write instead of standard output")


def run(parser: Parser, args: Namespace) -> int:
    check_output(parser, "--out", args.out, {"the file of the data": args.data, "the model": args.model})
    model = loaded(parser, args.model)
    table = opened(parser, args.data)
    with refusing(parser, path=args.data):
        answers = _answers(model, rows_like(parser, table, args.data, model), args)
    answers = _with_ids(parser, args, table, answers)
    with nullcontext(sys.stdout) if args.out is None else output(parser, args.out) as file:
        answers.to_csv(file, index=False, lineterminator="\n")
    return 0


def _answers(model: ModelClassifier, X: Any, args: Namespace) -> Any:
    import pandas as pd  # noqa: PLC0415 - an extra

    if args.proba:
        return pd.DataFrame(model.predict_proba(X), columns=model.classes_)
    if args.scores:
        return pd.DataFrame(vote_columns(model.decision_function(X)), columns=model.classes_)
    return pd.DataFrame({"prediction": model.predict(X)})


def _with_ids(parser: Parser, args: Namespace, table: Table, answers: Any) -> Any:
    """The answers, with columns of the file before them; or an end with status 2."""
    names = list(dict.fromkeys(args.id))
    taken = [name for name in names if name in map(str, answers.columns)]
    if taken:
        parser.error(f"argument --id: {quoted(taken[0])} is the name of a column of the predictions")
    with refusing(parser, "--id", args.data):
        check_columns(names, table.names)
        for place, name in enumerate(names):
            answers.insert(place, name, table.as_written(name))
    return answers
