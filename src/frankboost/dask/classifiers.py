"""The classifiers for Dask collections: the same as on one machine, with rows on the workers of a cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sklearn.base import clone

from frankboost.dask.collections import Collection
from frankboost.dask.fitting import ClusterRows
from frankboost.dask.ingestion import read
from frankboost.dask.prediction import gathered, is_dask, light, mapped, scored
from frankboost.estimators.algorithm_parameters import FixedNu, LevelParameters, MLPBoostParameters
from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.class_fits import calibration_by
from frankboost.estimators.classifiers import (
    ERLPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.estimators.hard_examples import HardExamples
from frankboost.estimators.parameters import check_parameters, parameter, with_constructor, with_parameters
from frankboost.estimators.prediction import keep
from frankboost.estimators.row_checks import REPEATS
from frankboost.estimators.wrong_labels import LabelIssues
from frankboost.fitting.threads import one_blas_thread
from frankboost.fitting.weak_learners import check_joint, weak_learner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.tree_class import DEEPEST
from frankboost.model import Model
from frankboost.rules.base import Rule
from frankboost.saying import named
from frankboost.shapes import Shapes
from frankboost.threads import threads_for

if TYPE_CHECKING:
    from distributed import Client

    _Booster = SoftMarginBooster
else:
    _Booster = object  # the parameters are those of the classifier beside it


def _client() -> Any:
    return parameter(
        "The client of the cluster to fit on; None: the current one, from `distributed.get_client`.",
        default=None,
        kind="distributed.Client or None",
        saved=False,
    )


class OnCluster(_Booster):
    """Base class of the classifiers for Dask collections."""

    local: ClassVar[type[SoftMarginBooster]]  # the same on one machine
    client: Client | None

    @named
    def fit(self, X: Collection, y: Collection, sample_weight: Collection = None) -> Self:
        """Find the ensemble of largest soft margin, to within `tol`.

        Parameters
        ----------
        X : Dask array of shape (m, n) or Dask data frame
            Numbers; NaN is a missing value. Categorical columns (see `categorical_features`) hold anything.
        y : Dask array of shape (m,) or Dask series
            Labels, in the partitions of X; `multi_class` says how more than two classes are fitted.
        sample_weight : Dask array of shape (m,) or Dask series, default=None
            A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        check_parameters(self)
        client, learner = self._cluster(), self._learner()
        data = read(client, self, X, y, sample_weight, categorical=learner.categorical)
        place = ClusterRows(client, self, learner, data)
        with one_blas_thread():
            fits = self._fits(place, self.settings(threads_for(self.n_jobs)), self._chooser())
        model = place.model([each.ensemble for each in fits], data.agreed.span)
        model = replace(model, calibration=calibration_by(fits))
        return self._keep(model, data.agreed.encoding.columns, fits, chosen=True)

    def _cluster(self) -> Client:
        from distributed import get_client  # noqa: PLC0415

        if self.client is not None:
            return self.client
        try:
            return get_client()
        except ValueError as error:
            raise ValueError("client must be a distributed.Client if none is current; got None") from error

    def _learner(self) -> BestTree:
        """The weak learner; a ValueError for parameters that do not work on a cluster."""
        refused = {
            "calibration": self.calibration is not None and "calibrate on rows that the fit does not use",
            "warm_start": bool(self.warm_start) and "a fit there cannot continue from the last fit",
        }
        for name, why in refused.items():
            if why:
                raise ValueError(f"{name} cannot be {getattr(self, name)!r} on a cluster: {why}")
        learner = weak_learner(self)
        if not isinstance(learner, BestTree):
            raise TypeError(f"estimator must be None or a BestTree on a cluster; got {learner!r}")
        if learner.max_depth not in range(1, DEEPEST + 1):
            raise ValueError(f"max_depth must be 1 or {DEEPEST} on a cluster; got {learner.max_depth!r}")
        if learner.max_bins is None:
            raise ValueError("max_bins must be an integer in [1, 255] on a cluster; got None")
        check_joint(self, learner)
        return learner.with_defaults(
            columns_per_round=self.columns_per_round, n_jobs=self.n_jobs, categorical=learner.categorical
        )

    def decision_function(self, X: Collection) -> Any:
        """The weighted vote, in [-1, 1]; a Dask array, not yet computed, for a Dask table."""
        return self._mapped("decision_function", X)

    def predict(self, X: Collection) -> Any:
        """The class of each row, as on one machine; a Dask array, not yet computed, for a Dask table."""
        return self._mapped("predict", X)

    def predict_proba(self, X: Collection) -> Any:
        """The probability of each class, as on one machine; a Dask array, not computed, for a Dask table."""
        return self._mapped("predict_proba", X)

    def score(self, X: Collection, y: Collection, sample_weight: Collection = None) -> float:
        """The share of the rows, by weight, whose class is predicted; of a Dask table, on the workers."""
        plain = self._light()
        if is_dask(X):
            return scored(plain, X, y, sample_weight, self.client)
        return float(plain.score(X, y, sample_weight))

    def hard_examples(self, X: Collection, y: Collection) -> HardExamples:
        """As on one machine: the method brings the rows and the distribution to this process."""
        return self.to_local().hard_examples(*_brought(X, y))

    def label_issues(
        self, X: Collection, y: Collection, sample_weight: Collection = None, *, repeats: int = REPEATS
    ) -> LabelIssues:
        """As on one machine: the method brings the rows to this process, and fits the halves here."""
        return self.to_local().label_issues(*_brought(X, y, sample_weight), repeats=repeats)

    def shapes(self, X: Collection, sample_weight: Collection = None) -> Shapes:
        """As on one machine: the method brings the rows to this process."""
        return self._light().shapes(*_brought(X, sample_weight))

    def _light(self) -> SoftMarginBooster:
        return self._plain(light(self.model_)) if self.__sklearn_is_fitted__() else self.local()

    def _mapped(self, method: str, X: Collection) -> Any:
        plain = self._light()
        return mapped(plain, method, X) if is_dask(X) else getattr(plain, method)(X)

    def to_local(self) -> SoftMarginBooster:
        """The ordinary classifier with the same model; the distribution over the rows is brought to this
        process."""
        return self._plain(gathered(self.model_))

    def _plain(self, model: Model) -> SoftMarginBooster:
        settings = {name: value for name, value in self.get_params(deep=False).items() if name != "client"}
        plain = self.local(**settings)
        keep(plain, model, self)
        return plain

    def __sklearn_clone__(self) -> Self:
        settings = self.get_params(deep=False)
        client = settings.pop("client")  # which cannot be copied
        copies = {name: clone(each, safe=False) for name, each in settings.items()}
        return type(self)(**copies | {"client": client})

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # which belongs to this process


