"""How many times as long the others take as LevelBoost, in our own fits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from studies.algorithms import OURS
from studies.report.content import Cell, ReportTable
from studies.report.numbers import Amount, total
from studies.report.results import Outcomes, cpu_time, label
from studies.report.tables import cells
from studies.running.outcome import Outcome


@dataclass(frozen=True)
class Duel:
    """LevelBoost and a rival at one nu, neither of which failed, and the CPU time of each."""

    ours: Outcome
    rival: Outcome
    our_time: Amount
    rival_time: Amount

    @property
    def lost(self) -> bool:
        """Whether the rival was certainly faster."""
        return self.rival_time.sense == "" and self.rival_time.value < self.our_time.value

    @property
    def told(self) -> bool:
        """Whether it is certain which of the two was faster; if both struck a limit, it is not."""
        ours, rival = self.our_time, self.rival_time
        return self.lost or (ours.sense == "" and (rival.sense == "" or ours.value <= rival.value))


def duels(outcomes: Outcomes, rival: str) -> list[Duel]:
    """One for each nu that both have finished on a set, in order."""
    rivals = {outcome.trial.nu: outcome for outcome in outcomes.where(algorithm=rival)}
    ours = sorted(outcomes.where(algorithm=OURS), key=lambda outcome: outcome.trial.nu)
    pairs = ((outcome, rivals[outcome.trial.nu]) for outcome in ours if outcome.trial.nu in rivals)
    return [
        Duel(one, other, our_time, rival_time)
        for one, other in pairs
        if (our_time := cpu_time(one)) and (rival_time := cpu_time(other))
    ]


def ratio(fought: list[Duel]) -> Amount | None:
    """The rival's time over LevelBoost's, both added up."""
    rival = total([duel.rival_time for duel in fought])
    ours = total([duel.our_time for duel in fought])
    return rival.over(ours) if rival and ours else None


def speedup(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, one column per rival of LevelBoost."""
    timed = outcomes.where(part="times")
    rivals, sets, planned = timed.rivals, timed.by_set().values(), len(timed.nus)
    if not rivals or not timed.where(algorithm=OURS):
        return None
    fought = [[duels(same, rival) for same in sets] for rival in rivals]
    whole = [[ratio(each) if len(each) == planned else None for each in column] for column in fought]
    averages = map(cells.average_ratio, whole)
    columns = {f"{label(rival)} / LevelBoost": partial(_cell, rival, planned) for rival in rivals}
    return cells.pivot("speedup", sets, cells.NAME | columns, [(Cell("average"), *averages)])


def _cell(rival: str, planned: int, outcomes: Outcomes) -> Cell:
    fought = duels(outcomes, rival)
    if not fought:
        return cells.NOTHING
    ours, rivals = Outcomes(duel.ours for duel in fought), Outcomes(duel.rival for duel in fought)
    slower = ", ".join(f"{duel.ours.trial.nu:g}" for duel in fought if duel.lost)
    note = cells.joined([
        f"{label(rival)}: {rivals.endings}" if rivals.endings else "",
        f"{label(OURS)}: {ours.endings}" if ours.endings else "",
        cells.some_of(len(fought), planned, "nu"),
        f"{label(rival)} is faster at nu = {slower}" if slower else "",
    ])  # fmt: skip
    return cells.number(ratio(fought), cells.RATIO, ours.keys + rivals.keys, note)
