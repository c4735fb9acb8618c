"""What every soft-margin classifier shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils.validation import check_is_fitted, column_or_1d

from frankboost.ensemble import Round, StagedVote, weighted_vote
from frankboost.estimators.calibration import Sigmoids, class_probabilities, vote_share
from frankboost.estimators.data import LabelledRows, TrainingSet, check_training_data
from frankboost.estimators.fitting import Audience, Fit, Observer, Settings, Training, one_blas_thread
from frankboost.estimators.frames import Categories, Encoding
from frankboost.estimators.inspection import InspectionMixin
from frankboost.estimators.one_vs_rest import fit_each
from frankboost.estimators.sklearn_callbacks import CallbackSupportMixin, Tasks, with_callbacks
from frankboost.learners.base import Start, WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.classifier import Classifier
from frankboost.learners.columns import Columns
from frankboost.learners.members import Members
from frankboost.progress import live_progress
from frankboost.rules.base import Rule
from frankboost.validation import check_count, check_positive

Floats = NDArray[np.float64]


class SoftMarginBooster(CallbackSupportMixin, InspectionMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the classifiers: everything but the rules."""

    _sigmoids: Sigmoids | None
    _draft = False  # whether all thresholds may be searched after a coarser class

    def __init__(
        self,
        nu: float = 0.2,
        tol: float = 0.01,
        *,
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
        self.nu = nu
        self.tol = tol
        self.estimator = estimator
        self.max_depth = max_depth
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.columns_per_round = columns_per_round
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.calibration = calibration
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callbacks = callbacks

    def _rules(self) -> Sequence[Rule]:
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ fitting

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SoftMarginBooster:
        """Find the ensemble of largest soft margin, to within `tol`.

        Parameters
        ----------
        X : array-like of shape (m, n)
            Numbers; NaN is a missing value. Categorical columns (see `categorical_features`) hold anything.
        y : array-like of shape (m,)
            Labels; with more than two classes each is fitted against the rest.
        sample_weight : array-like of shape (m,), default=None
            A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        before = dict(self.__dict__)
        try:
            self._fit(X, y, sample_weight)
        except BaseException:
            # Nothing half-fitted: as it was, unfitted or with its last fit.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> None:
        self._check_settings()
        rules = self._rules()
        features = getattr(self, "n_features_in_", None)
        data, problems, learner = self._problems(X, y, sample_weight)
        starts = self._starts(data, problems, learner, features)
        tasks = Tasks.of(self, X, y, sample_weight)
        jobs = effective_n_jobs(self.n_jobs)
        # What is watched happens in order.
        watched = self.verbose or self.callbacks or tasks is not None
        workers = 1 if watched else min(jobs, len(problems))
        settings = self._settings(max(1, jobs // workers))
        encode = partial(data.encoding.rows, self)
        labels = data.classes[1:] if len(problems) == 1 else data.classes

        def fit_one(k: int, halt: Event) -> Fit:
            observers = list(self.callbacks or [])
            progress = live_progress(self.tol) if self.verbose else None
            if progress is not None:
                observers.append(progress)
            if tasks is not None:
                observers.append(tasks.observer(partial(_fitted_so_far, data) if len(labels) == 1 else None))
            audience = Audience(observers, halt, labels[k], data.classes, encode)
            result = Training(problems[k], learner, starts[k]).fit(rules, settings, audience)
            if progress is not None:
                progress.close()
            if result.certificate.status == "interrupted":
                halt.set()  # one Ctrl-C ends the fits of all classes
            return result

        with one_blas_thread():
            fits = fit_each(fit_one, range(len(problems)), workers)
        self._keep(data, fits, problems)
        if self.calibration is not None:
            self._sigmoids = self._calibrate(X, y, sample_weight, data)
        if tasks is not None:
            tasks.end()

    def _problems(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[LabelledRows, list[TrainingSet], WeakLearner]:
        """The training set, its problems of two classes, and the weak learner for them."""
        learner = self._learner()
        data = self._check_data(X, y, sample_weight, learner)
        problems = data.problems()
        if isinstance(learner, BestTree):
            learner = dataclasses.replace(learner, categorical=tuple(data.encoding.by_column))
            problems = [problem.merged() for problem in problems]
        return data, problems, learner

    def _check_data(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, learner: WeakLearner
    ) -> LabelledRows:
        """The training set as numbers."""
        features = self.categorical_features
        if not isinstance(learner, BestTree):
            if features is not None:
                raise ValueError(
                    "categorical_features must be None unless the estimator is our own tree, BestTree; "
                    f"got {features!r} with {learner!r}"
                )
            features = ()
        return check_training_data(
            self,
            X,
            y,
            sample_weight,
            self.class_weight,
            categorical_features=features,
            categorical=getattr(learner, "categorical", ()),  # so that numbers not fitted are missing
        )

    def _keep(self, data: LabelledRows, fits: list[Fit], problems: list[TrainingSet]) -> None:
        spread = [problem.spread(each.distribution) for problem, each in zip(problems, fits, strict=True)]
        self.classes_ = data.classes
        self.categories_ = dict(data.encoding.categories)
        self._sigmoids = None
        self.__dict__.pop("target_name_", None)  # of a model that was loaded and is fitted to something else
        self._set_of_each_fit(
            certificate_=[each.certificate for each in fits],
            trace_=[each.trace for each in fits],
            estimators_=[each.hypotheses for each in fits],
            estimator_weights_=[each.weights for each in fits],
            distribution_=spread,
            hypothesis_class_=[each.hypothesis_class for each in fits],
        )
        self.n_iter_ = max(len(each.trace) for each in fits)
        self._found = [
            dataclasses.replace(each.found, distribution=d) for each, d in zip(fits, spread, strict=True)
        ]
        self._stages = [each.stages for each in fits]
        self._capped = np.any(
            [problem.spread(each.capped) > 0.0 for problem, each in zip(problems, fits, strict=True)], axis=0
        )
        self._importances = self._mean_importances([each.importances for each in fits])

    def _set_of_each_fit(self, **attributes: list[Any]) -> None:
        """Public attributes: of the one fit if there are two classes, else a list with one entry a class."""
        for name, values in attributes.items():
            setattr(self, name, values[0] if len(values) == 1 else values)

    def _mean_importances(self, each: list[Floats | None]) -> Floats | None:
        known = [importances for importances in each if importances is not None]
        if len(known) < len(each):
            return None
        mean: Floats = np.mean([i / i.sum() if i.sum() > 0.0 else i for i in known], axis=0)
        return mean

    def _starts(
        self,
        data: LabelledRows,
        problems: list[TrainingSet],
        learner: WeakLearner,
        features: int | None = None,
    ) -> list[Start | None]:
        """With `warm_start`, where the last fit ended, if it was of the same classes, rows and `features`."""
        if isinstance(learner, Members):
            return [learner.start(problem.sample_weight) for problem in problems]
        found: list[Start] = getattr(self, "_found", [])
        same = (
            self.warm_start
            and found
            and features == data.X.shape[1]
            and np.array_equal(self.classes_, data.classes)
            and _same(self.categories_, data.encoding.categories)
        )
        if not same or any(len(start.distribution) != len(data.carries) for start in found):
            return [None] * len(problems)
        return [
            dataclasses.replace(start, distribution=problem.gather(start.distribution))
            for problem, start in zip(problems, found, strict=True)
        ]

    def _calibrate(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, data: LabelledRows
    ) -> Sigmoids:
        """Sigmoids on votes for rows that were not fitted."""
        plain = self._plain(nu=self._nu(), n_jobs=self.n_jobs)
        weights = None if sample_weight is None else {"sample_weight": sample_weight}
        if weights is not None and get_config()["enable_metadata_routing"]:
            plain.set_fit_request(sample_weight=True)
        votes = cross_val_predict(
            plain, X, column_or_1d(y), cv=self.calibration, method="decision_function", params=weights
        )[data.carries]
        votes = votes.reshape(len(data.code), -1)
        targets = data.code[:, None] == ([1] if votes.shape[1] == 1 else np.arange(votes.shape[1]))
        return Sigmoids.fit(votes, targets, data.sample_weight)

    def _nu(self) -> float:
        return self.nu

    def _plain(self, **settings: Any) -> SoftMarginBooster:
        """The same classifier, unwatched and not calibrated."""
        quiet = {"calibration": None, "verbose": 0, "callbacks": None, "warm_start": False}
        plain: SoftMarginBooster = clone(self).set_params(**quiet, **settings)
        return plain

    def _check_settings(self) -> None:
        check_positive("nu", self._nu(), at_most=1.0)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter, at_least=1)
        check_positive("time_limit", self.time_limit, or_none=True)
        check_count("columns_per_round", self.columns_per_round, at_least=1)
        check_count("calibration", self.calibration, at_least=2, or_none=True)
        verbose = int(self.verbose) if isinstance(self.verbose, bool | np.bool_) else self.verbose
        check_count("verbose", verbose, at_least=0)
        _check_callbacks(self.callbacks)

    def _settings(self, threads: int) -> Settings:
        return Settings(
            nu=float(self._nu()),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            time_limit=self.time_limit,
            threads=threads,
            draft=self._draft,
        )

    def _learner(self) -> WeakLearner:
        learner = self.estimator
        if learner is None:
            learner = BestTree(max_depth=self.max_depth, max_bins=self.max_bins)
        if isinstance(learner, BestTree | Columns):
            ours: dict[str, Any] = {"columns_per_round": self.columns_per_round, "n_jobs": self.n_jobs}
            unset = {f.name: ours[f.name] for f in dataclasses.fields(learner) if f.name in ours}
            unset = {name: value for name, value in unset.items() if getattr(learner, name) is None}
            return dataclasses.replace(learner, **unset)
        if isinstance(learner, WeakLearner) and not isinstance(learner, type):
            return learner
        if hasattr(learner, "fit") and hasattr(learner, "predict") and not isinstance(learner, type):
            return Classifier(learner)
        raise TypeError(
            "estimator must be None, a weak learner with a prepare method (BestTree, Columns, ...) "
            f"or a scikit-learn classifier that takes sample_weight; got {learner!r}"
        )

    # --------------------------------------------------------------------------------------------- prediction

    def decision_function(self, X: Any) -> Floats:
        """The weighted vote sum_j w_j h_j(x), in [-1, 1].

        Parameters
        ----------
        X : array-like of shape (m, n)

        Returns
        -------
        array of shape (m,), or (m, k) for k > 2 classes
            With two classes positive for `classes_[1]`; else column j is the vote for `classes_[j]`
            against the rest.
        """
        X = self._rows(X)
        threads = effective_n_jobs(self.n_jobs)
        votes = [weighted_vote(*ensemble, X, threads) for ensemble in self._ensembles()]
        return self._shaped(votes)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest vote; the first of them in a tie."""
        return self._classes(self.decision_function(X))

    def predict_proba(self, X: Any) -> Floats:
        """How the vote divides among the classes, one column a class.

        Without `calibration` this is the share (1 + vote) / 2 of the weight that votes for a class, scaled to
        sum 1 over more than two classes. It ranks as the vote does and is a poor estimate of a probability:
        margins are maximised, not likelihoods. With `calibration` it is Platt's sigmoid of the vote, fitted
        to votes on rows that were left out.
        """
        votes = self.decision_function(X)
        columns = votes.reshape(len(votes), -1)
        sigmoids = self._sigmoids
        return class_probabilities(vote_share(columns) if sigmoids is None else sigmoids(columns))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """`decision_function` of the best ensemble known after each round.

        Of fits with more than 200 rounds about every second, fourth, ... round is kept, and the last;
        `staged_rounds` tells which.
        """
        X = self._rows(X)
        threads = effective_n_jobs(self.n_jobs)
        votes = [StagedVote(found.hypotheses, X, threads) for found in self._found]
        for number in self.staged_rounds():
            reached = [stages.at(number) for stages in self._stages]
            yield self._shaped(
                [vote(stage.support, stage.weights) for vote, stage in zip(votes, reached, strict=True)]
            )

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """`predict` of the best ensemble known after each round; see `staged_decision_function`."""
        for votes in self.staged_decision_function(X):
            yield self._classes(votes)

    def staged_rounds(self) -> list[int]:
        """The rounds after which `staged_decision_function` and `staged_predict` tell the ensemble."""
        check_is_fitted(self)
        if not self._stages:
            raise ValueError(
                "the stages of a fit are not saved with a model, and this one was loaded: fit it again"
            )
        return sorted({stage.round for stages in self._stages for stage in stages.kept})

    def _rows(self, X: Any) -> Floats:
        check_is_fitted(self)
        return self._encoding().rows(self, X)

    def _ensembles(self) -> list[tuple[list[Any], Floats]]:
        """Hypotheses and weights of each fit."""
        if len(self.classes_) == 2:
            return [(self.estimators_, self.estimator_weights_)]
        return list(zip(self.estimators_, self.estimator_weights_, strict=True))

    def _shaped(self, votes: list[Floats]) -> Floats:
        return votes[0] if len(votes) == 1 else np.column_stack(votes)

    def _classes(self, votes: Floats) -> NDArray[Any]:
        best = (votes > 0.0).astype(np.intp) if votes.ndim == 1 else np.argmax(votes, axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def _category_names(self) -> dict[int, list[Any]]:
        """The categories of each column that has some, by its number."""
        return {f: known.tolist() for f, known in self._encoding().by_column.items()}

    def _encoding(self) -> Encoding:
        return Encoding(self.categories_, getattr(self, "feature_names_in_", None))

    # ------------------------------------------------------------------------------------------- scikit-learn

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "certificate_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _check_callbacks(callbacks: Any) -> None:
    if callbacks is None:
        return
    if not isinstance(callbacks, Sequence) or not all(callable(each) for each in callbacks):
        raise TypeError(f"callbacks must be a list of functions or None; got {callbacks!r}")


def _same(one: Categories, other: Categories) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


def _fitted_so_far(data: LabelledRows, event: Round) -> dict[str, Any]:
    """What an estimator needs to predict as if the fit had ended with this round."""
    used = np.flatnonzero(event.weights)
    # Categories of a data frame are known by the names of its columns.
    by_name = data.encoding.categories and data.encoding.names is not None
    names = {"feature_names_in_": data.encoding.names} if by_name else {}
    return {
        "classes_": data.classes,
        "n_features_in_": data.X.shape[1],
        "categories_": data.encoding.categories,
        "certificate_": None,
        "estimators_": [event.known[j] for j in used.tolist()],
        "estimator_weights_": event.weights[used],
        "_sigmoids": None,
        **names,
    }
