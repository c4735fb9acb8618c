"""`frankboost evaluate`: how good a model is on a file whose classes are known."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from typing import Any

from frankboost.cli.arguments import Parser
from frankboost.cli.files import add_model_and_data, labelled_rows, loaded, refusing
from frankboost.cli.scores import Scores, lines, scores_of
from frankboost.version import __version__

DESCRIPTION = """\
Print how good a model is on a file with known classes that was not used for the
fit: the error, the area under the ROC curve (AUC) of the votes, log-loss and
Brier score of the probabilities, and precision, recall and confusion counts of
the classes."""

EPILOG = """\
examples:
  frankboost evaluate test.csv --model churn.json
  frankboost evaluate test.parquet --model churn.json --target churned --json \\
      > scores.json

With p the probability of the right class, log-loss is the mean of -ln p and the
Brier score is the mean of (1 - p)^2; with more than two classes, the squares of
all other probabilities are added. Both say little about a model that is not
calibrated (see `frankboost fit --help`). On the rows of the fit, all scores are
too good.
Exit status: 0, or 2 if a file cannot be read or an option is wrong."""


def add_options(parser: Parser) -> None:
    add_model_and_data(parser)
    add = parser.add_argument
    add("--target", metavar="COLUMN", help="the column with the classes (default: as in the fit)")
    add("--json", action="store_true", help="print the scores as JSON")


def run(parser: Parser, args: Namespace) -> int:
    model = loaded(parser, args.model)
    _, X, y = labelled_rows(parser, args, model)
    with refusing(parser, path=args.data):
        scores = scores_of(model, X, y.tolist())
    print(json.dumps(_report(args, y.name, scores), indent=2) if args.json else "\n".join(lines(scores)))
    return 0


def _report(args: Namespace, target: str, scores: Scores) -> dict[str, Any]:
    facts = {"version": __version__, "data": args.data, "model": args.model, "target": target}
    found = asdict(scores) | {"confusion": scores.confusion.tolist()}
    return {**facts, "rows": found.pop("rows"), "error": scores.error, **found}
