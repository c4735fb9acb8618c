"""The fits of a classifier: one ensemble per game, after the choice of its nu."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from threading import Event, Lock
from typing import Any, Protocol

from frankboost.callbacks import Observer
from frankboost.choosing.calibration import HeldOutVotes, calibrate_each
from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.in_use import calibrate_together, to_common_scale, with_vote_in_use
from frankboost.choosing.joint_calibration import JointHeldOutVotes, joint_calibration
from frankboost.choosing.sample import Sample
from frankboost.choosing.search import ChoiceProblem
from frankboost.choosing.trials import Choice, NuResult
from frankboost.fitting.run import MIN_SECONDS, Settings, time_left
from frankboost.fitting.training import Training, kept_weights, make_listener
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Calibration, Ensemble, positives
from frankboost.progress import Live, is_terminal, live_progress
from frankboost.threads import fit_each

CHOICE_HEADER = "       nu  log-loss  error %   trees  seconds"

Chooser = Callable[[ChoiceProblem], Choice]


@dataclass(frozen=True, eq=False)
class ClassFit:
    """One ensemble, with held-out votes that calibrate it and the choice of its nu; each may be None."""

    ensemble: Ensemble
    held_out: HeldOutVotes | JointHeldOutVotes | None = None
    choice: Choice | None = None


class RowSource(Protocol):
    """The rows of a fit, wherever they are: in this process, on a device or on a cluster."""

    classes: Any
    encoding: Any
    is_joint: bool  # whether more than two classes are one game

    @property
    def learner(self) -> WeakLearner:
        """The weak learner, with the thresholds of these rows."""

    @property
    def starts(self) -> Sequence[Start | None]:
        """The start of the fit of each ensemble, if there is one."""

    def sample(self, seed: int, threads: int) -> Sample:
        """The rows that nu is chosen on."""

    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> AbstractContextManager[Training]:
        """The rows, prepared for the fit of the k-th ensemble; leaving the context releases them."""


@dataclass(frozen=True, eq=False)
class ClassFitter:
    """Fits the ensembles of all classes, one per game."""

    rows: RowSource
    settings: Settings
    observers: Sequence[Observer]
    verbose: int
    chooser: Chooser | None
    sure: bool  # whether the vote in use may have sure leaves
    seed: int

    def fit(self, workers: int) -> list[ClassFit]:
        """Fit each class, up to `workers` classes side by side."""
        count = len(self.rows.starts)
        seconds = TimeShares(self.settings.time_limit, count, workers)

        def fit(k: int, halt: Event) -> ClassFit:
            return self._fit_class(k, halt, replace(self.settings, time_limit=seconds.next_share()))

        fits = fit_each(fit, count, workers)
        return scale_fits(fits) if self.sure and self._is_one_vs_rest else fits

    @property
    def _is_one_vs_rest(self) -> bool:
        """Whether each of more than two classes has a fit of its own."""
        return len(self.rows.starts) > 1

    def _fit_class(self, k: int, halt: Event, settings: Settings) -> ClassFit:
        start_time, rows = time.perf_counter(), self.rows
        if self.chooser is None:
            with rows.training(k, settings, rows.learner, rows.starts[k]) as training:
                return ClassFit(self._fit_ensemble(training, k, halt, settings))
        if settings.time_limit <= MIN_SECONDS and self._is_one_vs_rest:  # no time to choose
            choice = Choice(OTHERWISE, math.inf, single_error=0.0)
        else:
            choice = self.chooser(self._choice_problem(k, halt, settings))
        if self.verbose and choice.path:
            print(f"chosen: {choice}", file=sys.stderr, flush=True)
        if choice.interrupted:
            halt.set()  # one Ctrl-C ends the fits of all classes
        seconds = max(time_left(settings, start_time), MIN_SECONDS)
        settings = replace(settings, nu=choice.nu, time_limit=seconds)
        learner, start = choice.learner or rows.learner, rows.starts[k] or choice.start
        with rows.training(k, settings, learner, start) as training:
            try:
                ensemble = self._fit_ensemble(training, k, halt, settings)
            except KeyboardInterrupt:  # in the first round
                if choice.ensemble is None:
                    raise
                halt.set()
                ensemble = self._fit_ensemble(training, k, halt, settings)  # the ensemble of the choice
            if not isinstance(choice.held_out, HeldOutVotes):
                return ClassFit(ensemble, choice.held_out, choice)
            problem, soft_margin_of = self._choice_problem(k, halt, settings), training.soft_margin_of
            fit = with_vote_in_use(choice, choice.held_out, ensemble, problem, soft_margin_of)
            return ClassFit(*fit, choice)

    def _choice_problem(self, k: int, halt: Event, settings: Settings) -> ChoiceProblem:
        return ChoiceProblem(
            data=self._sample.sets[k],
            carries=self._sample.carries,
            learner=self.rows.learner,
            settings=settings,
            halted=halt.is_set,
            reporting=partial(self._report_choice, k),
            patterns=self._sample.patterns,
            sure=self.sure,
            one_of_many=self._is_one_vs_rest,
        )

    @cached_property
    def _sample(self) -> Sample:
        """The rows that nu is chosen on, which are the same for all classes."""
        return self.rows.sample(self.seed, self.settings.threads)

    @contextmanager
    def _report_choice(self, k: int, heading: str) -> Iterator[Callable[[Any], None]]:
        """A function that prints each result of the choice of nu, if `verbose` asks for it."""
        if not self.verbose:
            yield lambda result: None
            return
        classes = self.rows.classes
        label = f" for {positives(classes).tolist()[k]!r}" if self._is_one_vs_rest else ""
        progress = ChoiceProgress(f"{heading}{label}", each=self.verbose > 1)
        try:
            yield progress
        finally:
            progress.clear()

    def _fit_ensemble(self, training: Training, k: int, halt: Event, settings: Settings) -> Ensemble:
        rows = self.rows
        facts = {
            "classes": rows.classes,
            "label": None if rows.is_joint else positives(rows.classes)[k],
            "encode": rows.encoding,
        }
        progress = [live_progress(settings.tol)] if self.verbose else []
        listener = make_listener([*self.observers, *progress], halt, facts)
        ensemble = training.fit(settings, listener, halt.is_set, partial(kept_weights, self.observers))
        for each in progress:
            each.close()
        if ensemble.certificate.status == "interrupted":
            halt.set()
        return ensemble


class TimeShares:
    """Shares the time limit of a fit among its classes: each gets an equal share of the time that is left."""

    def __init__(self, limit: float, classes: int, workers: int) -> None:
        self._end = time.perf_counter() + limit
        self._waiting, self._workers = classes, workers
        self._lock = Lock()

    def next_share(self) -> float:
        """The seconds of the next class."""
        with self._lock:
            turns = -(-self._waiting // self._workers)
            self._waiting -= 1
            return max((self._end - time.perf_counter()) / turns, MIN_SECONDS)


class ChoiceProgress(Live):
    """Prints the result of each nu: on one line that is rewritten, or, with `each`, on a line of its own.

    The lines begin with `heading`, or follow it.
    """

    def __init__(self, heading: str, *, each: bool) -> None:
        terminal = sys.stderr if is_terminal(sys.stderr) and not each else None
        super().__init__(sys.stderr, terminal, every=0.0 if each else 0.2 if terminal else 1.0, lines=True)
        self._heading, self._each = heading, each
        if each:
            self.line(f"{heading}\n{CHOICE_HEADER}")

    def __call__(self, at: NuResult) -> None:
        """Print the result of one nu."""
        if self._each:
            numbers = f"{at.loss:>9.4f} {100.0 * at.error:>8.2f} {at.hypotheses:>7.1f} {at.seconds:>8.2f}"
            self.line(f"{at.nu:>9.4g} {numbers}")
        else:
            found = f"nu = {at.nu:.4g}, log-loss {at.loss:.4f}, error {100.0 * at.error:.2f} %"
            self.show(lambda: f"{self._heading}: {found}")


def scale_fits(fits: Sequence[ClassFit]) -> list[ClassFit]:
    """Give the votes in use of all classes one scale.

    If no row of a class could be held out, its scale is not known. Then the optima become the votes in use.
    """
    held_out = [each.held_out for each in fits if isinstance(each.held_out, HeldOutVotes)]
    if len(held_out) < len(fits):
        return [replace(each, ensemble=each.ensemble.at_optimum()) for each in fits]
    scaled = zip(*to_common_scale([each.ensemble for each in fits], held_out), strict=True)
    return [
        replace(fit, ensemble=ensemble, held_out=votes)
        for fit, (ensemble, votes) in zip(fits, scaled, strict=True)
    ]


def calibrate_fits(fits: Sequence[ClassFit]) -> Calibration | None:
    """Calibrate the fits by their held-out votes; None unless every ensemble has such votes."""
    joint = [each.held_out for each in fits if isinstance(each.held_out, JointHeldOutVotes)]
    if joint:
        return joint_calibration(joint[0])
    held_out = [each.held_out for each in fits if isinstance(each.held_out, HeldOutVotes)]
    if len(held_out) < len(fits):
        return None
    has_common_scale = len(fits) > 1 and fits[0].ensemble.optimum is not None
    return calibrate_together(held_out) if has_common_scale else calibrate_each(held_out)
