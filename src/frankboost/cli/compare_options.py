"""What `frankboost compare` can be told."""

from __future__ import annotations

from argparse import Namespace

from frankboost.cli.arguments import Parser, count, count_or_all, names, number
from frankboost.cli.files import DATA_HELP, FILES, add_ignore
from frankboost.experiments.comparison import ALGORITHMS
from frankboost.experiments.problems import TOL
from frankboost.learners.binning import MOST_THRESHOLDS

SECONDS = 30.0
SLOW = {"FW": 2.0, "PFW": 2.0}  # seconds for those that would need thousands of rounds more
OWN_NU = 0.2

DESCRIPTION = """\
Run LevelBoost and the algorithms of "Boosting as Frank-Wolfe" and print what each one proved:
soft margin <= optimum <= bound.

Without --data: wisconsin (scikit-learn's breast cancer data), twonorm, ringnorm and waveform, then
LPBoost's worst case (hard margin, 64 examples), in about a minute.

  LEVEL     LevelBoost, 20 hypotheses a round (the others: 1)
  LPB       LPBoost                             ERLPB     ERLPBoost
  FW        C-ERLPBoost: short steps only       PFW       pairwise steps only
  MLPB-SS   MLPBoost: short steps and LPBoost   MLPB-PFW  MLPBoost: pairwise steps and LPBoost"""

EPILOG = f"""\
examples:
  frankboost compare
  frankboost compare --algorithms LEVEL,LPB,MLPB-PFW --nu 0.2
  frankboost compare --data churn.csv --target churned --time-limit 60
  frankboost compare --data churn.csv --target churned --max-depth 1 --max-bins all --json > churn.json

{FILES}
Ctrl-C ends the running algorithm with its best ensemble so far, and the comparison (exit status 130)."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add("--data", metavar="FILE", help=f"compare on this instead: {DATA_HELP}")
    add("--target", metavar="COLUMN", help="the column of --data to predict, of two values")
    add_ignore(parser)
    add("--algorithms", metavar="LIST", type=names(ALGORITHMS), default=list(ALGORITHMS),
        help="which, separated by commas (default: all seven)")  # fmt: skip
    add("--nu", metavar="P", type=number(at_most=1.0),
        help="fraction of the examples that may fall short of the margin, in (0, 1]; the worst case has 1/64 "
        f"always (default: {OWN_NU:g} for --data, else 0.1 for wisconsin, 0.3 for others)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(), default=TOL,
        help="stop when bound - soft margin <= GAP (default: %(default)g)")  # fmt: skip
    add("--time-limit", metavar="SECONDS", type=number(),
        help=f"for each fit (default: {SECONDS:g}, but {SLOW['FW']:g} for FW and PFW, which are not expected "
        "to finish)")  # fmt: skip
    add("--max-depth", metavar="N", type=count(), default=2,
        help="depth of the trees; 1 and 2 are searched exactly (default: %(default)d)")  # fmt: skip
    add("--max-bins", metavar="N", type=count_or_all(at_most=MOST_THRESHOLDS),
        help=f"thresholds a feature, 1 to {MOST_THRESHOLDS} or all (default: {MOST_THRESHOLDS} for --data, "
        "else 15 for wisconsin, 31 for others)")  # fmt: skip
    add("--jobs", metavar="N", type=count_or_all(), default="all", help="threads (default: all cores)")
    add("--json", action="store_true", help="print JSON; the tables go to standard error")


def time_limit(args: Namespace, algorithm: str) -> float:
    """Seconds for a fit."""
    limit: float | None = args.time_limit
    return SLOW.get(algorithm, SECONDS) if limit is None else limit
