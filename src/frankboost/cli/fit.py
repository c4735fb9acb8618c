"""`frankboost fit`: a model of a file, and its certificate."""

from __future__ import annotations

import json
import sys
import time
import warnings
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from frankboost.cli.arguments import DEEPEST, Parser, count, number
from frankboost.cli.certificates import certificates_of, documents, lines
from frankboost.cli.class_options import (
    MOST_UNASKED,
    check_many,
    class_weight,
    interactions,
    monotonic,
    weights_of,
)
from frankboost.cli.cluster import SETTINGS, cluster, fitted_on_cluster
from frankboost.cli.files import DATA_HELP, FILES, add_ignore, check_output, refusing, writes
from frankboost.estimators.algorithm_parameters import AUTO
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.cv import SoftMarginClassifierCV
from frankboost.estimators.parameters import MOST_JOBS
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_format import save
from frankboost.fitting.fit_warnings import NuWarning
from frankboost.native import MOST_THRESHOLDS
from frankboost.progress import is_terminal
from frankboost.saying import unsaid
from frankboost.tables.categories import category_column
from frankboost.tables.files import name_of
from frankboost.tables.reading import read_training
from frankboost.validation import quoted
from frankboost.version import __version__

FOLDS = 5
WHY = {
    "time_limit": "the time limit ended the fit",
    "max_iter": "the limit on rounds ended the fit",
}  # others are their own words

DESCRIPTION = """\
Fit a model to a file, save it as JSON and print its certificate:
soft margin <= optimum <= bound. With more than two classes, the command prints
one certificate per class against the rest."""

EPILOG = f"""\
examples:
  frankboost fit churn.csv --target churned --model churn.json
  frankboost fit churn.parquet --target churned --model churn.json \\
      --max-depth auto --ignore customer,since
  frankboost fit churn.csv --target churned --model churn.json --tol 0.001 \\
      --time-limit 60 --json
  frankboost fit churn.csv --target churned --model churn.json \\
      --class-weight '{{"yes": 5}}'

{FILES}
Exit status: 0 if the gap was closed; 1 if not (the model is saved all the
same); 2 if the file cannot be read or an option is wrong; 130 after Ctrl-C,
which saves the best ensemble so far."""


def add_options(parser: Parser) -> None:
    defaults = SoftMarginClassifier().get_params()
    parser.set_defaults(**{name: defaults[name] for name in SETTINGS})
    add = parser.add_argument
    add("data", metavar="DATA", help=DATA_HELP)
    add("--target", metavar="COLUMN", required=True, help="the column to predict; two classes or more")
    add("--model", metavar="MODEL.json", required=True, help="where to save the model")
    add("--nu", metavar="P", type=number(at_most=1.0, auto=AUTO),
        help="the fraction of the rows that count as hard, in (0, 1]; auto: chosen on "
        "held-out rows, which also calibrate the probabilities (default: %(default)s)")  # fmt: skip
    add("--tol", metavar="GAP", type=number(or_zero=True),
        help="stop when bound - soft margin <= GAP; 0: as small as rounding allows "
        "(default: %(default)g)")  # fmt: skip
    add("--max-depth", metavar="N", type=count(at_most=DEEPEST, auto=AUTO),
        help="the depth of the trees; the search is exact for 1 and 2; auto: a cross-validation chooses a "
        "depth from 2 to 5, and nu (default: %(default)d; with --nu auto the fit may choose 1)")  # fmt: skip
    add("--max-bins", metavar="N", type=count(at_most=MOST_THRESHOLDS, all=None),
        help=f"the largest number of thresholds per feature, 1 to {MOST_THRESHOLDS} or all "
        "(default: %(default)d)")  # fmt: skip
    add("--multi-class", choices=("ovr", "joint"),
        help="with more than two classes: ovr fits each class against the rest, with one certificate per "
        "class; joint fits all classes together, with one certificate (default: %(default)s)")  # fmt: skip
    add("--monotonic", dest="monotonic_cst", metavar="COLUMNS", type=monotonic,
        help="columns along which the vote for the second class may not fall (1) or may not rise (-1), such "
        "as '{\"age\": 1, \"debt\": -1}'")  # fmt: skip
    add("--interactions", dest="interaction_cst", metavar="SETS", type=interactions,
        help="pairwise, no_interactions, or sets of columns that may be split on one path of a tree, such as "
        "'[[\"age\", \"debt\"], [\"region\"]]'; columns that are in no set form one more set")  # fmt: skip
    add("--min-samples-leaf", metavar="N", type=number(),
        help="the least number of rows in a leaf, by weight (default: no limit)")  # fmt: skip
    add_ignore(parser)
    _add_more_options(parser)


def _add_more_options(parser: Parser) -> None:
    """Add the options about weights, probabilities, time, and where the fit runs."""
    add = parser.add_argument
    add("--class-weight", metavar="WEIGHTS", type=class_weight,
        help="factors for the weights of the rows of each class, such as '{\"yes\": 5, \"no\": 1}'; a class "
        "that is left out has 1. balanced: the same total weight for every class")  # fmt: skip
    add("--weight", metavar="COLUMN",
        help="the column of sample weights, numbers >= 0; this column is no feature; a row of weight 2 "
        "counts as two equal rows (default: each row counts once)")  # fmt: skip
    add("--calibrate", dest="calibration", action="store_const", const=FOLDS,
        help=f"calibrate the probabilities by cross-validation, with {FOLDS} more fits; needed only if "
        "neither --nu nor --max-depth is auto, when the probabilities are shares of the vote")  # fmt: skip
    add("--yes", action="store_true", help=f"fit more than {MOST_UNASKED} classes without asking")
    add("--time-limit", metavar="SECONDS", type=number(),
        help="the largest number of seconds for the fit; the choice of nu and depth takes at most half of "
        "them (default: none)")  # fmt: skip
    add("--cluster", metavar="WHERE", type=cluster,
        help="fit on a Dask cluster: local:N for N processes on this machine, or the address of a scheduler, "
        "tcp://...; the workers read DATA, a .parquet file or a pattern like 'data/*.parquet'")  # fmt: skip
    add("--jobs", metavar="N", type=count(at_most=MOST_JOBS, all=-1), default=-1,
        help="the number of threads (default: all cores)")  # fmt: skip
    add("--verbose", action="store_true",
        help="show progress on standard error, even if it is no terminal, and each nu that is "
        "tried")  # fmt: skip
    add("--json", action="store_true", help="print the certificate as JSON")


