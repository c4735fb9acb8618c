"""What every soft-margin classifier shares: its parameters, and how it is fitted."""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from frankboost.callbacks import Observer, Round
from frankboost.choosing.calibration import HeldOut, calibrated, calibration_of
from frankboost.choosing.nu import SHORT, NuChoice
from frankboost.estimators.parameters import (
    Parameters,
    check_flag,
    check_parameters,
    parameter,
    with_constructor,
    with_parameters,
)
from frankboost.estimators.prediction import ModelClassifier, keep
from frankboost.estimators.sklearn_callbacks import CallbackSupportMixin, tasks, with_callbacks
from frankboost.fitting.interrupts import is_one_of_many
from frankboost.fitting.problems import Problems
from frankboost.fitting.reached import is_interrupted, warn_of_limits, warn_of_nu
from frankboost.fitting.run import Listener, Settings, time_left
from frankboost.fitting.threads import fit_each, one_blas_thread
from frankboost.fitting.training import Training
from frankboost.learners.base import Hypothesis
from frankboost.model import Calibration, Ensemble, Model, positives
from frankboost.progress import live_progress
from frankboost.rules.base import Rule
from frankboost.saying import named, say, unsaid
from frankboost.stopping import ProvedGap
from frankboost.tables.labelled import LabelledRows
from frankboost.trace import Record
from frankboost.typing import Floats, Status, one_or_all
from frankboost.validation import check_positive

AUTO = "auto"


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


