"""The fits of a classifier: one ensemble per class, after the choice of its nu."""

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
from frankboost.choosing.calibration import HeldOut, calibration_of
from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.in_use import in_use
from frankboost.choosing.joint_calibration import VotesTogether, joint_calibration
from frankboost.choosing.one_scale import one_calibration, one_scale
from frankboost.choosing.sample import Sample
from frankboost.choosing.search import Case
from frankboost.choosing.trials import Choice, Tried
from frankboost.fitting.run import SHORT, Settings, time_left
from frankboost.fitting.threads import fit_each
from frankboost.fitting.training import Training, kept_weights, listening
from frankboost.learners.base import Start, WeakLearner
from frankboost.model import Calibration, Ensemble, positives
from frankboost.progress import Live, is_terminal, live_progress

CHOICE_HEADER = "       nu  log-loss  error %   trees  seconds"

Chooser = Callable[[Case], Choice]


@dataclass(frozen=True, eq=False)
class ClassFit:
    """One ensemble; how its nu was chosen, or None; and held-out votes that calibrate it, or None."""

    ensemble: Ensemble
    held_out: HeldOut | VotesTogether | None = None
    choice: Choice | None = None


class Place(Protocol):
    """Where the rows are that are fitted, and what is known of them."""

    classes: Any
    encoding: Any
    is_joint: bool  # whether many classes are one game

    @property
    def learner(self) -> WeakLearner:
        """The weak learner, with what it knows of the rows."""

    @property
    def starts(self) -> Sequence[Start | None]:
        """Where the fits begin, one for each ensemble."""

    def sample(self, seed: int, threads: int) -> Sample:
        """The rows that nu is chosen on."""

    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> AbstractContextManager[Training]:
        """The rows made ready for the fit of an ensemble, until the context is left."""


@dataclass(frozen=True, eq=False)
class ClassFits:
    """What the fits of all classes share."""

    place: Place
    settings: Settings
    observers: Sequence[Observer]
    verbose: int
    chooser: Chooser | None = None
    sure: bool = False  # whether leaves may say how sure they are
    seed: int = 0

    def run(self, workers: int) -> list[ClassFit]:
        """Fit each class, so many side by side."""
        count = len(self.place.starts)
        seconds = Seconds(self.settings.time_limit, count, workers)

        def fit(k: int, halt: Event) -> ClassFit:
            return self._fit(k, halt, replace(self.settings, time_limit=seconds.share()))

        fits = fit_each(fit, count, workers)
        return on_one_scale(fits) if self.sure and self._one_vs_rest else fits

    @property
    def _one_vs_rest(self) -> bool:
        """Whether each of more than two classes has a fit of its own."""
        return len(self.place.starts) > 1

    def _fit(self, k: int, halt: Event, settings: Settings) -> ClassFit:
        begun, place = time.perf_counter(), self.place
        if self.chooser is None:
            with place.training(k, settings, place.learner, place.starts[k]) as training:
                return ClassFit(self._trained(training, k, halt, settings))
        late = settings.time_limit <= SHORT and len(place.starts) > 1
        in_no_time = Choice(OTHERWISE, math.inf, single_error=0.0)
        choice = in_no_time if late else self.chooser(self._case(k, halt, settings))
        if self.verbose and choice.path:
            print(f"chosen: {choice}", file=sys.stderr, flush=True)
        if choice.interrupted:
            halt.set()  # one Ctrl-C ends the fits of all classes
        left = max(time_left(settings, begun), SHORT)
        settings = replace(settings, nu=choice.nu, time_limit=left)
        learner, start = choice.learner or place.learner, place.starts[k] or choice.start
        with place.training(k, settings, learner, start) as training:
            try:
                ensemble = self._trained(training, k, halt, settings)
            except KeyboardInterrupt:  # in the very first round
                if choice.ensemble is None:
                    raise
                halt.set()
                ensemble = self._trained(training, k, halt, settings)  # what the choice found
            if not isinstance(choice.held_out, HeldOut):
                return ClassFit(ensemble, choice.held_out, choice)
            case = self._case(k, halt, settings)
            return ClassFit(*in_use(choice, choice.held_out, ensemble, case, training.reached), choice)

    def _case(self, k: int, halt: Event, settings: Settings) -> Case:
        some, telling = self._sample, partial(self._telling, k)
        return Case(
            some.sets[k],
            some.carries,
            self.place.learner,
            settings,
            halt.is_set,
            telling,
            some.patterns,
            self.sure,
            self._one_vs_rest,
        )

    @cached_property
    def _sample(self) -> Sample:
        """Which all classes share."""
        return self.place.sample(self.seed, self.settings.threads)

    @contextmanager
    def _telling(self, k: int, what: str) -> Iterator[Callable[[Any], None]]:
        """The function that prints how the choice of nu goes, if `verbose` asks for it."""
        if not self.verbose:
            yield lambda tried: None
            return
        classes = self.place.classes
        one = len(classes) == 2 or self.place.is_joint
        label = "" if one else f" for {positives(classes).tolist()[k]!r}"
        progress = ChoiceProgress(f"{what}{label}", each=self.verbose > 1)
        try:
            yield progress
        finally:
            progress.clear()

    def _trained(self, training: Training, k: int, halt: Event, settings: Settings) -> Ensemble:
        place = self.place
        facts = {
            "classes": place.classes,
            "label": None if place.is_joint else positives(place.classes)[k],
            "encode": place.encoding,
        }
        progress = [live_progress(settings.tol)] if self.verbose else []
        listener = listening([*self.observers, *progress], halt, facts)
        ensemble = training.fit(settings, listener, halt.is_set, partial(kept_weights, self.observers))
        for each in progress:
            each.close()
        if ensemble.certificate.status == "interrupted":
            halt.set()
        return ensemble


