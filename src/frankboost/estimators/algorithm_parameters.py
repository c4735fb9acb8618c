"""The parameters of single algorithms, beside those of all classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal

from numpy.typing import NDArray

from frankboost.estimators.parameters import DEPTH, Parameters, check_flag, parameter, with_parameters
from frankboost.rules.base import Rule
from frankboost.rules.names import FW_RULES, SECONDARIES, is_rule, secondary_names
from frankboost.validation import check_count, check_fraction, check_positive, check_word, quoted

AUTO = "auto"
SURE, SIGN = "sure", "sign"


def _check_nu(name: str, value: Any) -> None:
    if not isinstance(value, str) or value != AUTO:
        check_positive(name, value, at_most=1.0, also=f" or {AUTO!r}")


@with_parameters
class BoosterParameters(Parameters):
    """The parameters that all algorithms have."""

    nu: float | Literal["auto"] = parameter(
        "The fraction of the rows that count as hard, in (0, 1]: the soft margin is the mean of the `nu * m` "
        "smallest margins. Small values fit the hardest rows, large values ignore more of "
        'them. "auto": the value with the least log-loss on held-out rows, chosen for each class on its '
        "own. The final fit uses all rows, and the votes for the held-out rows calibrate `predict_proba`. "
        "If a single tree of `max_depth` makes no error, smaller depths are tried as well. If no rows can "
        "be held out, nu is 0.2.",
        default=AUTO,
        kind='float or "auto"',
        check=_check_nu,
        kw_only=False,
    )
    tol: float = parameter(
        "The fit ends when bound - soft margin <= tol. A smaller tol takes longer and rarely predicts "
        "better; 0 goes as far as rounding allows.",
        default=0.01,
        check=partial(check_positive, or_zero=True),
        kw_only=False,
    )
    warm_start: bool = parameter(
        "Whether a fit starts from the hypotheses of the last fit, for another nu or a smaller tol.",
        default=False,
        check=check_flag,
    )


def _leaves_parameter() -> Any:
    return parameter(
        'The values of the leaves in a fit that chooses nu. "sign": each leaf votes -1 or 1, and the model '
        'predicts with the vote that the certificate is about. "sure": each leaf votes a number in [-1, 1] '
        "that says how sure the leaf is. This vote ranks rows better; the certificate states its soft margin "
        "beside the optimum. The held-out rows choose how far the leaves differ from -1 and 1.",
        default=SURE,
        kind='"sure" or "sign"',
        check=partial(check_word, words=(SURE, SIGN)),
    )


@with_parameters
class LevelParameters(BoosterParameters):
    """The parameters by which LevelBoost and SoftBoost choose nu."""

    tol: float = parameter(default=0.02, kw_only=False)
    max_depth: int = parameter(
        f'{DEPTH} With depth 2, nu="auto" also tries depth 1 if there are few rows. It tries only depth 1 if '
        "a search of all pairs of columns would take long (2,000 rows of 900 numbers). estimator=BestTree(2) "
        "always has depth 2.",
        default=2,
        check=partial(check_count, at_least=1),
    )
    columns_per_round: int = 20
    validation_fraction: float = parameter(
        'The fraction of the rows that nu="auto" holds out, in (0, 1), rounded to a half, a third, a '
        "quarter and so on. If this is less than 1,000 rows, several such parts are held out, one after "
        "another.",
        default=0.2,
        check=check_fraction,
    )
    leaves: Literal["sure", "sign"] = _leaves_parameter()
    random_state: int | None = parameter(
        "The seed for the choice of the held-out rows. None is 0, so that the same data always give the "
        "same model.",
        default=0,
        check=partial(check_count, at_least=0, or_none=True),
    )


@with_parameters
class FixedNuParameters(BoosterParameters):
    """The parameters of the algorithms that do not choose nu."""

    nu: float = parameter(
        "The fraction of the rows that count as hard, in (0, 1]: the soft margin is the mean of the `nu * m` "
        "smallest margins. Below 1/m the soft margin is the hard margin; at 1 the optimum "
        "is the best single hypothesis.",
        default=0.2,
        check=partial(check_positive, at_most=1.0),
        kw_only=False,
    )


def _check_fw_rule(name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, str) and value in FW_RULES):
        raise ValueError(f"{name} must be {_quote_all(FW_RULES)} or None; got {quoted(value)}")


def _check_secondary(name: str, value: Any) -> None:
    """Raise a ValueError unless the value is None, a rule or the name of a rule."""
    if isinstance(value, str):
        known = value in SECONDARIES or value in secondary_names()
    else:
        known = value is None or is_rule(value)
    if not known:
        names = _quote_all(secondary_names())
        raise ValueError(f"{name} must be {names}, a rule or None; got {quoted(value)}")


def _quote_all(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


@with_parameters
class MLPBoostParameters(FixedNuParameters):
    """The two rules of MLPBoost."""

    fw_rule: str | None = parameter(
        'The Frank-Wolfe rule: "classic", "short-step", "line-search", "away", "pairwise" or '
        '"blended-pairwise".',
        default="short-step",
        check=_check_fw_rule,
    )
    secondary: str | Rule | None = parameter(
        'The rule whose weights compete with those of `fw_rule` in each round: "lp" (LPBoost\'s), "erlp" '
        '(ERLPBoost\'s), "level" (LevelBoost\'s), "softboost", '
        '"in-out", "adaboost", "adaboost-star", "arc-gv", "hedge", "madaboost", "logistic", "smoothboost" '
        'or "mdboost" (docs/algorithms.md describes them); the name of a rule that an installed package '
        "adds; or a rule of your own.",
        default="lp",
        check=_check_secondary,
    )


def _check_nus(name: str, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) == 0:
        raise ValueError(f"{name} must hold numbers in (0, 1]; got {quoted(value)}")
    for nu in value:
        check_positive(f"each of {name}", nu, at_most=1.0)


def _check_depths(name: str, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str) or not hasattr(value, "__len__"):
        check_count(name, value, at_least=1)
        return
    if len(value) == 0:
        raise ValueError(f"{name} must be a depth or hold depths of at least 1; got {quoted(value)}")
    for depth in value:
        check_count(f"each of {name}", depth, at_least=1)


@with_parameters
class SearchParameters(Parameters):
    """The parameters of the search for nu and depth: which values it tries, and how it scores them."""

    nus: Sequence[float] | NDArray[Any] | None = parameter(
        "The values of nu to try, in (0, 1]. None: about ten values. The largest is the nu at which a single "
        "tree is the optimum, and the smallest is where the score stops improving.",
        default=None,
        kind="sequence of float or None",
        check=_check_nus,
        kw_only=False,
    )
    tol: float = parameter(
        "The fit ends when bound - soft margin <= tol. In the folds, without `scoring`, a gap of 0.01 is "
        "enough.",
        default=LevelParameters.tol,
        check=partial(check_positive, or_zero=True),
        kw_only=False,
    )
    max_depth: int | Sequence[int] | NDArray[Any] | None = parameter(  # type: ignore[assignment]
        "The depth of the trees, or several depths to choose from. The search is exact for 1 and 2. None: "
        "depths from 2 to 5 are tried until the score improves no more, and depth 1 if a single tree of "
        "depth 2 makes no error. With an `estimator`, which has a depth of its own, this must be None.",
        default=None,
        kind="int, sequence of int or None",
        check=_check_depths,
    )
    columns_per_round: int = LevelParameters.columns_per_round
    cv: Any = parameter(
        "The folds, as in scikit-learn; `n_jobs` of them are fitted side by side. None: five stratified "
        "folds. Of these, as many are held out, one after another, as are needed for 1,000 held-out rows.",
        default=None,
        kind="int, splitter or iterable",
    )
    scoring: str | Callable[..., Any] | None = parameter(
        "The score to maximise, as in scikit-learn. None: minus the log-loss of the calibrated votes, for "
        "each class on its own. With a score, only `calibration` calibrates `predict_proba`, and "
        "`time_limit` holds for each fit.",
        default=None,
        kind="str, callable or None",
    )
    leaves: Literal["sure", "sign"] = _leaves_parameter()
    random_state: int | None = parameter(
        "The seed of the folds if `cv` is None. None is 0, so that the same data always give the same model.",
        default=0,
        check=partial(check_count, at_least=0, or_none=True),
    )
