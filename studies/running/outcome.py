"""What became of a trial: the record of a result, and its form as a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from msgspec import ValidationError, convert

from frankboost.certificate import Certificate
from studies.problems import TREE
from studies.running.curves import ErrorCurve, TraceCurve
from studies.running.trial import Trial

CURVES = {"trace", "test_curve"}
CERTIFIED = ("soft_margin", "bound", "gap", "exact", "status", "hypothesis_class")


@dataclass(frozen=True)
class Failure:
    """Why a trial has no result."""

    kind: Literal["time", "hung", "memory", "error", "crash"]
    message: str


@dataclass(frozen=True)
class FitSummary:
    """What there is to say about a fit; `data` is a digest of its rows, `peak_memory` is in gigabytes."""

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


@dataclass(frozen=True)
class Outcome:
    """A trial, what came of it, and when, where and with which versions."""

    trial: Trial
    result: FitSummary | Failure
    date: str
    machine: Mapping[str, Any]
    versions: Mapping[str, str]

    @property
    def key(self) -> str:
        """The name of the trial."""
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
        if isinstance(self.result, Failure):
            raise AttributeError(f"{self.key} failed: {self.result.message}")
        return self.result

    @property
    def closed(self) -> bool:
        """Whether the fit ended with gap <= tol."""
        return self.done and self.fit.certificate.status in ("optimal", "closed")

    @property
    def struck(self) -> bool:
        """Whether its time limit ended it."""
        if self.failure is not None:
            return self.failure.kind == "time"
        return self.fit.certificate.status == "time_limit"

    def answers(self, trial: Trial) -> bool:
        """Whether this is the outcome of a trial.

        One that was made under other limits counts if neither those nor these would have ended it.
        """
        if self.trial == trial or self.failure or self.struck:
            return self.trial == trial
        within = self.fit.cpu_seconds <= trial.time_limit and self.fit.peak_memory <= trial.memory_limit
        asked = replace(trial, time_limit=self.trial.time_limit, memory_limit=self.trial.memory_limit)
        return within and asked == self.trial

    def to_json(self, *, curves: bool = True) -> dict[str, Any]:
        """Its line of results, as an object of JSON, with or without the curves of the fit."""
        content: dict[str, Any] = {"failure": self.failure and asdict(self.failure)}
        if self.done:
            promise = {name: getattr(self.fit.certificate, name) for name in CERTIFIED}
            content |= asdict(self.fit) | {"certificate": promise}
        about = {"date": self.date, "machine": self.machine, "versions": self.versions}
        status = "done" if self.done else "failed"
        settings = asdict(self.trial)
        for name, usual in {"stopping": "gap", "learner": TREE}.items():
            if settings[name] == usual:
                del settings[name]  # older lines do not have it
        line = {"key": self.key, **settings, "status": status, **content, **about}
        return line if curves else {name: value for name, value in line.items() if name not in CURVES}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Outcome:
        """Read a line of results; a setting that it does not mention has its default.

        A ValueError names the key of the line and what it lacks.
        """
        try:
            trial = convert(line, Trial)
            result: FitSummary | Failure
            if line.get("status") == "done":
                promise = {**(line.get("certificate") or {}), "tol": trial.tol, "nu": trial.nu}
                result = convert({**line, "certificate": promise}, FitSummary)
            else:
                result = convert(line.get("failure") or {}, Failure)
        except ValidationError as error:
            raise ValueError(f"the run {line['key']!r}: {error}") from None
        return cls(trial, result, line.get("date", ""), line.get("machine", {}), line.get("versions", {}))
