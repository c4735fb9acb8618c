"""What SoftMarginClassifierCV searches, and how it scores that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.parameters import Parameters, parameter, with_parameters
from frankboost.validation import check_count, check_positive


def _check_nus(name: str, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) == 0:
        raise ValueError(f"{name} must hold numbers in (0, 1]; got {value!r}")
    for nu in value:
        check_positive(f"each of {name}", nu, at_most=1.0)


def _check_depths(name: str, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str) or not hasattr(value, "__len__"):
        check_count(name, value, at_least=1)
        return
    if len(value) == 0:
        raise ValueError(f"{name} must be a depth or hold depths of at least 1; got {value!r}")
    for depth in value:
        check_count(f"each of {name}", depth, at_least=1)


@with_parameters
class SearchParameters(Parameters):
    """What is searched, and how it is scored."""

    nus: Sequence[float] | NDArray[Any] | None = parameter(
        "Values in (0, 1]; None: about ten, from where a single tree would be the optimum down to where the "
        "score falls no more.",
        default=None,
        kind="sequence of float or None",
        check=_check_nus,
        kw_only=False,
    )
    tol: float = parameter(
        "Stop when bound - soft margin <= tol; in the folds, without `scoring`, a gap of 0.01 is enough.",
        default=SoftMarginClassifier.tol,
        check=partial(check_positive, or_zero=True),
        kw_only=False,
    )
    max_depth: int | Sequence[int] | NDArray[Any] | None = parameter(  # type: ignore[assignment]
        "Depth of the trees, or several to choose from: 1 and 2 are searched exactly. None: from 2 to 5, "
        "until the score rises no more, or 1 where a single tree of depth 2 errs nowhere. With an "
        "`estimator` its own depth is meant, and this must be None.",
        default=None,
        kind="int, sequence of int or None",
        check=_check_depths,
    )
    columns_per_round: int = SoftMarginClassifier.columns_per_round
    cv: Any = parameter(
        "Folds, as in scikit-learn, `n_jobs` of them side by side; None: five stratified ones, of which as "
        "many are held out, one after another, as have 1,000 rows together.",
        default=None,
        kind="int, splitter or iterable",
    )
    scoring: str | Callable[..., Any] | None = parameter(
        "As in scikit-learn; None: minus the log-loss of the calibrated votes, for each class on its own. "
        "With a score, `predict_proba` is calibrated by `calibration` alone, and `time_limit` is that of "
        "each fit.",
        default=None,
        kind="str, callable or None",
    )

    random_state: int | None = parameter(
        "Seed of the folds if `cv` is None; None is 0, so that the same data give the same model.",
        default=0,
        check=partial(check_count, at_least=0, or_none=True),
    )
