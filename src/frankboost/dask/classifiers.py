"""The classifiers for Dask collections: the same as on one machine, with rows on the workers of a cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sklearn.base import clone

from frankboost.dask.collections import Collection
from frankboost.dask.fitting import ClusterRows
from frankboost.dask.ingestion import read_rows
from frankboost.dask.prediction import (
    accuracy_in_partitions,
    gather_model,
    is_dask,
    map_partitions,
    without_training_rows,
)
from frankboost.estimators.algorithm_parameters import FixedNuParameters, LevelParameters, MLPBoostParameters
from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.class_fits import calibrate_fits
from frankboost.estimators.classifiers import (
    ERLPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.estimators.parameters import check_parameters, parameter, with_constructor, with_parameters
from frankboost.estimators.prediction import set_model
from frankboost.estimators.row_checks import REPEATS, HardExamples
from frankboost.estimators.wrong_labels import LabelIssues
from frankboost.fitting.weak_learners import check_joint, make_weak_learner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.tree_class import DEEPEST
from frankboost.model import Model
from frankboost.rules.base import Rule
from frankboost.saying import named
from frankboost.shapes import Shapes
from frankboost.threads import one_blas_thread, threads_for

if TYPE_CHECKING:
    from distributed import Client

    _Booster = SoftMarginBooster
else:
    _Booster = object  # the other base class of each classifier has the parameters


def _client_parameter() -> Any:
    return parameter(
        "The client of the cluster to fit on; None: the current one, from `distributed.get_client`.",
        default=None,
        kind="distributed.Client or None",
        saved=False,
    )


class DaskBooster(_Booster):
    """Base class of the classifiers for Dask collections."""

    local: ClassVar[type[SoftMarginBooster]]  # the same classifier for rows in this process
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
        client, learner = self._get_client(), self._make_learner()
        data = read_rows(client, self, X, y, sample_weight, categorical=learner.categorical)
        rows = ClusterRows(client, self, learner, data)
        with one_blas_thread():
            fits = self._fit_classes(rows, self.settings(threads_for(self.n_jobs)), self._chooser())
        model = rows.make_model([each.ensemble for each in fits], data.agreed.span)
        model = replace(model, calibration=calibrate_fits(fits))
        return self._set_fit(model, data.agreed.encoding.columns, fits, generalises=True)

    def _get_client(self) -> Client:
        from distributed import get_client  # noqa: PLC0415

        if self.client is not None:
            return self.client
        try:
            return get_client()
        except ValueError as error:
            raise ValueError("client must be a distributed.Client if none is current; got None") from error

    def _make_learner(self) -> BestTree:
        """Make the weak learner; a ValueError for parameters that do not work on a cluster."""
        refused = {
            "calibration": self.calibration is not None and "calibrate on rows that the fit does not use",
            "warm_start": bool(self.warm_start) and "a fit there cannot continue from the last fit",
        }
        for name, why in refused.items():
            if why:
                raise ValueError(f"{name} cannot be {getattr(self, name)!r} on a cluster: {why}")
        learner = make_weak_learner(self)
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
        return self._call("decision_function", X)

    def predict(self, X: Collection) -> Any:
        """The class of each row, as on one machine; a Dask array, not yet computed, for a Dask table."""
        return self._call("predict", X)

    def predict_proba(self, X: Collection) -> Any:
        """The probability of each class, as on one machine; a Dask array, not computed, for a Dask table."""
        return self._call("predict_proba", X)

    def score(self, X: Collection, y: Collection, sample_weight: Collection = None) -> float:
        """The accuracy, weighted by `sample_weight`; it is computed on the workers for a Dask table."""
        predictor = self._predictor()
        if is_dask(X):
            return accuracy_in_partitions(predictor, X, y, sample_weight, self.client)
        return float(predictor.score(X, y, sample_weight))

    def hard_examples(self, X: Collection, y: Collection) -> HardExamples:
        """As on one machine: the method brings the rows and the distribution to this process."""
        return self.to_local().hard_examples(*_compute(X, y))

    def label_issues(
        self, X: Collection, y: Collection, sample_weight: Collection = None, *, repeats: int = REPEATS
    ) -> LabelIssues:
        """As on one machine: the method brings the rows to this process, and fits the halves here."""
        return self.to_local().label_issues(*_compute(X, y, sample_weight), repeats=repeats)

    def shapes(self, X: Collection, sample_weight: Collection = None) -> Shapes:
        """As on one machine: the method brings the rows to this process."""
        return self._predictor().shapes(*_compute(X, sample_weight))

    def _predictor(self) -> SoftMarginBooster:
        """A small classifier that predicts as this one, to send to workers."""
        is_fitted = self.__sklearn_is_fitted__()
        return self._local_classifier(without_training_rows(self.model_)) if is_fitted else self.local()

    def _call(self, method: str, X: Collection) -> Any:
        predictor = self._predictor()
        return map_partitions(predictor, method, X) if is_dask(X) else getattr(predictor, method)(X)

    def to_local(self) -> SoftMarginBooster:
        """The ordinary classifier with the same model, and with the distribution over the rows in this
        process."""
        return self._local_classifier(gather_model(self.model_))

    def _local_classifier(self, model: Model) -> SoftMarginBooster:
        settings = {name: value for name, value in self.get_params(deep=False).items() if name != "client"}
        clf = self.local(**settings)
        set_model(clf, model, self)
        return clf

    def __sklearn_clone__(self) -> Self:
        settings = self.get_params(deep=False)
        client = settings.pop("client")  # a client cannot be copied
        copies = {name: clone(each, safe=False) for name, each in settings.items()}
        return type(self)(**copies | {"client": client})

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # a client works in one process only


def _compute(*collections: Collection) -> list[Any]:
    """Bring collections to this process."""
    return [each.compute() if is_dask(each) else each for each in collections]


@with_parameters
class DaskLevelParameters(LevelParameters):
    """The parameters of LevelBoost on a Dask cluster."""

    client: Client | None = _client_parameter()


@with_constructor
class DaskSoftMarginClassifier(DaskLevelParameters, DaskBooster, SoftMarginClassifier):
    """LevelBoost on a Dask cluster: the model of `SoftMarginClassifier`, bit for bit (docs/cluster.md)."""

    local = SoftMarginClassifier


@with_parameters
class DaskFixedNuParameters(FixedNuParameters):
    """The parameters of ERLPBoost on a Dask cluster."""

    client: Client | None = _client_parameter()


@with_constructor
class DaskERLPBoostClassifier(DaskFixedNuParameters, DaskBooster, ERLPBoostClassifier):
    """ERLPBoost on a Dask cluster: the model of `ERLPBoostClassifier`, bit for bit (docs/cluster.md)."""

    local = ERLPBoostClassifier


@with_parameters
class DaskMLPBoostParameters(MLPBoostParameters):
    """The parameters of MLPBoost on a Dask cluster."""

    client: Client | None = _client_parameter()


@with_constructor
class DaskMLPBoostClassifier(DaskMLPBoostParameters, DaskBooster, MLPBoostClassifier):
    """MLPBoost on a Dask cluster, without the rules that need whole columns (docs/cluster.md)."""

    secondary: str | Rule | None = "erlp"

    local = MLPBoostClassifier
