"""What `frankboost fit` can be told."""

from __future__ import annotations

from argparse import ArgumentTypeError

from frankboost.cli.arguments import Parser, count, count_or_all, number
from frankboost.cli.files import DATA_HELP, FILES, add_ignore
from frankboost.experiments.problems import TOL
from frankboost.learners.binning import MOST_THRESHOLDS

AUTO = "auto"
FOLDS = 5
NU = 0.2

DESCRIPTION = """\
Fit LevelBoost to a file, save the model as JSON and print its certificate: soft margin <= optimum <= bound.
With more than two classes, one line for each class against the rest."""

EPILOG = f"""\
examples:
  frankboost fit churn.csv --target churned --model churn.json
  frankboost fit churn.parquet --target churned --model churn.json --nu auto --ignore customer,since
  frankboost fit churn.csv --target churned --model churn.json --tol 0.001 --time-limit 60 --json

{FILES}
Exit status: 0 if the gap was closed, 1 if not (the model is saved all the same), 2 for what cannot be read,
130 after Ctrl-C, which saves the best ensemble so far."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add("data", metavar="DATA", help=DATA_HELP)
    add("--target", metavar="COLUMN", required=True, help="the column to predict, of two values or more")
    add("--model", metavar="MODEL.json", required=True, help="where to save the model")
    add("--nu", metavar="P", type=_nu, default=NU,
        help="fraction of the examples that may fall short of the margin, in (0, 1], or auto: by "
        "cross-validation (default: %(default)g)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(), default=TOL,
        help="stop when bound - soft margin <= GAP (default: %(default)g)")  # fmt: skip
    add("--max-depth", metavar="N", type=count(), default=2,
        help="depth of the trees; 1 and 2 are searched exactly (default: %(default)d)")  # fmt: skip
    add("--max-bins", metavar="N", type=count_or_all(at_most=MOST_THRESHOLDS), default=MOST_THRESHOLDS,
        help=f"thresholds a feature, 1 to {MOST_THRESHOLDS} or all (default: %(default)d)")  # fmt: skip
    add_ignore(parser)
    add("--time-limit", metavar="SECONDS", type=number(),
        help="for each fit: of a class, and of each nu that auto tries (default: none)")  # fmt: skip
    add("--jobs", metavar="N", type=count_or_all(), default="all", help="threads (default: all cores)")
    add("--verbose", action="store_true",
        help="show progress on standard error even if it is no terminal")  # fmt: skip
    add("--json", action="store_true", help="print the certificate as JSON")


def _nu(text: str) -> float | str:
    if text.lower() == AUTO:
        return AUTO
    try:
        return number(at_most=1.0)(text)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(str(error).replace("; got", f" or {AUTO}; got")) from None