def run(parser: Parser, args: Namespace) -> int:
    check_output(parser, "--model", args.model, {"the file of the data": args.data})
    with unsaid(ConvergenceWarning), _warnings_as_lines(parser):  # of a gap there is a line of our own
        fitted = _fitted if args.cluster is None else fitted_on_cluster
        clf, seconds = fitted(parser, args)
    clf.set_params(verbose=0)
    clf.target_name_ = args.target
    if args.weight is not None:
        clf.weight_name_ = args.weight
    with writes(parser, args.model):
        save(clf, args.model)
    if args.json:
        print(json.dumps(_report(args, clf, seconds), indent=2), flush=True)
    else:
        print(*lines(certificates_of(clf)), sep="\n", flush=True)
    _check_gap(parser, args, clf)
    return 0


@contextmanager
def _warnings_as_lines(parser: Parser) -> Iterator[None]:
    """Print the warnings of frankboost as lines of the command."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *more: Any, **others: Any) -> None:
        if issubclass(category, NuWarning):
            print(f"{parser.prog}: {message}", file=sys.stderr)
        else:
            usual(message, category, *more, **others)

    with warnings.catch_warnings():
        warnings.simplefilter("always", NuWarning)
        warnings.showwarning = show
        yield


def _warn_of_numbers(parser: Parser, X: Any) -> None:
    """Warn about columns of text that hold numbers or dates except in a few cells."""
    for f, name in enumerate(X.columns):
        if str(X.dtypes.iloc[f]) == "category" and (what := category_column(X, f).doubt(name)):
            print(f"{parser.prog}: {what}", file=sys.stderr)


def _fitted(parser: Parser, args: Namespace) -> tuple[ModelClassifier, float]:
    """A classifier, and the seconds that its fit took."""
    with refusing(parser):
        table = read_training(args.data, args.target, args.ignore, args.weight)
    check_many(parser, args.target, len(np.unique(table.y)), args.yes)
    _warn_of_numbers(parser, table.X)
    clf = _classifier(parser, args, table.y)
    start = time.perf_counter()
    try:
        clf.fit(table.X, table.y, table.weight)
    except ValueError as error:
        parser.error(f"argument DATA: {name_of(args.data)} cannot be fitted: {error}")
    return clf, time.perf_counter() - start


def _classifier(parser: Parser, args: Namespace, y: NDArray[Any]) -> Any:
    watched = args.verbose or is_terminal(sys.stderr)
    settings = {name: getattr(args, name) for name in SETTINGS}
    settings["class_weight"] = weights_of(parser, args.class_weight, np.unique(y).tolist())
    settings |= {"n_jobs": args.jobs, "verbose": 2 if args.verbose else int(watched)}
    if args.calibration is not None:
        _check_rows(parser, "--calibrate: it", y)
    if settings["max_depth"] != AUTO:
        return SoftMarginClassifier(**settings)
    del settings["max_depth"]
    nu = settings.pop("nu")
    _check_rows(parser, f"--max-depth: {AUTO}", y)
    if watched:
        print(f"choosing depth and nu by cross-validation, {FOLDS} folds", file=sys.stderr, flush=True)
    return SoftMarginClassifierCV(None if nu == AUTO else [nu], cv=FOLDS, **settings)


def _check_rows(parser: Parser, what: str, y: NDArray[Any]) -> None:
    """End with status 2 unless every fold can have a row of every class."""
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() < FOLDS:
        label = quoted(classes.tolist()[int(np.argmin(counts))])
        parser.error(
            f"argument {what} needs at least {FOLDS} rows of every class; {label} has {counts.min()}"
        )


def _check_gap(parser: Parser, args: Namespace, clf: ModelClassifier) -> None:
    """End with status 1 if the gap is open, or with 130 after Ctrl-C."""
    certificates = certificates_of(clf)
    reasons = [each.status for each in certificates if each.gap > each.tol and each.status != "converged"]
    if "interrupted" in reasons:
        print(f"{args.model} holds the best ensemble so far", file=sys.stderr)
        raise KeyboardInterrupt
    if reasons:
        gap = max(each.gap for each in certificates)
        why = ", ".join(WHY.get(reason, reason) for reason in dict.fromkeys(reasons))
        open_gap = f"the gap is {gap:.4g}, not yet {args.tol:g}"
        parser.exit(1, f"{parser.prog}: {why}: {open_gap}; {args.model} holds the best ensemble so far\n")


def _report(args: Namespace, clf: ModelClassifier, seconds: float) -> dict[str, Any]:
    return {
        "version": __version__,
        **{name: getattr(args, name) for name in ("data", "target", "weight", "model")},
        "rows": len(clf.model_.ensembles[0].distribution),
        "features": clf.feature_names_in_.tolist(),
        "categorical": list(clf.categories_),
        "dates": getattr(clf, "dates_", []),
        "classes": clf.classes_.tolist(),
        "calibrated": clf.model_.calibration is not None,
        "seconds": seconds,
        "rounds": clf.n_iter_,
        "certificates": documents(clf, certificates_of(clf)),
    }
