"""The weak learner of the package: the decision tree of largest edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isqrt
from typing import Any, ClassVar

import numpy as np

from frankboost.constraints import PAIRWISE, Constraints
from frankboost.learners.base import WeakLearner
from frankboost.learners.binning import BinnedFeatures, thresholds_of
from frankboost.learners.certified_trees import DEPTH
from frankboost.learners.constraining import least_weight, sets_of, signs_of
from frankboost.learners.rows import Rows
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree_class import DEEPEST, TreeClass
from frankboost.learners.tree_oracle import TreeOracle
from frankboost.native import MOST_THRESHOLDS
from frankboost.threads import threads_for
from frankboost.typing import Floats
from frankboost.validation import check_count

MOST_BINS = 16_000  # of all columns together, in a search for trees of depth 2
LEAST_THRESHOLDS = 15  # per column, however many columns there are
COARSE_THRESHOLDS = 63
DENSE_COLUMNS = 100  # so many columns of at least LEAST_THRESHOLDS make a search long, by measured time ...
DENSE_TREES = 3  # ... and then this many times as many trees per call pay
COARSE_CELLS = 500_000  # of the tables of all pairs of features: a search takes about a millisecond for them


@dataclass(frozen=True)
class BestTree(WeakLearner):
    """Weak learner: find the tree of largest edge (its weighted mean margin), exactly for depth 1 and 2.

    Every split sends the rows at or below a threshold to the left and all others to the right. Rows with a
    missing value go to the side where they raise the edge more, or are split off from all others. Leaves
    vote -1 or +1. Among depth-2 trees with the same edge, the tree whose root alone has the largest edge
    comes first, so that a stump comes before larger trees that are no better.

    A greedy search grows deeper trees from the root down. Each upper split is the root of a good depth-2
    tree of the rows at the split, and the two last levels are a depth-2 tree. The search chooses the
    features of a depth-2 tree over 32 bins of equal weight, and then its thresholds among all. With more
    than 64 features, the root is one of the 64 with the largest edges of their own. The search tries
    several roots and keeps the trees of largest edge.

    A split of a categorical column sends a set of categories to one side. The last split before the leaves
    uses the best of all sets: each category goes to the leaf of its sign. The search of the splits above
    tries all sets of up to 8 categories; with more categories, it tries one category against the rest.
    Missing values go to the side where they raise the edge more; if the fit had none, to the side with more
    weight.

    Parameters
    ----------
    max_depth : int, default=2
        The depth of the trees. The search is exact for 1 and 2; deeper trees are a heuristic, and the
        certificate says so, unless `exact` is True.
    max_bins : int or None, default=255
        The largest number of thresholds per feature (1 to 255): all midpoints between distinct values if
        there are few of them, weighted quantiles otherwise. If values are missing, one of the thresholds
        tells them from all other values. With more than 62 columns, trees of depth 2 have fewer thresholds,
        as their search looks at all pairs of columns: 63 per feature with 250 columns, 31 with 500, and 15
        with 1,000 or more. None: all midpoints.
    columns_per_round : int or None, default=None
        The largest number of trees per call, best first. They differ in the root feature; if there are
        fewer features than this, trees of depth 2 differ in one of their three features. Up to four deeper
        trees may share their upper splits. None: 1, or the number that the estimator has.
    n_jobs : int or None, default=None
        The number of threads, as in joblib. The trees do not depend on this number. None: 1, or the number
        that the estimator has.
    categorical : tuple of int, default=()
        The columns that hold categories as integers from 0 to at most 254, and NaN where missing. The
        estimators encode columns like this, see `categorical_features`.
    thresholds : tuple of arrays or None, default=None
        The thresholds of each feature, in increasing order, for example those of another fit
        (`hypothesis_class_.thresholds`); an empty array for a categorical column. None: chosen as
        `max_bins` says.
    monotonic_cst : array-like of int, mapping of numbers to int, or None, default=None
        One number per column: 1 if no tree may fall as the column grows, -1 if no tree may rise, 0 for no
        constraint, as in scikit-learn's HistGradientBoostingClassifier. Missing values have no place in the
        order; a column of categories must have 0.
    interaction_cst : {"pairwise", "no_interactions"}, sequence of sets of int, or None, default=None
        The sets of columns that may be split on one path from the root. Columns that are in no set form one
        more set. "pairwise": any two columns; "no_interactions": a single column.
    min_samples_leaf : float or None, default=None
        The least weight of the training rows in a leaf. At the last level of splits, all categories with
        less weight go to the same side. Deeper trees lose the splits that have a side of less weight. None:
        no limit.
    exact : bool, default=False
        Whether the search is exact for depth 3, too: a greedy search finds most of the trees, and a branch
        and bound over the roots finds the rest and proves the bound. Not for depths above 3.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0, -1.0])
    >>> oracle = BestTree(max_depth=2).prepare(X, y, np.ones(4))
    >>> [tree] = oracle(0.25 * y).hypotheses
    >>> tree(X)
    array([-1.,  1.,  1., -1.])
    """

    max_depth: int = 2
    max_bins: int | None = 255
    columns_per_round: int | None = None
    n_jobs: int | None = None
    categorical: tuple[int, ...] = ()
    thresholds: tuple[Floats, ...] | None = field(default=None, repr=False, compare=False)
    monotonic_cst: Any = field(default=None, compare=False)
    interaction_cst: Any = field(default=None, compare=False)
    min_samples_leaf: float | None = None
    exact: bool = False
    splits_features: ClassVar[bool] = True

    def with_defaults(
        self, *, columns_per_round: int, n_jobs: int | None, categorical: tuple[int, ...]
    ) -> BestTree:
        """The learner with the estimator's columns per round, threads and encoded columns where its own are
        None."""
        return replace(
            self,
            columns_per_round=columns_per_round if self.columns_per_round is None else self.columns_per_round,
            n_jobs=n_jobs if self.n_jobs is None else self.n_jobs,
            categorical=categorical,
        )

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> TreeOracle:
        """Bin the training set once."""
        check_count("max_depth", self.max_depth, at_least=1)
        check_count("max_bins", self.max_bins, at_least=1, at_most=MOST_THRESHOLDS, or_none=True)
        check_count("columns_per_round", self.columns_per_round, at_least=1, or_none=True)
        if self.exact and self.max_depth > DEPTH:
            raise ValueError(f"max_depth must be in [1, {DEPTH}] with exact=True; got {self.max_depth!r}")
        for f in self.categorical:
            if f not in range(X.shape[1]):
                raise ValueError(f"categorical must hold columns in [0, {X.shape[1] - 1}]; got {f!r}")
        kind, features = self.binned(X, sample_weight)
        columns, threads = self.columns_per_round or 1, threads_for(self.n_jobs)
        return TreeOracle(kind, features, y, sample_weight, columns=columns, threads=threads)

    def binned(self, X: Floats | Rows, sample_weight: Floats) -> tuple[TreeClass, BinnedFeatures]:
        """The class of trees over the columns of X, and the rows as bin codes."""
        constraints = self.constraints(X.shape[1])
        most = self._most_thresholds(X.shape[1]) if self.thresholds is None else self.max_bins
        features = BinnedFeatures.from_rows(
            X, sample_weight, most, self.categorical, self.thresholds, threads=threads_for(self.n_jobs)
        )
        kind = TreeClass(
            self.max_depth,
            features.thresholds,
            features.categories,
            features.all_thresholds,
            exact=self._is_exact,
            constraints=constraints,
        )
        return kind, replace(features, constraints=constraints)

    @property
    def _is_exact(self) -> bool:
        """Whether the search is exact although the trees are deeper than 2."""
        return self.exact and self.max_depth == DEPTH

    def constraints(self, features: int) -> Constraints | None:
        """The constraints of trees over this many columns; None if there are none."""
        signs = signs_of(self.monotonic_cst, features, None)
        for f in self.categorical:
            if signs and signs[f]:
                raise ValueError(
                    f"monotonic_cst must be 0 for column {f}, which holds categories; got {signs[f]}"
                )
        sets = sets_of(self.interaction_cst, features, None)
        if self.max_depth == 1 or (self.max_depth == 2 and sets == PAIRWISE):
            sets = None  # every such tree satisfies the constraint
        least = least_weight(self.min_samples_leaf)
        # Deeper trees lose splits that are too light, which may break the order of their leaves.
        if least and any(signs) and self.max_depth > DEEPEST:
            raise ValueError(
                f"min_samples_leaf must be None with monotonic_cst for trees deeper than {DEEPEST}; "
                f"got {least:g}"
            )
        if not any(signs) and sets is None and not least:
            return None
        if self._is_exact:
            raise ValueError(
                "exact must be False for trees of depth 3 with monotonic_cst, interaction_cst or "
                "min_samples_leaf; got True"
            )
        return Constraints(signs if any(signs) else (), sets, least)

    def with_names(self, names: Sequence[str] | None, features: int) -> BestTree:
        """The learner with the numbers of columns in place of names in its constraints."""
        signs = signs_of(self.monotonic_cst, features, names)
        return replace(
            self,
            monotonic_cst=signs if any(signs) else None,
            interaction_cst=sets_of(self.interaction_cst, features, names),
        )

    def fixed(self, X: Floats, sample_weight: Floats) -> BestTree:
        """The learner with the thresholds that it chooses for these rows."""
        least_weight(self.min_samples_leaf, float(sample_weight.sum()))
        if self.thresholds is not None:
            return self
        most, threads = self._most_thresholds(X.shape[1]), threads_for(self.n_jobs)
        chosen = thresholds_of(X, sample_weight, most, self.categorical, threads=threads)
        return replace(self, thresholds=chosen)

    def _most_thresholds(self, columns: int) -> int | None:
        if self.max_bins is None or self.max_depth == 1:
            return self.max_bins
        return min(self.max_bins, max(MOST_BINS // max(columns, 1) - 1, LEAST_THRESHOLDS))

    def coarse(self) -> BestTree:
        """The learner with 63 thresholds per feature, for trees deeper than 2 and where a search of all
        pairs of features would take long.

        If the search takes long even then, the learner returns more trees per call, so that a fit takes
        fewer calls.
        """
        if self.thresholds is None or self.max_depth < DEEPEST:
            return self
        if self.max_depth > DEEPEST:
            return self._with_at_most(COARSE_THRESHOLDS, self.thresholds)
        dense = sum(len(each) >= LEAST_THRESHOLDS for each in self.thresholds) >= DENSE_COLUMNS
        columns = self.columns_per_round
        many = sum(len(each) > COARSE_THRESHOLDS for each in self.thresholds)
        most = max(COARSE_THRESHOLDS, isqrt(2 * COARSE_CELLS // (many * (many + 1) + 1)))
        coarse = self._with_at_most(most, self.thresholds)
        return replace(coarse, columns_per_round=DENSE_TREES * columns) if dense and columns else coarse

    def _with_at_most(self, most: int, thresholds: tuple[Floats, ...]) -> BestTree:
        return replace(self, thresholds=tuple(_thin_out(each, most) for each in thresholds))


def _thin_out(thresholds: Floats, most: int) -> Floats:
    """At most `most` thresholds of a feature, evenly spaced in their order; and `PRESENT` if it is one."""
    between = int(np.searchsorted(thresholds, PRESENT))
    count = min(between, most)
    kept = thresholds[(2 * np.arange(count) + 1) * between // (2 * max(count, 1))]
    return np.append(kept, thresholds[between:])
