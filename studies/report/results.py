"""The outcomes of a study in groups, with the names of algorithms, the date and the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from studies.algorithms import OURS
from studies.report.numbers import Amount, join_words
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
    """The name of an algorithm in the report."""
    return LABELS.get(algorithm, algorithm)


def cpu_time(outcome: Outcome) -> Amount | None:
    """CPU seconds to the gap `tol`; a lower limit if the gap was not closed, None if the trial failed."""
    if outcome.hit_limit:
        return Amount(outcome.trial.time_limit, ">")
    return Amount(outcome.fit.cpu_seconds, "" if outcome.closed else ">") if outcome.done else None


class Outcomes(tuple[Outcome, ...]):
    """Outcomes in the order of their trials."""

    __slots__ = ()

    def filter(self, condition: Callable[[Outcome], object]) -> Outcomes:
        """The outcomes that meet a condition."""
        return Outcomes(filter(condition, self))

    def where(self, **settings: Any) -> Outcomes:
        """The outcomes whose trials have these settings."""
        wanted = settings.items()
        return self.filter(lambda each: all(getattr(each.trial, name) == value for name, value in wanted))

    @property
    def done(self) -> Outcomes:
        """The outcomes with a result."""
        return self.filter(lambda outcome: outcome.done)

    @property
    def closed(self) -> Outcomes:
        """The outcomes with gap <= tol."""
        return self.filter(lambda outcome: outcome.closed)

    def tests(self) -> Outcomes:
        """The outcomes for test errors: the last one of each set, algorithm and partition, at any nu."""
        by_date = sorted(self.where(part="errors"), key=lambda outcome: outcome.date)
        last = {(each.trial.set_name, each.trial.algorithm, each.trial.partition): each for each in by_date}
        return Outcomes(last.values())

    def by(self, setting: str) -> dict[Any, Outcomes]:
        """Groups of the outcomes by the value of a setting, in order of appearance."""
        groups: dict[Any, list[Outcome]] = {}
        for outcome in self:
            groups.setdefault(getattr(outcome.trial, setting), []).append(outcome)
        return {value: Outcomes(group) for value, group in groups.items()}

    def by_set(self) -> dict[str, Outcomes]:
        """Groups by data set: those of the paper in its order, then the others by name."""
        groups = self.by("set_name").items()
        return dict(sorted(groups, key=lambda item: (_rank(PAPER, item[1][0].trial.dataset), item[0])))

    def by_algorithm(self) -> dict[str, Outcomes]:
        """Groups by algorithm: LevelBoost, those of the paper in its order, then the others by name."""
        return dict(sorted(self.by("algorithm").items(), key=lambda item: (_rank(LABELS, item[0]), item[0])))

    def by_set_and_algorithm(self) -> list[Outcomes]:
        """Groups by data set and algorithm."""
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
        """The keys of the trials."""
        return tuple(outcome.key for outcome in self)

    @property
    def cpu_seconds(self) -> float:
        """The CPU seconds of all fits with a result."""
        return sum(outcome.fit.cpu_seconds for outcome in self.done)

    @property
    def shape(self) -> tuple[int, int] | None:
        """The numbers of rows (with test rows) and features of the set; None if every trial failed."""
        return next(((each.fit.m + each.fit.m_test, each.fit.n_features) for each in self.done), None)

    @property
    def paper(self) -> PaperSet | None:
        """The paper's set of the same name, or None."""
        return next((PAPER[each.trial.dataset] for each in self if each.trial.dataset in PAPER), None)

    @property
    def same_as_paper(self) -> PaperSet | None:
        """The paper's set of the same name and shape, or None."""
        paper = self.paper
        return paper if paper and self.shape == (paper.m, paper.n_features) else None

    @property
    def endings(self) -> str:
        """The number of outcomes that did not close their gap, and why, as in "3 of 5 struck the limit"."""
        why = Counter(_ending(outcome) for outcome in self if not outcome.closed)
        return ", ".join(f"{number} of {len(self)} {reason}" for reason, number in why.items())

    def values(self, setting: str) -> str:
        """The text of all values of a setting, in order."""
        return join_words(f"{value:g}" for value in sorted({getattr(each.trial, setting) for each in self}))

    @property
    def thresholds(self) -> str:
        """The text of the number of thresholds per feature."""
        bins = {outcome.trial.max_bins for outcome in self}
        some = [f"at most {number} thresholds per feature" for number in sorted(filter(None, bins))]
        return join_words(["all thresholds", *some] if None in bins else some, "or")

    @property
    def machine(self) -> str:
        """The machine and the versions in one line; all of them, if they changed during the study."""
        return "; also ".join(filter(None, dict.fromkeys(map(_machine, self)))) or "unknown machine"

    @property
    def date(self) -> str:
        """The first and the last day of the study."""
        days = sorted({outcome.date[:10] for outcome in self} - {""})
        return " to ".join([days[0], *days[1:][-1:]]) if days else "unknown date"


def _rank(names: Iterable[str], name: str) -> int:
    """The position of a name among others; their number if it is not among them."""
    return [*names, name].index(name)


def _ending(outcome: Outcome) -> str:
    if outcome.hit_limit:
        return "struck the limit"
    if outcome.failure:
        return f"failed ({outcome.failure.kind})"
    status = outcome.fit.certificate.status
    return "ran out of rounds" if status == "max_iter" else status


def _machine(outcome: Outcome) -> str:
    parts = (f"{part} cores" if name == "cores" else str(part) for name, part in outcome.machine.items())
    versions = ", ".join(f"{name} {version}" for name, version in outcome.versions.items())
    return "; ".join(filter(None, [", ".join(parts), versions]))
