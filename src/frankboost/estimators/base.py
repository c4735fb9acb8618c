"""The base class of all classifiers: their parameters, and how they are fitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.sample import Sample, sample_of
from frankboost.choosing.trials import Choice
from frankboost.estimators.algorithm_parameters import AUTO, SIGN, BoosterParameters
from frankboost.estimators.class_fits import Chooser, ClassFit, ClassFits, Place, calibration_by
from frankboost.estimators.cross_calibration import with_calibration
from frankboost.estimators.parameters import check_parameters, with_constructor
from frankboost.estimators.prediction import ModelClassifier, keep
from frankboost.fitting.problems import Problems
from frankboost.fitting.reached import is_interrupted, is_one_of_many, warn_of_limits, warn_of_nu
from frankboost.fitting.run import Settings
from frankboost.fitting.threads import one_blas_thread
from frankboost.fitting.training import Training
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Model
from frankboost.rules.base import Rule
from frankboost.saying import named, say
from frankboost.stopping import ProvedGap
from frankboost.threads import threads_for
from frankboost.typing import one_or_all


@with_constructor
class SoftMarginBooster(BoosterParameters, ModelClassifier):
    """Base class of the algorithms: a subclass says which rules it has."""

    if TYPE_CHECKING:
        nu_path_: Choice  # where nu was chosen; no parameter

    closing = ProvedGap  # for a tolerance: what says that the gap is closed
    crossover = 0.0  # a gap from which on a linear program over the hypotheses found takes over

    def rules(self) -> Sequence[Rule]:
        """The rules that propose weights in each round: they make the algorithm."""
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
        """Fit as `fit` does, with nu as `chooser` says, if there is one."""
        problems = Problems.of(self, X, y, sample_weight)
        with one_blas_thread():
            fits = self._class_fits(problems, chooser)
        model = problems.model([each.ensemble for each in fits])
        model = replace(model, calibration=calibration_by(fits))
        interrupted = is_interrupted(model.ensembles)
        if interrupted and is_one_of_many():
            raise KeyboardInterrupt
        if self.calibration is not None and not interrupted:
            model = with_calibration(self, model, X, y, sample_weight, data=problems.data)
        return self._keep(model, problems.data.encoding.columns, fits, chosen=problems.learner.generalises)

    def _keep(self, model: Model, columns: Any, fits: Sequence[ClassFit], *, chosen: bool) -> Self:
        """Keep what was fitted, and warn of what its user may not have meant."""
        choices = [each.choice for each in fits if each.choice is not None]
        keep(self, model, columns, **({"nu_path_": one_or_all(choices)} if choices else {}))
        if (
            chosen
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

    def _class_fits(self, problems: Problems, chooser: Chooser | None) -> list[ClassFit]:
        jobs = threads_for(self.n_jobs)
        # What is watched happens in order.
        workers = 1 if self.verbose or self.callbacks else min(jobs, len(problems.sets))
        features = problems.data.X.shape[1]
        goes_on = self.warm_start and self.__sklearn_is_fitted__() and self.n_features_in_ == features
        starts = problems.starts(self.model_ if goes_on else None)
        return self._fits(
            RowsHere(problems, starts), self.settings(max(1, jobs // workers)), chooser, workers
        )

    def _fits(
        self, place: Place, settings: Settings, chooser: Chooser | None, workers: int = 1
    ) -> list[ClassFit]:
        """The fits of all classes, so many side by side."""
        sure = getattr(self, "leaves", SIGN) != SIGN and not place.is_joint
        seed = int(getattr(self, "random_state", 0) or 0)
        observers = list(self.callbacks or [])
        return ClassFits(place, settings, observers, int(self.verbose), chooser, sure, seed).run(workers)

    def settings(self, threads: int = 1) -> Settings:
        """The settings of a fit: the algorithm, and when it ends."""
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


class RowsHere:
    """What `fit` was given, as a `Place`."""

    def __init__(self, problems: Problems, starts: Sequence[Start | None]) -> None:
        self._problems = problems
        self.learner = problems.learner
        self.classes, self.encoding = problems.data.classes, problems.data.encoding
        self.is_joint = problems.sets[0].classes > 2
        self.starts = starts

    def sample(self, seed: int, threads: int) -> Sample:
        """The rows that nu is chosen on."""
        return sample_of(self._problems.data, seed, joint=self.is_joint, threads=threads)

    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> AbstractContextManager[Training]:
        """The training on the rows, with equal rows merged."""
        return nullcontext(Training(self._problems.sets[k], learner, start))
