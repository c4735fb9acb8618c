"""The outcomes of a study: which belong together, what they are called, and when and where they were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from studies.algorithms import OURS
from studies.report.numbers import Amount, listed
from studies.report.paper_numbers import PAPER, PaperSet
from studies.running.outcome import Outcome

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

    def where(self, **settings: Any) -> Outcomes:
        """Those whose trials have these settings."""
        wanted = settings.items()
        return self.filter(lambda each: all(getattr(each.trial, name) == value for name, value in wanted))

    @property
    def done(self) -> Outcomes:
        """Those with a result."""
        return self.filter(lambda outcome: outcome.done)

    @property
    def closed(self) -> Outcomes:
        """Those with gap <= tol."""
        return self.filter(lambda outcome: outcome.closed)

    def tests(self) -> Outcomes:
        """Those for test errors: the last of each set, algorithm and partition, at whatever nu it was."""
        by_date = sorted(self.where(part="errors"), key=lambda outcome: outcome.date)
        last = {(each.trial.set_name, each.trial.algorithm, each.trial.partition): each for each in by_date}
        return Outcomes(last.values())

    def by(self, setting: str) -> dict[Any, Outcomes]:
        """Groups of the trials that agree in a setting, in order of appearance."""
        groups: dict[Any, list[Outcome]] = {}
        for outcome in self:
            groups.setdefault(getattr(outcome.trial, setting), []).append(outcome)
        return {value: Outcomes(group) for value, group in groups.items()}

    def by_set(self) -> dict[str, Outcomes]:
        """Groups by data set, in the order of the paper, then of the alphabet."""
        groups = self.by("set_name").items()
        return dict(sorted(groups, key=lambda item: (_rank(PAPER, item[1][0].trial.dataset), item[0])))

    def by_algorithm(self) -> dict[str, Outcomes]:
        """Groups by algorithm, LevelBoost first, then in the order of the paper."""
        return dict(sorted(self.by("algorithm").items(), key=lambda item: (_rank(LABELS, item[0]), item[0])))

    def by_set_and_algorithm(self) -> list[Outcomes]:
        """Groups by both."""
        return [same for of_set in self.by_set().values() for same in of_set.by_algorithm().values()]

    @property
    def rivals(self) -> list[str]:
        """The algorithms other than LevelBoost."""
        return [name for name in self.by_algorithm() if name != OURS]

    @property
    def nus(self) -> list[float]:
        """The values of nu, in order."""
        return sorted({float(outcome.trial.nu) for outcome in self})

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the trials."""
        return tuple(outcome.key for outcome in self)

    @property
    def cpu_seconds(self) -> float:
        """Those of all fits that are done."""
        return sum(outcome.fit.cpu_seconds for outcome in self.done)

    @property
    def shape(self) -> tuple[int, int] | None:
        """All rows of the set, those for testing included, and its features; None if every trial failed."""
        return next(((each.fit.m + each.fit.m_test, each.fit.n_features) for each in self.done), None)

    @property
    def paper(self) -> PaperSet | None:
        """The paper's set of that name."""
        return next((PAPER[each.trial.dataset] for each in self if each.trial.dataset in PAPER), None)

    @property
    def same_as_paper(self) -> PaperSet | None:
        """The paper's set, if these are about it as far as its shape tells."""
        paper = self.paper
        return paper if paper and self.shape == (paper.m, paper.n_features) else None

    @property
    def endings(self) -> str:
        """How many did not close their gap, and why: "3 of 5 struck the limit"."""
        why = Counter(_ending(outcome) for outcome in self if not outcome.closed)
        return ", ".join(f"{number} of {len(self)} {reason}" for reason, number in why.items())

    def values(self, setting: str) -> str:
        """All values of a setting, in order."""
        return listed(f"{value:g}" for value in sorted({getattr(each.trial, setting) for each in self}))

    @property
    def thresholds(self) -> str:
        """How many the trees may choose from, per feature."""
        bins = {outcome.trial.max_bins for outcome in self}
        some = [f"at most {number} thresholds per feature" for number in sorted(filter(None, bins))]
        return listed(["all thresholds", *some] if None in bins else some, "or")

    @property
    def machine(self) -> str:
        """The machine and the versions, in one line; all of them, if they changed on the way."""
        return "; also ".join(filter(None, dict.fromkeys(map(_machine, self)))) or "unknown machine"

    @property
    def date(self) -> str:
        """The first and the last day."""
        days = sorted({outcome.date[:10] for outcome in self} - {""})
        return " to ".join([days[0], *days[1:][-1:]]) if days else "unknown date"


def _rank(names: Iterable[str], name: str) -> int:
    """The place of a name among others; behind them, if it is not there."""
    return [*names, name].index(name)


def _ending(outcome: Outcome) -> str:
    if outcome.struck:
        return "struck the limit"
    if outcome.failure:
        return f"failed ({outcome.failure.kind})"
    status = outcome.fit.certificate.status
    return "ran out of rounds" if status == "max_iter" else status


def _machine(outcome: Outcome) -> str:
    parts = (f"{part} cores" if name == "cores" else str(part) for name, part in outcome.machine.items())
    versions = ", ".join(f"{name} {version}" for name, version in outcome.versions.items())
    return "; ".join(filter(None, [", ".join(parts), versions]))
