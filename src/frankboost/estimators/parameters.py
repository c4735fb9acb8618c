"""The parameters that all classifiers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from frankboost.callbacks import Observer
from frankboost.estimators.constructors import parameter, with_parameters
from frankboost.learners.binning import MOST_THRESHOLDS
from frankboost.validation import check_count, check_positive

MOST_JOBS = 1024


def _check_jobs(name: str, value: Any) -> None:
    check_count(name, value, at_least=-MOST_JOBS, at_most=MOST_JOBS, or_none=True)
    if value == 0:
        raise ValueError(f"{name} must not be 0; None and 1 are one thread, -1 all cores")


def _check_verbose(name: str, value: Any) -> None:
    check_count(name, int(value) if isinstance(value, bool | np.bool_) else value, at_least=0)


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool | np.bool_ | int) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False; got {value!r}")


def _check_callbacks(name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, Sequence) and all(callable(each) for each in value)):
        raise TypeError(f"{name} must be a list of functions or None; got {value!r}")


@with_parameters
class Parameters:
    """What all classifiers have in common."""

    estimator: Any = parameter(
        default=None,
        kind="weak learner or scikit-learn classifier",
        doc="None: `BestTree(max_depth, max_bins)`. A classifier must take sample_weight; its certificate "
        "says `exact=False`.",
        saved=False,
    )
    max_depth: int = parameter(
        default=2,
        kind="int",
        doc="Depth of the trees: 1 and 2 are searched exactly.",
        check=partial(check_count, at_least=1),
    )
    max_bins: int | None = parameter(
        default=MOST_THRESHOLDS,
        kind=f"int in [1, {MOST_THRESHOLDS}] or None",
        doc="At most this many thresholds per feature; None: every one between two distinct values.",
        check=partial(check_count, at_least=1, at_most=MOST_THRESHOLDS, or_none=True),
    )
    categorical_features: Any = parameter(
        default=None,
        kind="list of names or numbers, mask or None",
        doc="Columns that hold categories, at most 255 each, and are split by subsets of them. None: those "
        "of a data frame whose type says so (pandas category, polars Categorical and Enum). Categories that "
        "were not fitted are treated as missing values, which go where the fitted ones went, or else where "
        "more weight went.",
    )
    columns_per_round: int = parameter(
        default=1,
        kind="int",
        doc="At most this many hypotheses per round, one for each root feature; the paper's algorithms take "
        "1.",
        check=partial(check_count, at_least=1),
    )
    max_iter: int = parameter(
        default=10_000, kind="int", doc="Rounds at the most.", check=partial(check_count, at_least=1)
    )
    time_limit: float | None = parameter(
        default=None,
        kind="float or None",
        doc="Seconds at the most; looked at after each round.",
        check=partial(check_positive, or_none=True),
    )
    class_weight: Any = parameter(
        default=None,
        kind='dict, "balanced" or None',
        doc='Factors for the sample weights of each class; "balanced" gives all classes the same total.',
    )
    calibration: int | None = parameter(
        default=None,
        kind="int or None",
        doc="Folds of a cross-validation that calibrates `predict_proba`; None: vote shares.",
        check=partial(check_count, at_least=2, or_none=True),
    )
    n_jobs: int | None = parameter(
        default=None,
        kind="int or None",
        doc="Threads, as in joblib; with more than two classes, classes side by side. The model does not "
        "depend on it.",
        check=_check_jobs,
    )
    verbose: int = parameter(
        default=0,
        kind="int",
        doc="1: a table of the rounds on standard error, about one line per second.",
        check=_check_verbose,
    )
    callbacks: Sequence[Observer] | None = parameter(
        default=None,
        kind="sequence of functions or None",
        doc="Each is called after each round with its record (see `trace_`), which here also has a "
        "`decision_function` for the ensemble so far. The fit ends if one returns True.",
        check=_check_callbacks,
        saved=False,
    )