def _brought(*given: Collection) -> list[Any]:
    """Collections in this process."""
    return [each.compute() if is_dask(each) else each for each in given]


@with_parameters
class LevelBoostOnCluster(LevelParameters):
    """The parameters of LevelBoost on a Dask cluster."""

    client: Client | None = _client()


@with_constructor
class DaskSoftMarginClassifier(LevelBoostOnCluster, OnCluster, SoftMarginClassifier):
    """LevelBoost on a Dask cluster: the model of `SoftMarginClassifier`, bit for bit (docs/cluster.md)."""

    local = SoftMarginClassifier


@with_parameters
class ERLPBoostOnCluster(FixedNu):
    """The parameters of ERLPBoost on a Dask cluster."""

    client: Client | None = _client()


@with_constructor
class DaskERLPBoostClassifier(ERLPBoostOnCluster, OnCluster, ERLPBoostClassifier):
    """ERLPBoost on a Dask cluster: the model of `ERLPBoostClassifier`, bit for bit (docs/cluster.md)."""

    local = ERLPBoostClassifier


@with_parameters
class MLPBoostOnCluster(MLPBoostParameters):
    """The parameters of MLPBoost on a Dask cluster."""

    client: Client | None = _client()


@with_constructor
class DaskMLPBoostClassifier(MLPBoostOnCluster, OnCluster, MLPBoostClassifier):
    """MLPBoost on a Dask cluster, without the rules that need whole columns (docs/cluster.md)."""

    secondary: str | Rule | None = "erlp"

    local = MLPBoostClassifier
