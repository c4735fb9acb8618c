"""How many times as long the others take as LevelBoost, in our own runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frankboost.report.amount import Amount, total
from frankboost.report.content import Cell, Table
from frankboost.report.selection import (
    OURS,
    Run,
    Runs,
    by_algorithm,
    by_set,
    endings,
    keys,
    label,
    nus,
    part,
    seconds,
)
from frankboost.report.tables.cells import PER_ROUND, RATIO, amount, average_ratio, nothing

CAPTION = (
    "CPU time of each algorithm over that of LevelBoost, both added up over the values of nu that both have "
    "finished: above 1 LevelBoost is faster, below 1 slower. > where fits of the other struck the time "
    "limit and are counted as that, so that the true ratio is larger; < where those of LevelBoost did; - "
    "where both did. A note names the nu at which the other was seen to be faster. The last row is the "
    "geometric mean over the sets that both have finished. "
) + PER_ROUND


def speedup(runs: Runs) -> Table | None:
    """LevelBoost against each rival."""
    timed = part(runs, "times")
    rivals = [name for name in by_algorithm(timed) if name != OURS]
    sets = by_set(timed)
    if not rivals or not any(run["algorithm"] == OURS for run in timed):
        return None
    planned = len(nus(timed))
    rows = [
        (Cell(name, name), *(_cell(its, rival, planned) for rival in rivals)) for name, its in sets.items()
    ]
    ratios = {rival: [whole_ratio(its, rival, planned) for its in sets.values()] for rival in rivals}
    return Table(
        "speedup",
        "LevelBoost against the others",
        CAPTION,
        ("set", *(f"{label(rival)} / LevelBoost" for rival in rivals)),
        tuple(rows),
        ((Cell("average", None), *(average_ratio(ratios[rival]) for rival in rivals)),),
    )


def pairs(its: Iterable[Run], rival: str) -> Iterator[tuple[Run, Run]]:
    """LevelBoost's run and the rival's at each nu where neither failed."""
    every = [run for run in its if seconds(run) is not None]
    theirs = {run["nu"]: run for run in every if run["algorithm"] == rival}
    for run in sorted(every, key=lambda run: float(run["nu"])):
        if run["algorithm"] == OURS and run["nu"] in theirs:
            yield run, theirs[run["nu"]]


def ratio(its: Iterable[Run], rival: str) -> Amount | None:
    """The rival's time over LevelBoost's, over the nu that both have."""
    both = list(pairs(its, rival))
    theirs = total([time for _, run in both if (time := seconds(run))])
    ours = total([time for run, _ in both if (time := seconds(run))])
    return theirs.over(ours) if theirs and ours else None


def whole_ratio(its: Iterable[Run], rival: str, planned: int) -> Amount | None:
    """The ratio, if both have all of so many nu."""
    every = list(its)
    return ratio(every, rival) if len(list(pairs(every, rival))) == planned else None


def lost(ours: Run, theirs: Run) -> bool:
    """Whether the rival was certainly faster."""
    a, b = seconds(ours), seconds(theirs)
    return a is not None and b is not None and b.sense == "" and b.value < a.value


def told(ours: Run, theirs: Run) -> bool:
    """Whether it is certain which of the two was faster; if both struck a limit, it is not."""
    a, b = seconds(ours), seconds(theirs)
    if a is None or b is None:
        return False
    return lost(ours, theirs) or (a.sense == "" and (b.sense == "" or a.value <= b.value))


def _cell(its: list[Run], rival: str, planned: int) -> Cell:
    both = list(pairs(its, rival))
    if not both:
        return nothing()
    ours, theirs = [run for run, _ in both], [run for _, run in both]
    slower = ", ".join(f"{run['nu']:g}" for run, other in both if lost(run, other))
    notes = [
        f"{label(rival)}: {endings(theirs)}" if endings(theirs) else "",
        f"{label(OURS)}: {endings(ours)}" if endings(ours) else "",
        f"over {len(both)} of {planned} nu" if len(both) < planned else "",
        f"{label(rival)} is faster at nu = {slower}" if slower else "",
    ]
    return amount(ratio(its, rival), RATIO, keys([*ours, *theirs]), "; ".join(filter(None, notes)))
