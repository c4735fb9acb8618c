"""`frankboost verify`: whether a certificate holds."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from frankboost.cli.arguments import Parser
from frankboost.cli.certificates import documents, lines
from frankboost.cli.files import add_model_and_data, loaded, read_like
from frankboost.verification import verify
from frankboost.version import __version__

DESCRIPTION = """\
Recompute the certificate of a saved model from the file that it was fitted to, by code that shares nothing
with the fit, and print what was found."""

EPILOG = """\
examples:
  frankboost verify churn.csv --model churn.json
  frankboost verify churn.csv --model churn.json --json && echo it holds

The rows must be those of the fit, in their order. A model that was fitted with sample weights, which no file
holds, cannot be checked here: use frankboost.verify in Python. Exit status: 0 if the certificate holds, 1 if
it does not (the reason goes to standard error), 2 for what cannot be read."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_model_and_data(parser)
    add = parser.add_argument
    add("--target", metavar="COLUMN", help="the column that was predicted (default: the model knows)")
    add("--json", action="store_true", help="print the certificate as JSON")


def run(parser: Parser, args: Namespace) -> int:
    """Run the command; the result is the exit status."""
    model = loaded(parser, args.model)
    target = args.target or getattr(model, "target_name_", None)
    if target is None:
        parser.error(f"argument --target: must be given, since {args.model} does not name the target")
    rows = read_like(parser, args.data, model, target)
    try:
        found = verify(model, rows[model.feature_names_in_.tolist()], rows[target])
    except ValueError as error:  # a CertificateError, or rows and labels that are not those of the fit
        _tell(args, {"holds": False, "reason": str(error)})
        print(f"{parser.prog}: {args.model} does not hold for {args.data}: {error}", file=sys.stderr)
        return 1
    _tell(args, {"holds": True, "certificates": documents(model, found)})
    if not args.json:
        print(*lines(model, found), sep="\n", flush=True)
    return 0


def _tell(args: Namespace, outcome: dict[str, Any]) -> None:
    if args.json:
        facts = {"version": __version__, "data": args.data, "model": args.model}
        print(json.dumps({**facts, **outcome}, indent=2), flush=True)
