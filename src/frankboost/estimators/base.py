"""What every soft-margin classifier shares: its parameters, and how it is fitted."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import partial
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike

from frankboost.callbacks import Observer, Round
from frankboost.estimators.calibration import calibrated
from frankboost.estimators.fitting import Listener, Settings, Training
from frankboost.estimators.parameters import (
    Parameters,
    check_flag,
    check_parameters,
    parameter,
    with_parameters,
)
from frankboost.estimators.prediction import ModelClassifier, keep
from frankboost.estimators.problems import Problems
from frankboost.estimators.sklearn_callbacks import CallbackSupportMixin, tasks, with_callbacks
from frankboost.estimators.threads import fit_each, one_blas_thread
from frankboost.learners.base import Hypothesis
from frankboost.model import Ensemble, positives
from frankboost.progress import live_progress
from frankboost.rules.base import Rule
from frankboost.stopping import ProvedGap
from frankboost.trace import Record
from frankboost.typing import Floats, Status
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

    drafts = False  # whether all thresholds may be searched after a coarser class
    closing = ProvedGap  # for a tolerance: what says that the gap is closed
    crossover = 0.0  # a gap from which on a linear program over the hypotheses found takes over

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
        problems = Problems.of(self, X, y, sample_weight)
        with tasks(self, problems, X, y, sample_weight) as told:
            with one_blas_thread():
                model = problems.model(self._ensembles(problems, told))
            if self.calibration is not None:
                sigmoids = calibrated(self, X, y, sample_weight, problems.data)
                model = dataclasses.replace(model, sigmoids=sigmoids)
            keep(self, model, problems.data.encoding.columns)
        return self

    def settings(self, threads: int = 1) -> Settings:
        """The algorithm, and how far it goes."""
        return Settings(
            rules=self.rules(),
            nu=float(self.nu),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            time_limit=math.inf if self.time_limit is None else self.time_limit,
            threads=threads,
            draft=self.drafts,
            closing=self.closing,
            crossover=self.crossover,
        )

    def _ensembles(self, problems: Problems, told: list[Observer]) -> list[Ensemble]:
        observers = [*(self.callbacks or []), *told]
        jobs = effective_n_jobs(self.n_jobs)
        # What is watched happens in order.
        workers = 1 if self.verbose or observers else min(jobs, len(problems.sets))
        settings = self.settings(max(1, jobs // workers))
        features = problems.data.X.shape[1]
        goes_on = self.warm_start and self.__sklearn_is_fitted__() and self.n_features_in_ == features
        starts = problems.starts(self.model_ if goes_on else None)
        labels = positives(problems.data.classes)

        def fit_one(k: int, halt: Event) -> Ensemble:
            progress = [live_progress(self.tol)] if self.verbose else []
            facts = {"classes": problems.data.classes, "label": labels[k], "encode": problems.data.encoding}
            training = Training(problems.sets[k], problems.learner, starts[k])
            ensemble = training.fit(settings, _listener([*observers, *progress], halt, facts), halt.is_set)
            for each in progress:
                each.close()
            if ensemble.certificate.status == "interrupted":
                halt.set()  # one Ctrl-C ends the fits of all classes
            return ensemble

        return fit_each(fit_one, len(problems.sets), workers)


def _listener(observers: Sequence[Observer], halt: Event, facts: dict[str, Any]) -> Listener:
    """Tell observers of each round; they may stop the fit, and another thread may interrupt it."""

    def listen(record: Record, known: Sequence[Hypothesis], weights: Floats) -> Status | None:
        event = Round(**vars(record), known=known, weights=weights, **facts)
        answers = [observer(event) for observer in observers]  # each is told, whatever others say
        if any(isinstance(answer, bool | np.bool_) and answer for answer in answers):
            return "stopped"
        return "interrupted" if halt.is_set() else None

    return listen
