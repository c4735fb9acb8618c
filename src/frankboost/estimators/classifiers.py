"""The algorithms, each a set of rules for the one loop."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.fitting import Observer
from frankboost.rules.base import Rule
from frankboost.rules.frank_wolfe import (
    Away,
    BlendedPairwise,
    Classic,
    LineSearch,
    Pairwise,
    ShortStep,
)
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.level import Level
from frankboost.rules.linear_program import LinearProgram

# Rules by name; each is made for a tolerance, which only the level rule needs.
FW_RULES: dict[str, Callable[[float], Rule]] = {
    "classic": lambda _: Classic(),
    "short-step": lambda _: ShortStep(),
    "line-search": lambda _: LineSearch(),
    "away": lambda _: Away(),
    "pairwise": lambda _: Pairwise(),
    "blended-pairwise": lambda _: BlendedPairwise(),
}
SECONDARIES: dict[str, Callable[[float], Rule]] = {
    "lp": lambda _: LinearProgram(),
    "erlp": lambda _: FullyCorrective(),
    "level": Level,
}

_PARAMETERS = """Parameters
    ----------
    nu : float in (0, 1], default=0.2
        The fraction of the examples that may fall short of the margin: the soft margin is the mean of the
        `nu * m` smallest margins. Below 1/m it is the hard margin; at 1 the best single hypothesis wins.
    tol : float, default=0.01
        Stop when bound - soft margin <= tol.
    estimator : weak learner or scikit-learn classifier, default=None
        None: `BestTree(max_depth, max_bins)`. A classifier must take sample_weight; its certificate says
        `exact=False`.
    max_depth : int, default=2
        Depth of the trees: 1 and 2 are searched exactly.
    max_bins : int in [1, 255] or None, default=255
        At most this many thresholds a feature; None: every one between two distinct values.
    categorical_features : list of names or numbers, mask or None, default=None
        Columns that hold categories, at most 255 each, and are split by subsets of them. None: those of a
        data frame whose type says so (pandas category, polars Categorical and Enum). Categories that were
        not fitted are treated as missing values, which go where the fitted ones went, or else where more
        weight went.
    columns_per_round : int, default={columns}
        At most this many hypotheses a round, one for each root feature; the paper's algorithms take 1.
    max_iter : int, default=10_000
        Rounds at the most.
    time_limit : float or None, default=None
        Seconds at the most; looked at after each round.
    class_weight : dict, "balanced" or None, default=None
        Factors for the sample weights of each class; "balanced" gives all classes the same total.
    calibration : int or None, default=None
        Folds of a cross-validation that calibrates `predict_proba`; None: vote shares.
    warm_start : bool, default=False
        Start the next fit from the hypotheses of the last, for another nu or a smaller tol.
    n_jobs : int or None, default=None
        Threads, as in joblib; with more than two classes, classes side by side. The model does not depend
        on it.
    verbose : int, default=0
        1: a table of the rounds on standard error, about a line a second.
    callbacks : sequence of functions, default=None
        Each is called after each round with its record (see `trace_`), which here also has a
        `decision_function` for the ensemble so far. The fit ends if one returns True."""

_ATTRIBUTES = """Attributes
    ----------
    certificate_ : Certificate
        soft margin <= optimum <= bound.
    trace_ : Trace
        A record for each round.
    estimators_, estimator_weights_ : list of hypotheses, array
        The ensemble, largest weight first; the weights sum to 1.
    distribution_ : array of shape (m,)
        The distribution over the training rows that attains the bound: how hard each example is.
    hypothesis_class_ : object
        What the optimum refers to.
    feature_importances_ : array of shape (n,)
        What the splits on each feature add to the edge, scaled to sum 1.
    categories_ : dict of arrays
        The categories of each categorical column, by its name, or its number if columns have no names.
    classes_, n_features_in_, feature_names_in_, n_iter_

    With more than two classes the first six are lists with one entry a class."""

T = TypeVar("T", bound=type[SoftMarginBooster])


def _documented(cls: T) -> T:
    """Put the parameters and attributes that all classifiers share into a docstring."""
    doc = cls.__doc__ or ""
    columns = inspect.signature(cls).parameters["columns_per_round"].default
    parameters = _PARAMETERS.replace("{columns}", str(columns))
    cls.__doc__ = doc.replace("{parameters}", parameters).replace("{attributes}", _ATTRIBUTES)
    return cls


@_documented
class SoftMarginClassifier(SoftMarginBooster):
    """LevelBoost: the distribution nearest to uniform at which no edge exceeds a level.

    The level lies between the soft margin and the bound, and follows both. Ends after fewer than
    11.6 ln(m/nu) / tol^2 rounds and some phases (docs/theory.md); in practice after tens of rounds.

    With `max_bins=None` and many distinct values the first rounds ("draft" in the trace) search 255
    thresholds a feature, which is cheaper; all thresholds are searched in the rounds after them.

    {parameters}

    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifier(nu=0.1).fit(X, y)
    >>> clf.certificate_.status, clf.certificate_.gap <= 0.01
    ('optimal', True)
    """

    _draft = True

    def __init__(
        self,
        nu: float = 0.2,
        tol: float = 0.01,
        *,
        estimator: Any = None,
        max_depth: int = 2,
        max_bins: int | None = 255,
        categorical_features: Any = None,
        columns_per_round: int = 20,
        max_iter: int = 10_000,
        time_limit: float | None = None,
        class_weight: Any = None,
        calibration: int | None = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
        callbacks: Sequence[Observer] | None = None,
    ) -> None:
        super().__init__(
            nu,
            tol,
            estimator=estimator,
            max_depth=max_depth,
            max_bins=max_bins,
            categorical_features=categorical_features,
            columns_per_round=columns_per_round,
            max_iter=max_iter,
            time_limit=time_limit,
            class_weight=class_weight,
            calibration=calibration,
            warm_start=warm_start,
            n_jobs=n_jobs,
            verbose=verbose,
            callbacks=callbacks,
        )

    def _rules(self) -> Sequence[Rule]:
        return [Level(self.tol)]


@_documented
class SoftBoostClassifier(SoftMarginClassifier):
    """SoftBoost: the same projection with the level always `tol` below the bound.

    Ends after at most about 2.5 ln(m/nu) / tol^2 rounds. With nu of at most one example it is TotalBoost.

    {parameters}

    {attributes}

    References
    ----------
    Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft margin, 2007.
    Warmuth, Liao, Raetsch: Totally corrective boosting algorithms that maximize the margin, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftBoostClassifier(nu=0.3, tol=0.1).fit(X[:, :5], y)
    >>> clf.certificate_.status, clf.certificate_.gap <= 0.1
    ('optimal', True)
    """

    _draft = False

    def _rules(self) -> Sequence[Rule]:
        return [Level(self.tol, place=1.0, shrink=0.0)]


@_documented
class LPBoostClassifier(SoftMarginBooster):
    """LPBoost: the best soft margin over the hypotheses found so far, by linear programming.

    Fast in practice, but it needs about m/2 rounds in the worst case (see `WorstCase`).

    {parameters}

    {attributes}

    References
    ----------
    Demiriz, Bennett, Shawe-Taylor: Linear programming boosting via column generation, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = LPBoostClassifier(nu=0.1, max_depth=1).fit(X[:, :5], y)
    >>> clf.certificate_.gap <= 0.01
    True
    """

    def _rules(self) -> Sequence[Rule]:
        return [LinearProgram()]


@_documented
class ERLPBoostClassifier(SoftMarginBooster):
    """ERLPBoost: the best smoothed soft margin over the hypotheses found so far.

    Ends after at most 32 ln(m/nu) / tol^2 rounds.

    {parameters}

    {attributes}

    References
    ----------
    Warmuth, Glocer, Vishwanathan: Entropy regularized LPBoost, 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = ERLPBoostClassifier(nu=0.3, tol=0.1).fit(X[:, :5], y)
    >>> clf.certificate_.status, clf.certificate_.gap <= 0.1
    ('optimal', True)
    """

    def _rules(self) -> Sequence[Rule]:
        return [FullyCorrective()]


@_documented
class CERLPBoostClassifier(SoftMarginBooster):
    """C-ERLPBoost: a Frank-Wolfe short step on the smoothed soft margin each round.

    Cheap rounds, and many of them: at most 32 ln(m/nu) / tol^2.

    {parameters}

    {attributes}

    References
    ----------
    Shalev-Shwartz, Singer: On the equivalence of weak learnability and linear separability, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = CERLPBoostClassifier(nu=0.3, tol=0.1).fit(X[:, :5], y)
    >>> clf.certificate_.status, clf.certificate_.gap <= 0.1
    ('optimal', True)
    """

    def _rules(self) -> Sequence[Rule]:
        return [ShortStep()]


@_documented
class MLPBoostClassifier(SoftMarginBooster):
    """MLPBoost: a Frank-Wolfe rule and any secondary rule, the better proposal each round.

    The Frank-Wolfe rule is the safety net: with "classic", "short-step" or "line-search" it ends after at
    most 32 ln(m/nu) / tol^2 rounds, whatever the secondary rule proposes.

    {parameters}
    fw_rule : str or None, default="short-step"
        "classic", "short-step", "line-search", "away", "pairwise" or "blended-pairwise".
    secondary : str, rule or None, default="lp"
        "lp" (LPBoost's), "erlp" (ERLPBoost's), "level" (LevelBoost's), or a rule of your own.

    {attributes}

    References
    ----------
    Mitsuboshi, Hatano, Takimoto: Boosting as Frank-Wolfe, 2022.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = MLPBoostClassifier(nu=0.3, tol=0.1, fw_rule="pairwise").fit(X[:, :5], y)
    >>> clf.certificate_.status, clf.certificate_.gap <= 0.1
    ('optimal', True)
    """

    def __init__(
        self,
        nu: float = 0.2,
        tol: float = 0.01,
        *,
        fw_rule: str | None = "short-step",
        secondary: str | Rule | None = "lp",
        estimator: Any = None,
        max_depth: int = 2,
        max_bins: int | None = 255,
        categorical_features: Any = None,
        columns_per_round: int = 1,
        max_iter: int = 10_000,
        time_limit: float | None = None,
        class_weight: Any = None,
        calibration: int | None = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
        callbacks: Sequence[Observer] | None = None,
    ) -> None:
        super().__init__(
            nu,
            tol,
            estimator=estimator,
            max_depth=max_depth,
            max_bins=max_bins,
            categorical_features=categorical_features,
            columns_per_round=columns_per_round,
            max_iter=max_iter,
            time_limit=time_limit,
            class_weight=class_weight,
            calibration=calibration,
            warm_start=warm_start,
            n_jobs=n_jobs,
            verbose=verbose,
            callbacks=callbacks,
        )
        self.fw_rule = fw_rule
        self.secondary = secondary

    def _rules(self) -> Sequence[Rule]:
        rules = [
            self._named("fw_rule", FW_RULES, own=False),
            self._named("secondary", SECONDARIES, own=True),
        ]
        if rules == [None, None]:
            raise ValueError("fw_rule and secondary must not both be None")
        return [rule for rule in rules if rule is not None]

    def _named(self, name: str, known: dict[str, Callable[[float], Rule]], *, own: bool) -> Rule | None:
        value = getattr(self, name)
        if value is None:
            return None
        if isinstance(value, str) and value in known:
            return known[value](self.tol)
        if own and hasattr(value, "start") and not isinstance(value, type):
            return value  # type: ignore[no-any-return]
        allowed = ", ".join(map(repr, known)) + (", a rule" if own else "") + " or None"
        raise ValueError(f"{name} must be {allowed}; got {value!r}")
