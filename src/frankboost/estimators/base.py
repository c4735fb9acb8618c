"""The base class of the classifiers of all algorithms: how they are fitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.sample import Sample, draw_sample
from frankboost.choosing.trials import Choice
from frankboost.estimators.algorithm_parameters import AUTO, SIGN, BoosterParameters
from frankboost.estimators.class_fits import Chooser, ClassFit, ClassFitter, RowSource, calibrate_fits
from frankboost.estimators.cross_calibration import cross_calibrate
from frankboost.estimators.parameters import check_parameters, with_constructor
from frankboost.estimators.prediction import ModelClassifier, set_model
from frankboost.fitting.fit_warnings import is_in_sklearn_loop, is_interrupted, warn_of_limits, warn_of_nu
from frankboost.fitting.problems import Problems
from frankboost.fitting.run import ProvedGap, Settings
from frankboost.fitting.training import Training
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Model
from frankboost.rules.base import Rule
from frankboost.saying import named, say
from frankboost.threads import one_blas_thread, threads_for
from frankboost.typing import one_or_all


@with_constructor
class SoftMarginBooster(BoosterParameters, ModelClassifier):
    """Base class of the classifiers: a subclass defines the rules of its algorithm."""

    if TYPE_CHECKING:  # no parameter
        nu_path_: Choice  # only if the fit chose nu

    closing = ProvedGap  # the test that says whether the gap is closed
    crossover = 0.0  # the gap at which a linear program over the hypotheses found takes over

    def rules(self) -> Sequence[Rule]:
        """The rules that propose weights in each round."""
        raise NotImplementedError

    @named
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the ensemble of largest soft margin, to within `tol`.

        Parameters
        ----------
        X : array-like of shape (m, n)
            Numbers; NaN is a missing value. Categorical columns (see `categorical_features`) may hold
            anything. Dates in a data frame become days since 1970-01-01. X may also be a scipy.sparse
            matrix, whose entries that are not stored are 0.
        y : array-like of shape (m,)
            Labels of two classes or more; `multi_class` says how more than two are fitted.
        sample_weight : array-like of shape (m,), default=None
            A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        check_parameters(self)
        return self._fit(X, y, sample_weight, self._chooser())

    def _fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, chooser: Chooser | None) -> Self:
        """Fit with checked parameters; `chooser` chooses nu, unless it is None."""
        problems = Problems.of(self, X, y, sample_weight)
        with one_blas_thread():
            fits = self._fit_here(problems, chooser)
        model = problems.make_model([each.ensemble for each in fits])
        model = replace(model, calibration=calibrate_fits(fits))
        interrupted = is_interrupted(model.ensembles)
        if interrupted and is_in_sklearn_loop():
            raise KeyboardInterrupt
        if self.calibration is not None and not interrupted:
            model = cross_calibrate(self, model, X, y, sample_weight, data=problems.data)
        columns, generalises = problems.data.encoding.columns, problems.learner.generalises
        return self._set_fit(model, columns, fits, generalises=generalises)

    def _set_fit(self, model: Model, columns: Any, fits: Sequence[ClassFit], *, generalises: bool) -> Self:
        """Set the fitted attributes, and warn if the fit may not be what the user wants.

        `generalises` says whether the weak learner has predictions for other rows.
        """
        choices = [each.choice for each in fits if each.choice is not None]
        set_model(self, model, columns, **({"nu_path_": one_or_all(choices)} if choices else {}))
        if (
            generalises
            and any(each.held_out is None and math.isnan(each.single_error) for each in choices)
            and not is_interrupted(model.ensembles)
        ):
            say(
                f"nu is {OTHERWISE:g}, since no rows can be held out: a class has fewer than two "
                "different rows; give nu, or more rows",
                UserWarning,
            )
        warn_of_limits(model.ensembles, self.settings())
        if self.nu != AUTO:
            warn_of_nu(model.ensembles, self.settings())
        return self

    def _fit_here(self, problems: Problems, chooser: Chooser | None) -> list[ClassFit]:
        """Fit each class on rows in this process."""
        jobs = threads_for(self.n_jobs)
        # Classes are fitted in order if their rounds are printed or observed.
        workers = 1 if self.verbose or self.callbacks else min(jobs, len(problems.sets))
        features = problems.data.X.shape[1]
        continues = self.warm_start and self.__sklearn_is_fitted__() and self.n_features_in_ == features
        rows = LocalRows(problems, problems.starts(self.model_ if continues else None))
        return self._fit_classes(rows, self.settings(max(1, jobs // workers)), chooser, workers)

    def _fit_classes(
        self, rows: RowSource, settings: Settings, chooser: Chooser | None, workers: int = 1
    ) -> list[ClassFit]:
        """Fit each class, up to `workers` classes side by side."""
        sure = getattr(self, "leaves", SIGN) != SIGN and not rows.is_joint
        seed = int(getattr(self, "random_state", 0) or 0)
        observers = list(self.callbacks or [])
        return ClassFitter(rows, settings, observers, int(self.verbose), chooser, sure, seed).fit(workers)

    def settings(self, threads: int = 1) -> Settings:
        """The settings of a fit: its rules, and when it ends."""
        return Settings(
            rules=self.rules(),
            nu=math.nan if self.nu == AUTO else float(self.nu),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            time_limit=math.inf if self.time_limit is None else self.time_limit,
            threads=threads,
            closing=self.closing,
            device=self.device,
            crossover=self.crossover,
        )

    def _chooser(self) -> Chooser | None:
        """The function that chooses nu; None if nu is given."""
        return None


class LocalRows:
    """The `RowSource` of rows in this process."""

    def __init__(self, problems: Problems, starts: Sequence[Start | None]) -> None:
        self._problems = problems
        self.learner = problems.learner
        self.classes, self.encoding = problems.data.classes, problems.data.encoding
        self.is_joint = problems.sets[0].classes > 2
        self.starts = starts

    def sample(self, seed: int, threads: int) -> Sample:
        return draw_sample(self._problems.data, seed, joint=self.is_joint, threads=threads)

    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> AbstractContextManager[Training]:
        return nullcontext(Training(self._problems.sets[k], learner, start))
