"""What became of a trial: the record of a result, and its form as a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeVar

from frankboost.certificate import Certificate
from frankboost.experiments.trial import Trial

T = TypeVar("T")

LIMITS = {"time_limit", "memory_limit"}
CURVES = {"trace", "test_curve"}
CERTIFIED = ("soft_margin", "bound", "gap", "exact", "status", "hypothesis_class")

FailureKind = Literal["time", "hung", "memory", "error", "crash"]


@dataclass(frozen=True)
class Failure:
    """Why a trial has no result."""

    kind: FailureKind
    message: str


@dataclass(frozen=True)
class TraceCurve:
    """Some rounds of a trace; a bound that is not about the hypothesis class is None."""

    round: list[int]
    cpu_seconds: list[float]
    soft_margin: list[float]
    bound: list[float | None]
    hypotheses: list[int]
    support: list[int]
    secondary: list[int]


@dataclass(frozen=True)
class ErrorCurve:
    """The test error of the best ensemble known after some of the rounds."""

    round: list[int]
    cpu_seconds: list[float]
    test_error: list[float]


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
        return self.done and self.fit.certificate.status == "optimal"

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
        mine, asked = asdict(self.trial), asdict(trial)
        apart = {name for name in asked if mine[name] != asked[name]}
        return not apart or (apart <= LIMITS and self._within_limits_of(trial))

    def _within_limits_of(self, trial: Trial) -> bool:
        return (
            self.done
            and not self.struck
            and self.fit.cpu_seconds <= trial.time_limit
            and self.fit.peak_memory <= trial.memory_limit
        )

    def to_json(self, *, curves: bool = True) -> dict[str, Any]:
        """Its line of results, as an object of JSON, with or without the curves of the fit."""
        content: dict[str, Any] = {"failure": self.failure and asdict(self.failure)}
        if self.done:
            promise = {name: getattr(self.fit.certificate, name) for name in CERTIFIED}
            content |= asdict(self.fit) | {"certificate": promise}
        about = {"date": self.date, "machine": self.machine, "versions": self.versions}
        status = "done" if self.done else "failed"
        line = {"key": self.key, **asdict(self.trial), "status": status, **content, **about}
        return line if curves else {name: value for name, value in line.items() if name not in CURVES}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Outcome:
        """Read a line of results.

        Raises
        ------
        ValueError
            If something is missing; the message names the key of the line and what it lacks.
        """
        if missing := _missing(line):
            raise ValueError(f"the run {line['key']!r} lacks {', '.join(missing)}")
        trial = _made(Trial, line)
        result = _made(Failure, line["failure"]) if line["status"] != "done" else _fit_summary(line, trial)
        about = line.get("machine") or {}, line.get("versions") or {}
        return cls(trial, result, line.get("date") or "", *about)


def _missing(line: Mapping[str, Any]) -> list[str]:
    """What a line lacks: what is not there, or null where that has no meaning."""
    status = ["status"] if line.get("status") is None else []
    if missing := [*_lacking(Trial, line), *status]:
        return missing
    if line["status"] != "done":
        return [f"failure.{name}" for name in _lacking(Failure, line.get("failure") or {})]
    curve = {"times": ["trace"], "curves": ["test_curve"]}.get(line["part"], [])
    needed = curve if line["split"] is None else [*curve, "test_error"]
    missing = [*_lacking(FitSummary, line), *(name for name in needed if line.get(name) is None)]
    promise = line.get("certificate") or {}
    return missing or [f"certificate.{name}" for name in CERTIFIED if promise.get(name) is None]


def _lacking(kind: type, entries: Mapping[str, Any]) -> list[str]:
    return [
        field.name
        for field in fields(kind)
        if entries.get(field.name) is None and not (field.name in entries and "None" in str(field.type))
    ]


def _made(kind: type[T], entries: Mapping[str, Any]) -> T:
    """A dataclass of the entries that it has fields for."""
    return kind(**{field.name: entries[field.name] for field in fields(kind)})  # type: ignore[arg-type]


def _fit_summary(line: Mapping[str, Any], trial: Trial) -> FitSummary:
    promise = {name: line["certificate"][name] for name in CERTIFIED if name != "gap"}
    nested = {
        "certificate": Certificate(**promise, tol=trial.tol, nu=trial.nu),
        "trace": line["trace"] and _made(TraceCurve, line["trace"]),
        "test_curve": line["test_curve"] and _made(ErrorCurve, line["test_curve"]),
    }
    return _made(FitSummary, {**line, **nested})
