"""What every soft-margin classifier shares: its parameters, and how it is fitted."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from threading import Event

from joblib import effective_n_jobs
from numpy.typing import ArrayLike

from frankboost.callbacks import Observer
from frankboost.estimators.audience import Audience
from frankboost.estimators.calibration import calibrated
from frankboost.estimators.fitting import Settings, Training, one_blas_thread
from frankboost.estimators.learning import Problems
from frankboost.estimators.one_vs_rest import fit_each
from frankboost.estimators.parameters import (
    Parameters,
    check_flag,
    check_parameters,
    parameter,
    with_parameters,
)
from frankboost.estimators.prediction import ModelClassifier, keep
from frankboost.estimators.sklearn_callbacks import CallbackSupportMixin, Tasks, with_callbacks
from frankboost.model import Ensemble, Model, positives
from frankboost.progress import live_progress
from frankboost.rules.base import Rule
from frankboost.validation import check_positive


@with_parameters
class SoftMarginBooster(CallbackSupportMixin, ModelClassifier, Parameters):  # type: ignore[misc]
    """Base of the algorithms: everything but the rules."""

    nu: float = parameter(
        "The fraction of the examples that may fall short of the margin, in (0, 1]: the soft margin is the "
        "mean of the `nu * m` smallest margins. Below 1/m it is the hard margin; at 1 the best single "
        "hypothesis wins.",
        default=0.2,
        check=partial(check_positive, at_most=1.0),
        kw_only=False,
    )
    tol: float = parameter(
        "Stop when bound - soft margin <= tol.", default=0.01, check=check_positive, kw_only=False
    )
    warm_start: bool = parameter(
        "Start the next fit from the hypotheses of the last, for another nu or a smaller tol.",
        default=False,
        check=check_flag,
    )

    drafts = False  # whether all thresholds may be searched after a coarser class

    def rules(self) -> Sequence[Rule]:
        """The rules whose proposals the rounds choose from: what makes the algorithm."""
        raise NotImplementedError

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
        check_parameters(self)
        rules = self.rules()
        problems = Problems.of(self, X, y, sample_weight)
        tasks = Tasks.of(self, X, y, sample_weight)
        with one_blas_thread():
            model = problems.model(self._ensembles(problems, rules, tasks))
        if self.calibration is not None:
            sigmoids = calibrated(self, X, y, sample_weight, problems.data)
            model = dataclasses.replace(model, sigmoids=sigmoids)
        keep(self, model, problems.columns)
        if tasks is not None:
            tasks.end()
        return self

    def _ensembles(self, problems: Problems, rules: Sequence[Rule], tasks: Tasks | None) -> list[Ensemble]:
        jobs = effective_n_jobs(self.n_jobs)
        # What is watched happens in order.
        watched = self.verbose or self.callbacks or tasks is not None
        workers = 1 if watched else min(jobs, len(problems.sets))
        settings = settings_of(self, threads=max(1, jobs // workers))
        classes, encode = problems.data.classes, problems.encode
        starts = problems.starts(self._last(problems.data.X.shape[1]))

        def fit_one(k: int, halt: Event) -> Ensemble:
            progress = [live_progress(self.tol)] if self.verbose else []
            told = [tasks.observer(problems)] if tasks is not None else []
            observers: list[Observer] = [*(self.callbacks or []), *progress, *told]
            audience = Audience(observers, halt, positives(classes)[k], classes, encode)
            training = Training(problems.sets[k], problems.learner, starts[k])
            ensemble = training.fit(rules, settings, audience)
            for each in progress:
                each.close()
            if ensemble.certificate.status == "interrupted":
                halt.set()  # one Ctrl-C ends the fits of all classes
            return ensemble

        return fit_each(fit_one, range(len(problems.sets)), workers)

    def _last(self, features: int) -> Model | None:
        """The model to start from: of the last fit, if it had as many features."""
        fitted = self.warm_start and self.__sklearn_is_fitted__()
        return self.model_ if fitted and self.n_features_in_ == features else None


def settings_of(clf: SoftMarginBooster, threads: int) -> Settings:
    """How far a classifier wants to go."""
    return Settings(
        nu=float(clf.nu),
        tol=float(clf.tol),
        max_iter=int(clf.max_iter),
        time_limit=clf.time_limit,
        threads=threads,
        draft=clf.drafts,
    )
