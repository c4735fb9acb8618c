"""The classifiers, one per algorithm: each is a list of rules for the same loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from frankboost.choosing.constants import NU_PARTS
from frankboost.choosing.depths import Depth, depths_to_try
from frankboost.choosing.held_out import held_out_masks
from frankboost.choosing.search import ChoiceProblem, choose_by_loss
from frankboost.choosing.trials import Choice
from frankboost.estimators.algorithm_parameters import (
    AUTO,
    FixedNuParameters,
    LevelParameters,
    MLPBoostParameters,
)
from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.class_fits import Chooser
from frankboost.estimators.parameters import with_constructor
from frankboost.rules.base import Rule
from frankboost.rules.frank_wolfe import ShortStep
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.level import Level, SoftBoost
from frankboost.rules.names import FW_RULES, linear_program, secondary_rule


@with_constructor
class SoftMarginClassifier(LevelParameters, SoftMarginBooster):
    """Boosted trees with a proved optimality gap: the default classifier.

    The classifier fits small trees with large margins to a table of numbers, categories and dates. It
    chooses `nu`, the fraction of the rows that count as hard, by itself, and it calibrates
    its probabilities. `certificate_` says how far the ensemble can be from the best one of its class, and
    `verify` proves this again from the data.

    The algorithm is LevelBoost. The edge of a tree is its mean margin under a distribution over the rows.
    Each round sets a level between the soft margin and the bound. LevelBoost computes the distribution
    nearest to uniform at which no tree found so far has an edge above the level. The weak learner finds
    new trees for this distribution.
    In practice a fit takes tens of rounds; the largest possible number is about 11.6 ln(1/nu) / tol^2
    (docs/theory/levelboost.md). With a `tol` below 1e-4, LPBoost makes the last rounds ("crossover" in
    the trace).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifier().fit(X, y)
    >>> clf.certificate_.status, clf.certificate_.gap <= 0.02
    ('optimal', True)
    """

    crossover = 1e-4

    def rules(self) -> Sequence[Rule]:
        return [Level(max(self.tol, self.crossover))]

    def _chooser(self) -> Chooser | None:
        return self._choose_nu if self.nu == AUTO else None

    def _choose_nu(self, problem: ChoiceProblem) -> Choice:
        """Choose nu on rows that are held out."""
        if not problem.learner.generalises:
            return Choice.default()
        problem = problem.with_merged_rows()
        fraction = float(self.validation_fraction)
        held_out = held_out_masks(problem.patterns, problem.data.y, fraction, problem.data.classes)
        if not held_out:
            return Choice.default()
        try:
            depths = self._depths(problem, few_rows=len(held_out) > 1)
            return choose_by_loss(problem, held_out, depths, nu_parts=NU_PARTS)
        except KeyboardInterrupt:
            if not problem.halted():
                raise
            return Choice.default()  # another class was interrupted; its ensemble is kept

    def _depths(self, problem: ChoiceProblem, *, few_rows: bool) -> Sequence[Depth]:
        """The depths to try; with few rows of two classes, depth 1 may be better than depth 2."""
        given: list[Depth] | None = None
        if self.estimator is not None:
            given = [None]
        elif self.max_depth != 2:
            given = [int(self.max_depth)]
        tries_both = few_rows and problem.sure and not problem.one_of_many
        default = (2, 1) if tries_both else (2,)
        return depths_to_try(given, default, problem.learner, len(problem.data.y))


@with_constructor
class SoftBoostClassifier(SoftMarginClassifier):
    """SoftBoost, for comparison: LevelBoost's projection, with the level always `tol` below the bound.

    The fit ends after at most about 2.5 ln(1/nu) / tol^2 rounds. With nu of at most one example, SoftBoost
    is TotalBoost.

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

    nu: float | Literal["auto"] = 0.2

    crossover = 1e-3

    def rules(self) -> Sequence[Rule]:
        return [SoftBoost(max(self.tol, self.crossover))]


@with_constructor
class LPBoostClassifier(FixedNuParameters, SoftMarginBooster):
    """LPBoost, the classic of soft-margin boosting: for few rows, or an optimum to the last digit.

    After each round the weights are the best ones for the hypotheses found so far, by linear programming.
    LPBoost is fast in practice, but has no proved limit of its rounds: it
    takes at least m/2 + 1 on the data of `worst_case(m)`.

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

    def rules(self) -> Sequence[Rule]:
        return [linear_program()]


@with_constructor
class ERLPBoostClassifier(FixedNuParameters, SoftMarginBooster):
    """ERLPBoost, for comparison: a soft-margin booster with a bound on its rounds.

    After each round the weights have the best smoothed soft margin over the hypotheses found so far. The
    fit ends after at most 32 ln(1/nu) / tol^2 rounds.

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

    def rules(self) -> Sequence[Rule]:
        return [FullyCorrective()]


@with_constructor
class CERLPBoostClassifier(FixedNuParameters, SoftMarginBooster):
    """C-ERLPBoost, for comparison: the soft-margin booster with the cheapest rounds.

    Each round is a short step of Frank-Wolfe on the smoothed soft margin. A fit takes many rounds, at most
    32 ln(1/nu) / tol^2.

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

    def rules(self) -> Sequence[Rule]:
        return [ShortStep()]


@with_constructor
class MLPBoostClassifier(MLPBoostParameters, SoftMarginBooster):
    """MLPBoost, to combine two rules: a heuristic rule gets the limit of rounds of a Frank-Wolfe rule.

    A Frank-Wolfe rule and a secondary rule each propose weights, and each round takes the better ones. The
    Frank-Wolfe rule limits the rounds: with "classic", "short-step" or "line-search" the fit ends after at
    most 32 ln(1/nu) / tol^2 rounds, whatever the secondary rule proposes.

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

    def rules(self) -> Sequence[Rule]:
        """The Frank-Wolfe rule and the secondary rule."""
        rules: list[Rule] = [] if self.fw_rule is None else [FW_RULES[self.fw_rule]()]
        if isinstance(self.secondary, str):
            rules.append(secondary_rule(self.secondary, self.tol))
        elif self.secondary is not None:
            rules.append(self.secondary)
        if not rules:
            raise ValueError("fw_rule and secondary must not both be None")
        return rules
