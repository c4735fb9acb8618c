"""`frankboost explain`: one page about what a model does."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import numpy as np

from frankboost.cli.arguments import Parser, printable
from frankboost.cli.files import add_model_and_data, check_output, labelled_rows, loaded, output, refusing
from frankboost.cli.page import page
from frankboost.display.base import pyplot
from frankboost.display.scales import shapes_by_contest
from frankboost.estimators.prediction import ModelClassifier
from frankboost.tables.reading import read_weights
from frankboost.verification import verified

DESCRIPTION = """\
Write a page of HTML about a model and the rows of a file: the certificate, the
shapes of the features, the strongest pairs, scores, ROC curve and calibration
on these rows, and the rows with the worst predictions. Rows count from 1,
without the header. The page is one file without links to others."""

EPILOG = """\
examples:
  frankboost explain churn.csv --model churn.json --out churn.html
  frankboost explain test.parquet --model churn.json --target churned \\
      --out test.html

If the file holds the rows of the fit, the command proves the certificate again,
and the scores are too good. If the fit had a column of sample weights, it
counts for the shapes and the certificate, not for the scores. The model must
have trees of depth 1 or 2. Plots need matplotlib:
pip install "frankboost[plot]".
Exit status: 0; 1 if the page cannot be written; 2 if a file cannot be read or
an option is wrong."""


def add_options(parser: Parser) -> None:
    add_model_and_data(parser)
    add = parser.add_argument
    add("--target", metavar="COLUMN", help="the column with the classes (default: as in the fit)")
    add("--out", metavar="FILE.html", required=True, help="the page to write")


def run(parser: Parser, args: Namespace) -> int:
    try:
        pyplot()
    except ImportError as error:
        parser.error(str(error))
    check_output(parser, "--out", args.out, {"the file of the data": args.data, "the model": args.model})
    model = loaded(parser, args.model)
    table, X, y = labelled_rows(parser, args, model)
    weight: Any = getattr(model, "weight_name_", None)
    with refusing(parser, path=args.data):
        weights = read_weights(table, weight, y.name) if weight in table.names else None
    with refusing(parser, "--model", args.model):
        shapes = shapes_by_contest(model, X, weights, None)
    title = f"{args.model} on {args.data}"
    labels = np.array(y.tolist(), dtype=object)
    text = page(title, model, shapes, (X, labels), _proof(model, X, y, weights))
    with output(parser, args.out) as file:
        file.write(text.encode())
    return 0


def _proof(model: ModelClassifier, X: Any, y: Any, weights: Any) -> list[str]:
    """The certificate of each vote; on the rows of the fit also its sentence in plain words."""
    if not hasattr(model, "certificate_"):
        return ["The model was saved without its certificate."]
    try:
        return [str(each) for each in verified(model, X, y, weights)]
    except ValueError as error:
        told = [str(each.certificate) for each in model.model_.ensembles]
        rows = len(model.model_.ensembles[0].mass)
        why = printable(error) if len(y) == rows else f"the fit had {rows} rows, this file has {len(y)}"
        return [
            *told,
            f"The certificate was not proved again, as this file does not hold the rows of the fit: {why}.",
        ]
