"""`frankboost verify`: whether a certificate holds."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from frankboost.certificate import CertificateError
from frankboost.cli.arguments import Parser, printable
from frankboost.cli.certificates import documents, lines
from frankboost.cli.files import (
    add_model_and_data,
    check_output,
    loaded,
    opened,
    refusing,
    rows_like,
    target_of,
    writes,
)
from frankboost.export.certificate_file import check_roles, save_certificate
from frankboost.tables.reading import read_weights
from frankboost.verification import verified
from frankboost.version import __version__

PROVED = "proved in integers"
GUESS = ", except the bound, which is heuristic"

DESCRIPTION = """\
Prove the certificate of a saved model again from the file of its fit, in
integers and without a tolerance, by code that shares no search and no
arithmetic with the fit."""

EPILOG = """\
examples:
  frankboost verify churn.csv --model churn.json
  frankboost verify churn.csv --model churn.json --exact --json \\
      && echo it is proved
  frankboost verify churn.csv --model churn.json --write proof.json
  python tools/check_certificate.py churn.csv proof.json churn.json

tools/check_certificate.py is a script of about 370 lines that uses no code of
frankboost, and reads every CSV file that can be fitted. DATA must hold the rows
of the fit, in the same order. The probabilities are not proved. If a model that
was saved in Python had sample weights, name their column with --weight.
Exit status: 0 if the certificate holds; 1 if it does not (the reason goes to
standard error); 2 if a file cannot be read or an option is wrong."""


def add_options(parser: Parser) -> None:
    add_model_and_data(parser)
    add = parser.add_argument
    add("--target", metavar="COLUMN", help="the column that was predicted (default: as in the fit)")
    add("--weight", metavar="COLUMN", help="the column of sample weights (default: as in the fit)")
    add("--features", action="store_true", help="list the names of all features")
    add("--exact", action="store_true", help="fail if the bound is heuristic")
    add("--write", metavar="FILE.json", help="write a proof that tools/check_certificate.py can check")
    add("--json", action="store_true", help="print the certificate as JSON")


def run(parser: Parser, args: Namespace) -> int:
    check_output(parser, "--write", args.write, {"the file of the data": args.data, "the model": args.model})
    model = loaded(parser, args.model)
    if not hasattr(model, "certificate_"):
        parser.error(f"argument --model: {args.model} was saved without its certificate")
    target, weight = target_of(parser, args, model), args.weight or getattr(model, "weight_name_", None)
    table, features = opened(parser, args.data), model.feature_names_in_.tolist()
    rows = rows_like(parser, table, args.data, model, target)
    with refusing(parser, path=args.data):
        weights = None if weight is None else read_weights(table, weight, target)
    X, y = rows[features], rows[target]
    try:
        check_roles(features, target, weight)
        found = verified(model, X, y, weights)
        guess = not all(each.exact for each in found)
        if args.exact and guess:
            raise CertificateError(
                "--exact needs a proved bound, and this bound is heuristic; the soft margin is proved"
            )
        if args.write is not None:
            with writes(parser, args.write):
                save_certificate(model, X, y, args.write, target=target, sample_weight=weights, weight=weight)
    except ValueError as error:  # a CertificateError, or rows and labels that are not those of the fit
        reason = printable(error)
        _tell(args, {"holds": False, "reason": reason})
        print(
            f"{parser.prog}: the certificate of {args.model} does not hold for {args.data}: {reason}",
            file=sys.stderr,
        )
        return 1
    shown = PROVED + (GUESS if guess else "")
    roles = {"target": target, "weight": weight, "features": features}
    roles["left_out"] = [name for name in table.names if name not in {target, weight, *features}]
    _tell(args, {"holds": True, "shown": shown, **roles, "certificates": documents(model, found)})
    if not args.json:
        print(*lines(found), *_roles(roles, names=args.features), shown, sep="\n", flush=True)
    return 0


def _roles(roles: dict[str, Any], *, names: bool) -> list[str]:
    """The lines about the columns of the file: target, weight, features, columns left out."""
    features, left_out = roles["features"], roles["left_out"]
    weight = "" if roles["weight"] is None else f", weight {roles['weight']!r}"
    others = len(features) + len(left_out)
    text = [
        f"target {roles['target']!r}{weight}; {len(features)} of the {others} other columns are features",
        f"left out: {', '.join(map(repr, left_out)) or 'none'}",
    ]
    if names:
        text.append(f"features: {', '.join(map(repr, features))}")
    return list(map(printable, text))


def _tell(args: Namespace, outcome: dict[str, Any]) -> None:
    if args.json:
        facts = {"version": __version__, "data": args.data, "model": args.model}
        print(json.dumps({**facts, **outcome}, indent=2), flush=True)
