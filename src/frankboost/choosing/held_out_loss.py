"""The log-loss of calibrated votes for held-out rows, along a path of nu."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np

from frankboost.choosing.calibration import HeldOutVotes, beta_calibration, log_loss
from frankboost.choosing.constants import CLOSE, COARSER, DEEP_GAP, RANKING_ROWS
from frankboost.choosing.leaves import can_have_sure_leaves, distinct_trees, fit_sure_leaves, order_trees
from frankboost.choosing.nu_path import are_few, is_deep
from frankboost.choosing.trials import NuResult, NuSearch, NuTrial, SureLeaves
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import Settings
from frankboost.fitting.training import Training, single_hypothesis_error, single_hypothesis_settings
from frankboost.learners.base import WeakLearner
from frankboost.learners.tree import Tree
from frankboost.model import Ensemble, weighted_vote
from frankboost.threads import fit_each
from frankboost.typing import AnyArray, Flags, Floats, Indices


class HeldOutLoss(NuSearch):
    """Compare values of nu by the log-loss of calibrated votes for held-out rows.

    Each of `held_out` masks the rows that one of the fits leaves out. If rows are few, the first `nu_parts`
    masks choose nu; None: all. The fits may search a coarser class than the learner's (`WeakLearner.coarse`).
    `leaf_rows` masks the rows that sure leaves are fitted to. Ctrl-C raises KeyboardInterrupt, and so does
    `halted`.
    """

    def __init__(
        self,
        data: TrainingSet,
        learner: WeakLearner,
        settings: Settings,
        held_out: Iterable[Flags],
        *,
        distinct: int,
        leaf_rows: Flags,
        nus: Sequence[float] | None = None,
        nu_parts: int | None = None,
        halted: Callable[[], bool] = lambda: False,
    ) -> None:
        self.nus, self.learner, self.rows = nus, learner, distinct
        self.tol = self._tolerance(settings.tol)
        self._settings = replace(settings, tol=self.tol)
        self._data = data
        self._halted = halted
        self._masks, self._leaf_rows = list(held_out), leaf_rows
        coarse = learner.coarse()
        self._trainings = [
            Training(_merge_if_splitting(data.select(~mask), coarse), coarse) for mask in self._masks
        ]
        self._all_parts = range(len(self._masks))
        self._nu_parts = self._all_parts[: nu_parts if are_few(distinct) else None]
        self._ends = np.cumsum([int(mask.sum()) for mask in self._masks])
        self._row_weight = weight_of_one_row(data, distinct)
        self.error = self._single_error()

    def _tolerance(self, tol: float) -> float:
        """About the tolerance of the fit to all rows.

        It is larger with few rows, where chance decides more than a small gap does, and for trees deeper than
        2, where a small gap takes long.
        """
        deep = is_deep(getattr(self.learner, "max_depth", None))
        return max(tol * (COARSER if are_few(self.rows) else 1.0), DEEP_GAP if deep else CLOSE)

    def _held_out_votes(self, rows: Indices, votes: Floats) -> Any:
        """Votes for held-out rows, with what is known of these rows."""
        data, weight = self._data, self._data.plain_weight
        return HeldOutVotes(
            votes=votes,
            target=data.y[rows] > 0.0,
            weight=weight[rows],
            row_weight=self._row_weight,
            threshold=_equal_cost_log_odds(data),
            total_weight=float(weight.sum()),
        )

    def _single_error(self) -> float:
        """e, the training error of the best single hypothesis: the mean over the fits."""
        fits = self._fit_parts(single_hypothesis_settings(self._settings), self._all_parts)
        return float(np.mean([single_hypothesis_error(each) for each in fits]))

    def _fit_parts(self, settings: Settings, parts: range) -> list[Ensemble]:
        """Make one fit for each of these held-out parts, side by side."""
        workers = min(settings.threads, len(parts))
        each = replace(settings, threads=max(1, settings.threads // workers))

        def fit(k: int, halt: Event) -> Ensemble:
            def halted() -> bool:
                return halt.is_set() or self._halted()

            ensemble = self._trainings[parts[k]].fit(each, halted=halted)
            if halted() or ensemble.certificate.status == "interrupted":
                raise KeyboardInterrupt  # an interrupted fit cannot be compared
            return ensemble

        return fit_each(fit, len(parts), workers)

    def fit_at(self, nu: float, seconds: float) -> NuTrial:
        """Fit at another nu, and compute the loss."""
        return self._trial(nu, self._fit_parts(self._settings_at(nu, seconds), self._nu_parts))

    def with_all_parts(self, trial: NuTrial, seconds: float) -> NuTrial:
        """The trial with the fits that leave out the other held-out parts, too."""
        nu, others = trial.result.nu, self._all_parts[len(trial.ensembles) :]
        if not others:
            return trial
        return self._trial(nu, [*trial.ensembles, *self._fit_parts(self._settings_at(nu, seconds), others)])

    def _settings_at(self, nu: float, seconds: float) -> Settings:
        return replace(self._settings, nu=nu, time_limit=seconds)

    def _trial(self, nu: float, ensembles: Sequence[Ensemble]) -> NuTrial:
        """The trial of these fits, the first of all."""
        held_out = self._with_votes([partial(_vote, each, self._settings.threads) for each in ensembles])
        losses = self._losses(held_out)
        result = NuResult(
            nu=nu,
            loss=float(np.mean(losses)),
            error=held_out.error,
            losses=losses,
            soft_margin=float(np.mean([each.certificate.soft_margin for each in ensembles])),
            bound=float(np.mean([each.certificate.bound for each in ensembles])),
            hypotheses=float(np.mean([len(each.weights) for each in ensembles])),
            seconds=float(np.mean([each.trace[-1].seconds for each in ensembles])),
            rounds=float(np.mean([len(each.trace) for each in ensembles])),
        )
        return NuTrial(result, ensembles, held_out)

    def best(self, trials: Sequence[NuTrial]) -> NuTrial:
        """The trial of least loss.

        Unless the user gave the values of nu, the error decides between losses that are close, and votes of
        chance are left out.
        """
        if self.nus is not None:
            return _least_error(trials, 0.0)
        useful = [each for each in trials if not each.result.is_chance(self.tol)] or trials[:1]
        decided = [each for each in useful if each.result.is_decided(self.error, self.tol)]
        return _least_error(decided or useful, CLOSE)

    def with_sure_leaves(self, trial: NuTrial, trials: Sequence[NuTrial]) -> NuTrial:
        """The trial with sure leaves (`choosing.leaves`), if its trees can have them.

        With `RANKING_ROWS` rows or more, equal rows included, the trees of all trials get sure leaves. The
        held-out rows choose the number of passes.
        """
        if not can_have_sure_leaves(trial.ensembles):
            return trial
        masks = self._masks[: len(trial.ensembles)]
        rows = [self._data.select(~mask & self._leaf_rows) for mask in masks]
        threads, found = self._settings.threads, trial
        enough = float(self._data.plain_weight.sum()) >= RANKING_ROWS * self._row_weight
        trees = [_trees_of_part(k, [trial, *(trials if enough else [])]) for k in range(len(rows))]
        fits = [
            fit_sure_leaves(some, each.X, each.y > 0.0, each.plain_weight / self._row_weight)
            for some, each in zip(trees, rows, strict=True)
        ]
        for passes, parts in enumerate(zip(*fits, strict=True)):
            scale = max(each.scale for each in parts)
            held_out = self._with_votes([partial(each.vote, scale=scale, threads=threads) for each in parts])
            loss = float(np.mean(self._losses(held_out)))
            if found.sure is not None and loss >= found.sure.loss:
                break
            found = replace(trial, held_out=held_out, sure=SureLeaves(passes, loss, scale, parts))
        return found

    def _with_votes(self, votes: Sequence[Callable[[Floats], Floats]]) -> Any:
        """The held-out rows with the votes of the fit that left them out."""
        pairs = list(zip(votes, self._masks, strict=False))
        rows = np.concatenate([np.flatnonzero(mask) for _, mask in pairs])
        return self._held_out_votes(rows, np.concatenate([vote(self._data.X[mask]) for vote, mask in pairs]))

    def _losses(self, held_out: Any) -> tuple[float, ...]:
        """The loss in each held-out part, under one calibration for all parts."""
        calibration = beta_calibration(held_out)
        parts = map(self._split, (held_out.votes, held_out.target, held_out.weight))
        return tuple(log_loss(calibration, HeldOutVotes(*part)) for part in zip(*parts, strict=True))

    def _split(self, values: AnyArray) -> list[AnyArray]:
        """Split values for the held-out rows by part."""
        return np.split(values, self._ends[self._ends < len(values)])


def _trees_of_part(k: int, trials: Sequence[NuTrial]) -> list[Tree]:
    """The distinct trees of the fits that leave out part k, those of the first trial first."""
    fits = [each.ensembles[k] for each in trials if k < len(each.ensembles)]
    return distinct_trees(tree for ensemble in fits for tree in order_trees(ensemble))


def weight_of_one_row(data: TrainingSet, distinct: int) -> float:
    """The weight that counts as one row: 1, or less if the sum of all weights is below the number of
    patterns."""
    return min(1.0, float(data.plain_weight.sum()) / distinct)


def _vote(ensemble: Ensemble, threads: int, X: Floats) -> Floats:
    return weighted_vote(ensemble.hypotheses, ensemble.weights, X, threads)


def _equal_cost_log_odds(data: TrainingSet) -> float:
    """The log-odds at which an error costs the same for either class."""
    other, own = data.factors
    return math.log(other / own)


def _least_error(trials: Sequence[NuTrial], close: float) -> NuTrial:
    """The trial of least error among those whose loss is close to the least loss; in a tie, the last one."""
    most = (1.0 + close) * min(each.result.loss for each in trials)
    near = [each for each in reversed(trials) if each.result.loss <= most]
    return min(near, key=lambda each: each.result.error)


def _merge_if_splitting(data: TrainingSet, learner: WeakLearner) -> TrainingSet:
    return data.with_merged_rows() if learner.splits_features else data
