"""The outcomes of a study: which belong together, what they are called, and when and where they were made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frankboost.experiments.comparison import OURS
from frankboost.experiments.outcome import Outcome
from frankboost.report.numbers import Amount, listed
from frankboost.report.paper_numbers import PAPER, PaperSet

LABELS = {
    OURS: "LevelBoost",
    "LPB": "LPB",
    "ERLPB": "ERLPB",
    "FW": "MLPB (SS only)",
    "PFW": "MLPB (PFW only)",
    "MLPB-SS": "MLPB (SS)",
    "MLPB-PFW": "MLPB (PFW)",
}


def label(algorithm: str) -> str:
    """The name that an algorithm is shown by."""
    return LABELS.get(algorithm, algorithm)


def cpu_time(outcome: Outcome) -> Amount | None:
    """CPU seconds to the gap asked for: more than the limit, if that struck; None if the trial failed."""
    if outcome.struck:
        return Amount(outcome.trial.time_limit, ">")
    return Amount(outcome.fit.cpu_seconds, "" if outcome.closed else ">") if outcome.done else None


class Outcomes(tuple[Outcome, ...]):
    """Outcomes in the order of their trials."""

    __slots__ = ()

    def filter(self, condition: Callable[[Outcome], object]) -> Outcomes:
        """Those that meet a condition."""
        return Outcomes(filter(condition, self))

    def where(self, **settings: object) -> Outcomes:
        """Those whose trials have these settings."""
        return self.filter(lambda o: all(getattr(o.trial, name) == settings[name] for name in settings))

    @property
    def done(self) -> Outcomes:
        """Those with a result."""
        return self.filter(lambda outcome: outcome.done)

    def tests(self) -> Outcomes:
        """Those for test errors: the last of each set, algorithm and partition, at whatever nu it was."""
        by_date = sorted(self.where(part="errors"), key=lambda outcome: outcome.date)
        trials = ((outcome.trial, outcome) for outcome in by_date)
        last = {(trial.set_name, trial.algorithm, trial.partition): outcome for trial, outcome in trials}
        return Outcomes(last.values())

    def by(self, setting: str) -> dict[Any, Outcomes]:
        """Groups of the trials that agree in a setting, in order of appearance."""
        values = dict.fromkeys(getattr(outcome.trial, setting) for outcome in self)
        return {value: self.where(**{setting: value}) for value in values}

    def by_set(self) -> dict[str, Outcomes]:
        """Groups by data set, in the order of the paper, then of the alphabet."""
        groups = self.by("set_name")
        rank = {name: k for k, name in enumerate(PAPER)}
        order = sorted(groups, key=lambda name: (rank.get(groups[name][0].trial.dataset, len(rank)), name))
        return {name: groups[name] for name in order}

    def by_algorithm(self) -> dict[str, Outcomes]:
        """Groups by algorithm, LevelBoost first, then in the order of the paper."""
        groups = self.by("algorithm")
        known = [name for name in LABELS if name in groups]
        return {name: groups[name] for name in [*known, *sorted(groups.keys() - LABELS.keys())]}

    @property
    def nus(self) -> list[float]:
        """The values of nu, in order."""
        return sorted({float(outcome.trial.nu) for outcome in self})

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the trials."""
        return tuple(outcome.key for outcome in self)

    @property
    def shape(self) -> tuple[int, int] | None:
        """All rows of the set, those for testing included, and its features; None if every trial failed."""
        fit = next((outcome.fit for outcome in self if outcome.done), None)
        return (fit.m + fit.m_test, fit.n_features) if fit else None

    @property
    def paper(self) -> PaperSet | None:
        """The paper's set of that name."""
        names = (outcome.trial.dataset for outcome in self)
        return next((PAPER[name] for name in names if name in PAPER), None)

    @property
    def same_as_paper(self) -> PaperSet | None:
        """The paper's set, if these are about it as far as its shape tells."""
        paper = self.paper
        return paper if paper and self.shape == (paper.m, paper.n_features) else None

    @property
    def endings(self) -> str:
        """How many did not close their gap, and why: "3 of 5 struck the limit"."""
        why = [_ending(outcome) for outcome in self if not outcome.closed]
        return ", ".join(f"{why.count(reason)} of {len(self)} {reason}" for reason in dict.fromkeys(why))

    def values(self, setting: str) -> str:
        """All values of a setting, in order."""
        known = {getattr(outcome.trial, setting) for outcome in self} - {None}
        return listed(f"{value:g}" for value in sorted(known))

    @property
    def thresholds(self) -> str:
        """How many the trees may choose from, per feature."""
        bins = {outcome.trial.max_bins for outcome in self}
        some = [f"at most {number} thresholds a feature" for number in sorted(filter(None, bins))]
        return listed(["all thresholds", *some] if None in bins else some, "or")

    @property
    def machine(self) -> str:
        """The machine and the versions, in one line; all of them, if they changed on the way."""
        return "; also ".join(dict.fromkeys(map(_machine, self))) or "unknown machine"

    @property
    def date(self) -> str:
        """The first and the last day."""
        days = sorted({outcome.date[:10] for outcome in self} - {""})
        return " to ".join([days[0], *days[1:][-1:]]) if days else "unknown date"


def _ending(outcome: Outcome) -> str:
    if outcome.struck:
        return "struck the limit"
    if outcome.failure:
        return f"failed ({outcome.failure.kind})"
    status = outcome.fit.certificate.status
    return "ran out of rounds" if status == "max_iter" else status


def _machine(outcome: Outcome) -> str:
    about = outcome.machine
    hardware = [
        str(about.get("cpu", "unknown CPU")),
        f"{about.get('cores', '?')} cores",
        str(about.get("memory", "unknown memory")),
        str(about.get("os", "unknown system")),
    ]
    versions = [f"{name} {version}" for name, version in outcome.versions.items()]
    return ", ".join(hardware) + (f"; {', '.join(versions)}" if versions else "")
