"""Choose one nu for many classes that are fitted together, on rows that are held out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Event

import numpy as np

from frankboost.choosing.constants import PATIENCE, WORTH
from frankboost.choosing.held_out import Patterns
from frankboost.choosing.joint_calibration import VotesTogether, joint_calibration, mean_loss
from frankboost.choosing.search import Case, Tell
from frankboost.choosing.trials import Choice, Tried
from frankboost.fitting.run import SHORT
from frankboost.fitting.threads import fit_each
from frankboost.fitting.training import Training
from frankboost.model import Ensemble, weighted_vote
from frankboost.typing import Flags, Indices

NUS = (0.9, 0.6, 0.35, 0.2, 0.12, 0.07, 0.04, 0.02)
"""Values that are tried, in this order; the loss changes little between neighbours."""

ROWS = 300
"""Rows that are enough to hold out: by time, a fit is one of all classes."""

GAP = 0.03
"""A gap that decides nothing: a smaller one takes long and chooses no better."""


def choose_together(case: Case, fraction: float) -> Choice:
    """The nu of least log-loss, chosen in half of the time; no choice if no rows can be held out."""
    parts = together_parts(case.patterns, case.data.code, fraction)
    if not case.learner.generalises or not parts:
        return Choice.none()
    return _Path(case, parts).choice()


def together_parts(patterns: Patterns, code: Indices, fraction: float) -> list[Flags]:
    """The parts of the rows to hold out, with about the same share of each class; several if there are few
    rows.

    Equal rows are held out together. A class whose rows are all equal is never held out.
    """
    alone = np.array([patterns.of_class(code == c) < 2 for c in range(code.max() + 1)])[code]
    if alone.all():
        return []
    count = max(round(1.0 / fraction), 2)
    part = patterns.dealt(code, count)
    # A class with fewer rows than parts is in each of its own, so that every fit has another of its rows.
    masks = [mask for mask in ((part == k) & ~alone for k in range(count)) if mask.any()]
    sizes = np.cumsum([mask.sum() for mask in masks])
    return masks[: 1 + int(np.searchsorted(sizes, ROWS))]


class _Path:
    """The fits to the rows that are not held out, at one nu after another."""

    def __init__(self, case: Case, parts: Sequence[Flags]) -> None:
        self._case = case
        self._parts = parts
        learner = case.learner.coarse()
        self._trainings = [Training(case.data.part(~mask), learner) for mask in parts]
        self._settings = replace(case.settings, tol=max(case.settings.tol, GAP))
        self._rows = np.concatenate([np.flatnonzero(mask) for mask in parts])
        self._ends = np.cumsum([int(mask.sum()) for mask in parts])[:-1]

    def choice(self) -> Choice:
        """The best nu on the path; after an interrupt the best until then, if there is one."""
        tried: list[Tried] = []
        best: tuple[Tried, VotesTogether, Ensemble] | None = None
        interrupted = False
        with self._case.telling("choosing nu") as tell:
            try:
                for found in self._visits(tell):
                    tried.append(found[0])
                    best = found if best is None or found[0].loss < best[0].loss else best
            except KeyboardInterrupt:
                if best is None and not self._case.halted():
                    raise
                interrupted = True
        if best is None:
            return Choice.none()
        at, votes, ensemble = best
        return Choice(at.nu, at.loss, np.nan, tuple(tried), votes, ensemble=ensemble, interrupted=interrupted)

    def _visits(self, tell: Tell) -> Iterator[tuple[Tried, VotesTogether, Ensemble]]:
        """Fit at falling nu until the loss falls no more or time is up; the first nu is always fitted."""
        end = time.perf_counter() + self._case.settings.time_limit / 2.0
        least, waited = np.inf, 0
        for nu in NUS:
            left = end - time.perf_counter()
            if (left <= 0.0 and np.isfinite(least)) or waited >= PATIENCE:
                return
            tried, votes, ensembles = self._visit(nu, max(left, SHORT))
            tell(tried)
            yield tried, votes, ensembles[0]
            changed = tried.loss != least  # one choice of trees may have all the weight at many values
            waited = 0 if tried.loss < (1.0 - WORTH) * least else waited + changed
            least = min(least, tried.loss)

    def _visit(self, nu: float, seconds: float) -> tuple[Tried, VotesTogether, list[Ensemble]]:
        fits = self._fits(nu, seconds)
        data = self._case.data
        votes = np.concatenate(
            [
                weighted_vote(each.hypotheses, each.weights, data.X[mask], self._settings.threads)
                for each, mask in zip(fits, self._parts, strict=True)
            ]
        )
        held_out = VotesTogether(votes, data.y[self._rows].astype(np.intp), data.sample_weight[self._rows])
        calibration = joint_calibration(held_out)
        places = np.split(np.arange(len(votes)), self._ends)
        losses = tuple(mean_loss(calibration, held_out.part(some)) for some in places)
        mean = {
            name: float(np.mean([getattr(each.certificate, name) for each in fits]))
            for name in ("soft_margin", "bound")
        }
        tried = Tried(
            nu=nu,
            loss=mean_loss(calibration, held_out),
            error=held_out.error,
            losses=losses,
            hypotheses=float(np.mean([len(each.weights) for each in fits])),
            seconds=float(np.mean([each.trace[-1].seconds for each in fits])),
            rounds=float(np.mean([len(each.trace) for each in fits])),
            **mean,
        )
        return tried, held_out, fits

    def _fits(self, nu: float, seconds: float) -> list[Ensemble]:
        """A fit for each part, side by side."""
        workers = min(self._settings.threads, len(self._trainings))
        threads = max(1, self._settings.threads // workers)
        settings = replace(self._settings, nu=nu, time_limit=seconds, threads=threads)

        def fit(k: int, halt: Event) -> Ensemble:
            def halted() -> bool:
                return halt.is_set() or self._case.halted()

            ensemble = self._trainings[k].fit(settings, halted=halted)
            if halted() or ensemble.certificate.status == "interrupted":
                raise KeyboardInterrupt  # a search cut short has no best nu
            return ensemble

        return fit_each(fit, len(self._trainings), workers)
