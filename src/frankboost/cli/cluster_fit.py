"""`frankboost fit --cluster`: the fit itself, and what a cluster cannot do."""

from __future__ import annotations

import sys
import time
from argparse import Namespace

from frankboost.cli.arguments import Parser
from frankboost.cli.class_options import check_many, weights_of
from frankboost.cli.cluster import connected, read_partitions
from frankboost.estimators.prediction import ModelClassifier
from frankboost.progress import is_terminal

AUTO = "auto"
# Options that are settings of the classifier, with its defaults.
SETTINGS = ("nu", "tol", "max_depth", "max_bins", "time_limit", "class_weight", "calibration")


def fitted_on_cluster(parser: Parser, args: Namespace) -> tuple[ModelClassifier, float]:
    """An ordinary classifier, and the seconds that reading and fitting took; or an end with status 2."""
    _check_options(parser, args)
    with connected(parser, args.cluster) as client:
        from frankboost.dask import DaskSoftMarginClassifier  # noqa: PLC0415 - an extra

        settings = {name: getattr(args, name) for name in SETTINGS}
        settings["verbose"] = int(args.verbose or is_terminal(sys.stderr))
        start = time.perf_counter()
        try:
            table = read_partitions(args.data, args.target, args.ignore, args.weight)
            classes = sorted(table.y.dropna().unique().compute().tolist(), key=str)
            check_many(parser, args.target, len(classes), args.yes)
            settings["class_weight"] = weights_of(parser, args.class_weight, classes)
            clf = DaskSoftMarginClassifier(**settings, categorical_features=table.text, client=client)
            local = clf.fit(table.X, table.y, table.weight).to_local()
        except ValueError as error:
            parser.error(f"argument DATA: {error}")
        return local, time.perf_counter() - start


def _check_options(parser: Parser, args: Namespace) -> None:
    for name in ("nu", "max_depth", "max_bins"):
        if getattr(args, name) in (AUTO, None):
            option = "--" + name.replace("_", "-")
            parser.error(f"argument {option}: must be a number with --cluster; got {getattr(args, name)}")
    if args.calibration is not None:
        parser.error("argument --calibrate: cannot be given with --cluster, which holds no rows out")
