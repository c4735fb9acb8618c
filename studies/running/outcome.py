"""The outcomes of trials, and their form as lines of JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from msgspec import ValidationError, convert

from frankboost.certificate import Certificate
from studies.running.curves import ErrorCurve, TraceCurve
from studies.running.trial import Trial

ACCURACY, LABELS = "accuracy", "labels"  # the parts whose results are scores
# Fields that older lines lack: settings, which have their defaults, and seconds.
LATER = {"stopping", "learner", "train_rows", "test_rows", "clock", "noise"}
SECONDS = {"oracle_seconds", "rule_seconds"}
CURVES = {"trace", "test_curve"}
CERTIFIED = ("soft_margin", "bound", "gap", "exact", "status", "hypothesis_class")
DEFAULTS = {field.name: field.default for field in fields(Trial)}


@dataclass(frozen=True)
class Failure:
    """Why a trial has no result."""

    kind: Literal["time", "hung", "memory", "error", "crash"]
    message: str


@dataclass(frozen=True)
class FitSummary:
    """The result of a fit; `data` is a hash of its rows, and `peak_memory` is in gigabytes."""

    m: int
    n_features: int
    m_test: int
    data: str
    certificate: Certificate
    rounds: int
    hypotheses: int
    support: int
    trace: TraceCurve | None
    test_curve: ErrorCurve | None
    cpu_seconds: float
    wall_seconds: float
    process_cpu_seconds: float
    peak_memory: float
    training_error: float
    test_error: float | None
    oracle_seconds: float | None = None
    rule_seconds: float | None = None


@dataclass(frozen=True)
class Score:
    """The scores of a contestant on test rows: the share of wrong labels, and scores of its probabilities.

    `auc` and `average_precision` (of the rarer class) are None for more than two classes. `rarest` is the
    share of the rarest class in the training rows. Seconds are by the wall clock. `trees` is None if the
    model is not made of trees, and for more than two classes. Older lines lack the fields with a default.
    """

    m: int
    n_features: int
    m_test: int
    test_error: float
    auc: float | None
    log_loss: float
    fit_seconds: float
    predict_seconds: float
    trees: int | None
    classes: int = 2
    rarest: float | None = None
    average_precision: float | None = None
    brier: float | None = None
    calibration_error: float | None = None


@dataclass(frozen=True)
class LabelScore:
    """The scores of a method that finds wrong labels.

    `found` of the `flagged` rows have wrong labels. `flagged_right` is the share of flagged rows among the
    rows with right labels that the Bayes rule gets right; None if that rule is not known. The errors are
    those of a model after dropping the flagged rows (`cleaned_error`), no rows (`dirty_error`), and all rows
    with wrong labels (`clean_error`). `seconds` is CPU time.
    """

    m: int
    wrong: int
    flagged: int
    found: int
    average_precision: float | None
    at_k: float | None
    flagged_right: float | None
    cleaned_error: float
    dirty_error: float
    clean_error: float
    seconds: float


Result = FitSummary | Score | LabelScore
SCORES: dict[str, type[Result]] = {ACCURACY: Score, LABELS: LabelScore}


@dataclass(frozen=True)
class Outcome:
    """A trial and its result or failure, with the date, the machine and the versions."""

    trial: Trial
    result: Result | Failure
    date: str
    machine: Mapping[str, Any]
    versions: Mapping[str, str]

    @property
    def key(self) -> str:
        """The key of the trial."""
        return self.trial.key

    @property
    def failure(self) -> Failure | None:
        """Why there is no result, if there is none."""
        return self.result if isinstance(self.result, Failure) else None

    @property
    def done(self) -> bool:
        """Whether there is a result."""
        return self.failure is None

    @property
    def fit(self) -> FitSummary:
        """The result; an AttributeError if there is none."""
        if self.failure is not None:
            raise AttributeError(f"{self.key} failed: {self.failure.message}")
        if not isinstance(self.result, FitSummary):
            raise AttributeError(f"{self.key} has a score")
        return self.result

    @property
    def score(self) -> Score:
        """The result of a contestant; an AttributeError if there is none."""
        if not isinstance(self.result, Score):
            raise AttributeError(f"{self.key} has no score")
        return self.result

    @property
    def labels(self) -> LabelScore:
        """The scores of finding wrong labels; an AttributeError if there are none."""
        if not isinstance(self.result, LabelScore):
            raise AttributeError(f"{self.key} found no labels")
        return self.result

    @property
    def closed(self) -> bool:
        """Whether the fit ended with gap <= tol."""
        return self.done and self.fit.certificate.status in ("optimal", "closed")

    @property
    def certified(self) -> bool:
        """Whether the ensemble is proved to be within `tol` of the optimum."""
        return self.done and self.fit.certificate.exact and self.fit.certificate.gap <= self.trial.tol

    @property
    def hit_limit(self) -> bool:
        """Whether the time limit ended the trial."""
        if self.failure is not None:
            return self.failure.kind == "time"
        return isinstance(self.result, FitSummary) and self.result.certificate.status == "time_limit"

    def is_of(self, trial: Trial) -> bool:
        """Whether this is the outcome of a trial.

        The limits may differ if neither the old nor the new limits would have ended the fit. The limits of a
        trial with a score do not matter.
        """
        if self.trial == trial or not self.done or self.hit_limit:
            return self.trial == trial
        asked = replace(trial, time_limit=self.trial.time_limit, memory_limit=self.trial.memory_limit)
        if asked != self.trial or not isinstance(self.result, FitSummary):
            return asked == self.trial
        memory = trial.memory_limit or math.inf
        return self.result.cpu_seconds <= trial.time_limit and self.result.peak_memory <= memory

    def to_json(self, *, curves: bool = True) -> dict[str, Any]:
        """The outcome as a JSON object, which is a line of results; `curves` includes the curves of a fit."""
        content: dict[str, Any] = {"failure": self.failure and asdict(self.failure)}
        if self.done:
            content |= asdict(self.result)
        if isinstance(self.result, FitSummary):
            content["certificate"] = {name: getattr(self.result.certificate, name) for name in CERTIFIED}
        about = {"date": self.date, "machine": self.machine, "versions": self.versions}
        status = "done" if self.done else "failed"
        line = {"key": self.key, **asdict(self.trial), "status": status, **content, **about}
        left_out = {name for name in LATER if line[name] == DEFAULTS[name]}
        left_out |= {name for name in SECONDS if line.get(name) is None}
        return {name: line[name] for name in line if name not in left_out | (set() if curves else CURVES)}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Outcome:
        """Read a line of results; a missing setting has its default.

        A ValueError names the key of the line and the mistake in it.
        """
        try:
            trial = convert(line, Trial)
            promise = {**(line.get("certificate") or {}), "tol": trial.tol, "nu": trial.nu}
            result: Result | Failure
            if line.get("status") != "done":
                result = convert(line.get("failure") or {}, Failure)
            else:
                kind = SCORES.get(trial.part, FitSummary)
                result = convert({**line, "certificate": promise}, kind)
        except ValidationError as error:
            raise ValueError(f"the run {line['key']!r}: {error}") from None
        return cls(trial, result, line.get("date", ""), line.get("machine", {}), line.get("versions", {}))
