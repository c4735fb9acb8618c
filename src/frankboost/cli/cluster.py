"""`--cluster`: Parquet files that the workers of a Dask cluster read, and a fit on them."""

from __future__ import annotations

import re
import signal
import sys
import time
from argparse import ArgumentTypeError, Namespace
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from glob import glob
from typing import Any

from frankboost.cli.arguments import Parser
from frankboost.cli.class_options import check_many, weights_of
from frankboost.estimators.algorithm_parameters import AUTO
from frankboost.estimators.prediction import ModelClassifier
from frankboost.progress import is_terminal
from frankboost.tables.reading import about, feature_columns

LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")
ADDRESS = re.compile(r"[a-z]+://.+")
CONNECT = 10  # seconds to wait for a scheduler
# Options that are settings of the classifier, with its defaults.
SETTINGS = (
    "nu", "tol", "max_depth", "max_bins", "multi_class", "monotonic_cst", "interaction_cst",
    "min_samples_leaf", "time_limit", "class_weight", "calibration",
)  # fmt: skip


def cluster(text: str) -> str:
    """local:N, or the address of a scheduler."""
    if LOCAL.fullmatch(text) or ADDRESS.fullmatch(text):
        return text
    raise ArgumentTypeError(f"must be local:N or the address of a scheduler, tcp://...; got {text!r}")


@contextmanager
def connected(parser: Parser, where: str) -> Iterator[Any]:
    """A client of the cluster; a cluster on this machine is closed at the end."""
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - an extra
    except ImportError:
        parser.error('argument --cluster: this needs Dask: pip install "frankboost[dask]"')
    if here := LOCAL.fullmatch(where):
        workers = {"n_workers": int(here[1]), "threads_per_worker": 1, "processes": True}
        with _interrupts_ignored():
            local = LocalCluster(**workers, dashboard_address="127.0.0.1:0")
        with local, Client(local) as client:
            yield client
        return
    try:
        client = Client(where, timeout=CONNECT)
    except (OSError, TimeoutError, ValueError) as error:
        parser.error(f"argument --cluster: there is no scheduler at {where}: {error}")
    with client:
        yield client


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which is meant for the fit; the fit still needs them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def read_partitions(
    pattern: str, target: str, ignore: Collection[str], weight: str | None
) -> tuple[Any, Any, Any]:
    """Features, target and weights, if any, of Parquet files as Dask collections, which the workers read."""
    import dask.dataframe as dd  # noqa: PLC0415 - an extra

    files = sorted(glob(pattern))
    if not files:
        raise ValueError(f"there is no file {pattern}")
    if not all(name.lower().endswith(".parquet") for name in files):
        raise ValueError(f"{pattern}: with --cluster the names must end with .parquet")
    try:
        frame = dd.read_parquet(files)
    except (OSError, ValueError) as error:
        raise ValueError(f"{pattern} cannot be read: {str(error).partition(chr(10))[0]}") from error
    with about(pattern):
        features = feature_columns(list(frame.columns), target, ignore, weight)
    return frame[features], frame[target], None if weight is None else frame[weight]


def fitted_on_cluster(parser: Parser, args: Namespace) -> tuple[ModelClassifier, float]:
    """An ordinary classifier, and the seconds of reading and fitting; the command ends with status 2 on
    errors."""
    _check_options(parser, args)
    with connected(parser, args.cluster) as client:
        from frankboost.dask import DaskSoftMarginClassifier  # noqa: PLC0415 - an extra

        settings = {name: getattr(args, name) for name in SETTINGS}
        settings["verbose"] = int(args.verbose or is_terminal(sys.stderr))
        start = time.perf_counter()
        try:
            X, y, weight = read_partitions(args.data, args.target, args.ignore, args.weight)
            classes = sorted(y.dropna().unique().compute().tolist(), key=str)
            check_many(parser, args.target, len(classes), args.yes)
            settings["class_weight"] = weights_of(parser, args.class_weight, classes)
            clf = DaskSoftMarginClassifier(**settings, client=client)
            local = clf.fit(X, y, weight).to_local()
        except ValueError as error:
            parser.error(f"argument DATA: {error}")
        return local, time.perf_counter() - start


def _check_options(parser: Parser, args: Namespace) -> None:
    for name in ("max_depth", "max_bins"):
        if getattr(args, name) in (AUTO, None):
            option = "--" + name.replace("_", "-")
            parser.error(f"argument {option}: must be a number with --cluster; got {getattr(args, name)}")
    if args.calibration is not None:
        parser.error("argument --calibrate: cannot be used with --cluster, which holds out no rows")
