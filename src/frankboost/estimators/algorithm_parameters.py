"""The parameters that some of the classifiers have, beside those of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal

from numpy.typing import NDArray

from frankboost.estimators.parameters import Parameters, check_flag, parameter, with_parameters
from frankboost.rules.base import Rule
from frankboost.rules.names import FW_RULES, SECONDARIES, is_rule, secondary_names
from frankboost.validation import check_count, check_fraction, check_positive

AUTO = "auto"
SURE, SIGN = "sure", "sign"


def _check_nu(name: str, value: Any) -> None:
    if not isinstance(value, str) or value != AUTO:
        check_positive(name, value, at_most=1.0, also=f" or {AUTO!r}")


@with_parameters
class BoosterParameters(Parameters):
    """What the algorithms have in common."""

    nu: float | Literal["auto"] = parameter(
        "The fraction of the examples that may fall short of the margin, in (0, 1]: the soft margin is the "
        'mean of the `nu * m` smallest margins. "auto": the value whose calibrated votes have the least '
        "log-loss on rows held out, for each class its own; the fit is to all rows, and `predict_proba` is "
        "calibrated by those votes. (0.2 where no rows can be held out.) Where a single tree of `max_depth` "
        "errs nowhere, trees of less depth are tried as well, and that loss decides.",
        default=AUTO,
        kind='float or "auto"',
        check=_check_nu,
        kw_only=False,
    )
    tol: float = parameter(
        "Stop when bound - soft margin <= tol; 0 goes as far as rounding allows.",
        default=0.01,
        check=partial(check_positive, or_zero=True),
        kw_only=False,
    )
    warm_start: bool = parameter(
        "Start the next fit from the hypotheses of the last, for another nu or a smaller tol.",
        default=False,
        check=check_flag,
    )


def _check_leaves(name: str, value: Any) -> None:
    if value not in (SURE, SIGN):
        raise ValueError(f"{name} must be {SURE!r} or {SIGN!r}; got {value!r}")


def _leaves() -> Any:
    return parameter(
        'What trees vote where nu is chosen. "sure": each leaf says how sure it is, which ranks rows better; '
        "how far that goes is chosen on the rows held out, and the certificate says what soft margin that "
        'vote has, beside the optimum. "sign": the vote is the optimum.',
        default=SURE,
        kind='"sure" or "sign"',
        check=_check_leaves,
    )


@with_parameters
class LevelParameters(BoosterParameters):
    """On which rows LevelBoost and SoftBoost choose nu."""

    tol: float = parameter(default=0.02, kw_only=False)
    columns_per_round: int = 20
    validation_fraction: float = parameter(
        'The part of the rows that nu="auto" holds out, in (0, 1): the nearest of a half, a third, a quarter '
        "and so on; where that is less than 1,000 rows, several such parts, one after another.",
        default=0.2,
        check=check_fraction,
    )
    leaves: Literal["sure", "sign"] = _leaves()
    random_state: int | None = parameter(
        "Seed of the choice of those rows; None is 0, so that the same data give the same model.",
        default=0,
        check=partial(check_count, at_least=0, or_none=True),
    )


@with_parameters
class FixedNu(BoosterParameters):
    """What the algorithms that do not choose nu have in common."""

    nu: float = parameter(
        "The fraction of the examples that may fall short of the margin, in (0, 1]: the soft margin is the "
        "mean of the `nu * m` smallest margins. Below 1/m it is the hard margin; at 1 the best single "
        "hypothesis wins.",
        default=0.2,
        check=partial(check_positive, at_most=1.0),
        kw_only=False,
    )


def _check_fw_rule(name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, str) and value in FW_RULES):
        raise ValueError(f"{name} must be {_listed(FW_RULES)} or None; got {value!r}")


def _check_secondary(name: str, value: Any) -> None:
    """Raise unless it is known by its name, or is a rule."""
    if isinstance(value, str):
        known = value in SECONDARIES or value in secondary_names()
    else:
        known = value is None or is_rule(value)
    if not known:
        raise ValueError(f"{name} must be {_listed(secondary_names())}, a rule or None; got {value!r}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


@with_parameters
class MLPBoostParameters(FixedNu):
    """The two rules of MLPBoost."""

    fw_rule: str | None = parameter(
        '"classic", "short-step", "line-search", "away", "pairwise" or "blended-pairwise".',
        default="short-step",
        check=_check_fw_rule,
    )
    secondary: str | Rule | None = parameter(
        '"lp" (LPBoost\'s), "erlp" (ERLPBoost\'s), "level" (LevelBoost\'s), "softboost", "in-out", '
        '"adaboost", "adaboost-star", "arc-gv", "hedge", "madaboost", "logistic", "smoothboost", "mdboost" '
        "(docs/algorithms.md says what they are), the name of a rule that an installed package adds, or a "
        "rule of your own.",
        default="lp",
        check=_check_secondary,
    )


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
        default=LevelParameters.tol,
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
    columns_per_round: int = LevelParameters.columns_per_round
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
    leaves: Literal["sure", "sign"] = _leaves()
    random_state: int | None = parameter(
        "Seed of the folds if `cv` is None; None is 0, so that the same data give the same model.",
        default=0,
        check=partial(check_count, at_least=0, or_none=True),
    )
