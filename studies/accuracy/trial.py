"""One fit of one contestant to one split of one set, and what came of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from studies.running import machine

DONE = "done"
PACKAGES = ("lightgbm", "xgboost", "catboost", "interpret-core")


@dataclass(frozen=True)
class Trial:
    """What is fitted, by name, and under which conditions."""

    set: str
    split: int
    model: str
    train_rows: int
    test_rows: int
    threads: int

    @property
    def key(self) -> tuple[str, int, str]:
        """What it is known by among the results, which all have the same conditions."""
        return self.set, self.split, self.model


@dataclass(frozen=True)
class Score:
    """How it did on the test rows: the share of wrong labels, area under the ROC curve, mean log-loss.

    `m` and `m_test` are the rows of both kinds, `d` the columns; seconds are by the wall clock.
    """

    m: int
    d: int
    m_test: int
    error: float
    auc: float
    log_loss: float
    fit_seconds: float
    predict_seconds: float
    trees: int | None


@dataclass(frozen=True)
class Failure:
    """Why there is no score."""

    status: Literal["time", "crash", "error"]
    message: str


def line(trial: Trial, result: Score | Failure) -> dict[str, Any]:
    """The line of a result: the trial, what came of it, when, where and with which versions."""
    content = asdict(result) if isinstance(result, Failure) else {"status": DONE, **asdict(result)}
    about = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.hardware(),
        "versions": machine.versions() | _others(),
    }
    return {**asdict(trial), **content, **about}


def _others() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
