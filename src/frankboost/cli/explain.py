"""`frankboost explain`: one page about what a model does."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from frankboost.cli.arguments import Parser, printable
from frankboost.cli.files import (
    add_model_and_data,
    check_output,
    labelled_rows,
    loaded,
    refusing,
)
from frankboost.cli.page import page
from frankboost.display.base import pyplot
from frankboost.estimators.prediction import ModelClassifier
from frankboost.tables.files import replacing
from frankboost.tables.reading import read_weights
from frankboost.verification import verified

DESCRIPTION = """\
Write one page of HTML about a model and the rows of a file: its certificate, the shapes of its features, its
strongest pairs, its scores, ROC curve and calibration on these rows, and the rows that it gets most wrong.
The page needs no other file, so that it can be kept."""

EPILOG = """\
examples:
  frankboost explain churn.csv --model churn.json --out churn.html
  frankboost explain test.parquet --model churn.json --target churned --out test.html

On the rows of the fit the certificate is proved again, and the scores are too good. A column of sample
weights that the model knows counts for terms and certificate, not for scores. Shapes and pairs are
exact for trees of depth 1 and 2; deeper ones are refused. Plots need matplotlib: frankboost[plot].
Exit status: 0, 1 if the page cannot be written, or 2 for what cannot be read."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_model_and_data(parser)
    add = parser.add_argument
    add("--target", metavar="COLUMN", help="the column with the classes (default: the model knows)")
    add("--out", metavar="FILE.html", required=True, help="write the page here")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
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
        shapes = model.shapes(X, weights)
    found = shapes if isinstance(shapes, list) else [shapes]
    title = f"{args.model} on {args.data}"
    labels = np.array(y.tolist(), dtype=object)
    text = page(title, model, found, (X, labels), _proof(model, X, y, weights))
    try:
        with replacing(Path(args.out)) as file:
            file.write(text.encode())
    except OSError as error:
        parser.exit(1, f"{parser.prog}: {args.out} cannot be written: {error.strerror or error}\n")
    return 0


def _proof(model: ModelClassifier, X: Any, y: Any, weights: Any) -> list[str]:
    """What is proved of each vote: with its sentence in plain words on the rows of the fit, else without."""
    if not hasattr(model, "certificate_"):
        return ["The model was saved without its certificate."]
    try:
        return [str(each) for each in verified(model, X, y, weights)]
    except ValueError as error:
        told = [str(each.certificate) for each in model.model_.ensembles]
        return [*told, f"On the rows of the file this is not proved again: {printable(error)}"]
