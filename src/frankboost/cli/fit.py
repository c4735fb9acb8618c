"""`frankboost fit`: a model of a file, and its certificate."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import __version__
from frankboost.certificate import Certificate
from frankboost.cli.arguments import Parser, new_command, threads
from frankboost.cli.certificates import certificates_of, documents, lines
from frankboost.cli.files import check_output
from frankboost.cli.fit_options import AUTO, DESCRIPTION, EPILOG, FOLDS, add_options
from frankboost.cli.summary import WHY
from frankboost.datasets.tables import read_training
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.nu_path import SoftMarginClassifierCV
from frankboost.export.json_format import save
from frankboost.progress import is_terminal


def add_command(commands: Any) -> None:
    """Add `fit` to the commands of a parser."""
    parser = new_command(
        commands, "fit", _command,
        brief="fit a model to a file, save it and print its certificate",
        description=DESCRIPTION, epilog=EPILOG,
    )  # fmt: skip
    add_options(parser)


def _command(parser: Parser, args: Namespace) -> int:
    check_output(parser, "--model", args.model, {"the file of the data": args.data})
    try:
        X, y = read_training(args.data, args.target, args.ignore)
    except ValueError as error:
        parser.error(f"argument DATA: {error}")
    _check_folds(parser, args, y)
    model = _classifier(args)
    start = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - start
    model.set_params(verbose=0)
    model.target_name_ = args.target
    try:
        save(model, args.model)
    except OSError as error:
        print(f"{parser.prog}: {args.model} cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1
    certificates = certificates_of(model.certificate_)
    if args.json:
        print(json.dumps(_report(args, model, len(y), seconds), indent=2), flush=True)
    else:
        print(*lines(model, certificates), sep="\n", flush=True)
    return _end(parser, args, certificates)


def _check_folds(parser: Parser, args: Namespace, y: NDArray[Any]) -> None:
    classes, counts = np.unique(y, return_counts=True)
    if args.nu == AUTO and counts.min() < FOLDS:
        label = classes.tolist()[int(np.argmin(counts))]
        parser.error(
            f"argument --nu: {AUTO} needs at least {FOLDS} rows of every class; {label!r} has {counts.min()}"
        )


def _classifier(args: Namespace) -> SoftMarginClassifier:
    watched = args.verbose or is_terminal(sys.stderr)
    settings: dict[str, Any] = {
        "tol": args.tol,
        "max_depth": args.max_depth,
        "max_bins": None if args.max_bins == "all" else args.max_bins,
        "time_limit": args.time_limit,
        "n_jobs": threads(args),
        "verbose": int(watched),
    }
    if args.nu != AUTO:
        return SoftMarginClassifier(args.nu, **settings)
    if watched:
        print(f"choosing nu by cross-validation, {FOLDS} folds", file=sys.stderr, flush=True)
    return SoftMarginClassifierCV(cv=FOLDS, **settings)


def _end(parser: Parser, args: Namespace, certificates: Sequence[Certificate]) -> int:
    """The exit status, and what was not reached on standard error."""
    reasons = [each.status for each in certificates if each.gap > each.tol]
    if "interrupted" in reasons:
        print(f"{args.model} holds the best ensemble so far", file=sys.stderr)
        raise KeyboardInterrupt
    if reasons:
        gap = max(each.gap for each in certificates)
        why = ", ".join(WHY.get(reason, reason) for reason in dict.fromkeys(reasons))
        print(
            f"{parser.prog}: {why}: the gap is {gap:.4g}, not yet {args.tol:g}; {args.model} holds the best "
            "ensemble so far",
            file=sys.stderr,
        )
    return 1 if reasons else 0


def _report(args: Namespace, model: SoftMarginClassifier, rows: int, seconds: float) -> dict[str, Any]:
    certificates = certificates_of(model.certificate_)
    return {
        "version": __version__,
        "data": args.data,
        "target": args.target,
        "model": args.model,
        "rows": rows,
        "features": model.feature_names_in_.tolist(),
        "categorical": list(model.categories_),
        "classes": model.classes_.tolist(),
        "seconds": seconds,
        "rounds": model.n_iter_,
        "certificates": documents(model, certificates),
    }