class Seconds:
    """The time of a fit, shared among its classes: each gets an equal share of the time that is left."""

    def __init__(self, limit: float, problems: int, workers: int) -> None:
        self._end = time.perf_counter() + limit
        self._waiting, self._workers = problems, workers
        self._lock = Lock()

    def share(self) -> float:
        """The seconds of the next class."""
        with self._lock:
            turns = -(-self._waiting // self._workers)
            self._waiting -= 1
            return max((self._end - time.perf_counter()) / turns, SHORT)


class ChoiceProgress(Live):
    """Print each nu that is tried: on one line that is rewritten, or on a line of its own.

    `what` is said before them, such as the class that nu is chosen for.
    """

    def __init__(self, what: str, *, each: bool) -> None:
        terminal = sys.stderr if is_terminal(sys.stderr) and not each else None
        super().__init__(sys.stderr, terminal, every=0.0 if each else 0.2 if terminal else 1.0, lines=True)
        self._what, self._each = what, each
        if each:
            self.line(f"{what}\n{CHOICE_HEADER}")

    def __call__(self, at: Tried) -> None:
        """Print what was found at one nu."""
        if self._each:
            numbers = f"{at.loss:>9.4f} {100.0 * at.error:>8.2f} {at.hypotheses:>7.1f} {at.seconds:>8.2f}"
            self.line(f"{at.nu:>9.4g} {numbers}")
        else:
            found = f"nu = {at.nu:.4g}, log-loss {at.loss:.4f}, error {100.0 * at.error:.2f} %"
            self.show(lambda: f"{self._what}: {found}")


def on_one_scale(fits: Sequence[ClassFit]) -> list[ClassFit]:
    """The fits of classes against the rest, with votes in use of one scale.

    These are the optima if the scale of a class is not known, since none of its rows could be held out.
    """
    parts = [each.held_out for each in fits if isinstance(each.held_out, HeldOut)]
    if len(parts) < len(fits):
        return [replace(each, ensemble=each.ensemble.at_optimum()) for each in fits]
    scaled = zip(*one_scale([each.ensemble for each in fits], parts), strict=True)
    return [
        replace(fit, ensemble=ensemble, held_out=part)
        for fit, (ensemble, part) in zip(fits, scaled, strict=True)
    ]


def calibration_by(fits: Sequence[ClassFit]) -> Calibration | None:
    """The calibration by held-out votes; None unless every ensemble has such votes."""
    together = [each.held_out for each in fits if isinstance(each.held_out, VotesTogether)]
    if together:
        return joint_calibration(together[0])
    parts = [each.held_out for each in fits if isinstance(each.held_out, HeldOut)]
    if len(parts) < len(fits):
        return None
    has_one_scale = len(fits) > 1 and fits[0].ensemble.optimum is not None
    return one_calibration(parts) if has_one_scale else calibration_of(parts)