@with_constructor
class SoftMarginBooster(BoosterParameters, CallbackSupportMixin, ModelClassifier):  # type: ignore[misc]
    """Base of the algorithms: everything but the rules."""

    if TYPE_CHECKING:
        nu_path_: NuChoice  # where nu was chosen; no parameter

    drafts = False  # whether all thresholds may be searched after a coarser class
    closing = ProvedGap  # for a tolerance: what says that the gap is closed
    crossover = 0.0  # a gap from which on a linear program over the hypotheses found takes over

    def rules(self) -> Sequence[Rule]:
        """The rules whose proposals the rounds choose from: what makes the algorithm."""
        raise NotImplementedError

    @with_callbacks
    @named
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the ensemble of largest soft margin, to within `tol`.

        Parameters
        ----------
        X : array-like of shape (m, n)
            Numbers; NaN is a missing value. Categorical columns (see `categorical_features`) hold anything.
            Columns of dates in a data frame count days since 1970-01-01.
            A scipy.sparse matrix may be given, too: what it does not store is 0.
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
                fits = self._fits(problems, told)
            model = problems.model([each.ensemble for each in fits])
            interrupted = is_interrupted(model.ensembles)
            if interrupted and is_one_of_many():
                raise KeyboardInterrupt
            choices = [each.choice for each in fits if each.choice is not None]
            held_out = [each.held_out for each in fits]
            model = dataclasses.replace(model, calibration=_calibration(held_out))
            if self.calibration is not None and not interrupted:
                model = with_calibration(self, model, X, y, sample_weight, data=problems.data)
            more = {"nu_path_": one_or_all(choices)} if choices else {}
            keep(self, model, problems.data.encoding.columns, **more)
        warn_of_limits(model.ensembles, self.settings())
        if self.nu != AUTO:
            warn_of_nu(model.ensembles, self.settings())
        return self

    def settings(self, threads: int = 1) -> Settings:
        """The algorithm, and how far it goes."""
        return Settings(
            rules=self.rules(),
            nu=math.nan if self.nu == AUTO else float(self.nu),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            time_limit=math.inf if self.time_limit is None else self.time_limit,
            threads=threads,
            draft=self.drafts,
            closing=self.closing,
            device=self.device,
            crossover=self.crossover,
        )

    def _choice(
        self, problems: Problems, k: int, settings: Settings, halted: Callable[[], bool]
    ) -> NuChoice | None:
        """nu for a problem, if it is to be chosen."""
        return None

    def _fits(self, problems: Problems, told: list[Observer]) -> list[_Fit]:
        observers = [*(self.callbacks or []), *told]
        jobs = effective_n_jobs(self.n_jobs)
        # What is watched happens in order.
        workers = 1 if self.verbose or observers else min(jobs, len(problems.sets))
        settings = self.settings(max(1, jobs // workers))
        features = problems.data.X.shape[1]
        goes_on = self.warm_start and self.__sklearn_is_fitted__() and self.n_features_in_ == features
        starts = problems.starts(self.model_ if goes_on else None)
        labels = positives(problems.data.classes)

        def fit_one(k: int, halt: Event) -> _Fit:
            facts = {"classes": problems.data.classes, "label": labels[k], "encode": problems.data.encoding}
            begun = time.perf_counter()
            choice = self._choice(problems, k, settings, halt.is_set)
            start, chosen, learner = starts[k], settings, problems.learner
            if choice is not None:
                left = max(time_left(settings, begun), SHORT)
                chosen = dataclasses.replace(settings, nu=choice.nu, time_limit=left)
                start = start or choice.start
                learner = choice.learner or learner
                if self.verbose and choice.path:
                    print(f"chosen: {choice}", file=sys.stderr, flush=True)
                if choice.interrupted:
                    halt.set()  # one Ctrl-C ends the fits of all classes
            progress = [live_progress(self.tol)] if self.verbose else []
            listener = listening([*observers, *progress], halt, facts)

            def fitted() -> Ensemble:
                training = Training(problems.sets[k], learner, start)
                return training.fit(chosen, listener, halt.is_set, partial(kept_weights, observers))

            try:
                ensemble = fitted()
            except KeyboardInterrupt:  # in the very first round
                if choice is None or choice.ensemble is None:
                    raise
                halt.set()
                ensemble = fitted()  # what the choice found
            for each in progress:
                each.close()
            if ensemble.certificate.status == "interrupted":
                halt.set()
            if choice is None:
                return _Fit(ensemble)
            votes = choice.calibrating_votes(ensemble, problems.sets[k], settings.threads)
            return _Fit(ensemble, choice, votes)

        return fit_each(fit_one, len(problems.sets), workers)


@dataclasses.dataclass(frozen=True, eq=False)
class _Fit:
    """An ensemble, how its nu was chosen, if it was, and votes that calibrate it, if rows were held out."""

    ensemble: Ensemble
    choice: NuChoice | None = None
    held_out: HeldOut | None = None


def with_calibration(
    clf: Any, model: Model, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, *, data: LabelledRows
) -> Model:
    """The model, calibrated by the cross-validation that its classifier asks for; as it is after Ctrl-C."""
    try:
        with unsaid(UserWarning):
            return dataclasses.replace(model, calibration=calibrated(clf, X, y, sample_weight, data))
    except KeyboardInterrupt:
        if is_one_of_many():
            raise
        say(
            "interrupted before the folds of calibration were done; `predict_proba` is as without them",
            ConvergenceWarning,
        )
        return model


def _calibration(held_out: Sequence[HeldOut | None]) -> Calibration | None:
    """That of the held-out votes, if there are some for every ensemble."""
    parts = [each for each in held_out if each is not None]
    return calibration_of(parts) if len(parts) == len(held_out) else None


def kept_weights(observers: Sequence[Observer]) -> Floats | None:
    """The weights that an observer wants kept instead of the last, if one does."""
    found = (getattr(observer, "kept_weights", None) for observer in observers)
    return next((weights for weights in found if weights is not None), None)


def listening(observers: Sequence[Observer], halt: Event, facts: dict[str, Any]) -> Listener:
    """Tell observers of each round; they may stop the fit, and another thread may interrupt it."""

    def listen(record: Record, known: Sequence[Hypothesis], weights: Floats) -> Status | None:
        event = Round(**vars(record), known=known, weights=weights, **facts)
        answers = [observer(event) for observer in observers]  # each is told, whatever others say
        if any(isinstance(answer, bool | np.bool_) and answer for answer in answers):
            return "stopped"
        return "interrupted" if halt.is_set() else None

    return listen
