"""The first screen: what was found in one sentence and one figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studies.algorithms import EQUAL, OURS
from studies.report.content import Figure, Summary
from studies.report.numbers import count
from studies.report.results import Outcomes, label

LEAD = "gap"  # the figure that the first screen has one panel of


def summary(outcomes: Outcomes, figures: Sequence[Figure]) -> Summary | None:
    """What the timed fits say; None if there are none."""
    timed = outcomes.where(part="times")
    if not timed:
        return None
    found = timed.by_algorithm()
    alike = found.pop(EQUAL, None) if OURS in found else None
    return Summary(
        _sentence(sorted(found.values(), key=_rank), alike), _terms(timed, alike), _lead(timed, figures)
    )


def _rank(same: Outcomes) -> tuple[float, float]:
    """By the share of the gaps closed, then by the time that it took."""
    return -len(same.closed) / len(same), same.cpu_seconds / len(same)


def _name(same: Outcomes) -> str:
    """The name of their algorithm in full."""
    return label(same[0].trial.algorithm).replace("LPB", "LPBoost")


def _sentence(ranked: Sequence[Outcomes], alike: Outcomes | None) -> str:
    """Who closes most gaps in the least time, LevelBoost with one tree per round, and who is next."""
    best, *others = ranked
    if not best.closed:  # whoever comes first is no better than the others
        return f"No gap was closed on {count(len(best), 'problem')} in the time that a fit has."
    every = len(best.closed) == len(best) > 1
    share = f"all {len(best)}" if every else f"{len(best.closed)} of {len(best)}"
    told = [f"{_name(best)} proves its answer on {share} problems, in {_seconds(best)} of CPU time."]
    if alike:
        told.append(f"With one tree per round, like the others, LevelBoost {_proves(alike)}.")
    if others:
        told.append(f"The next best, {_name(others[0])}, {_proves(others[0])}.")
    return " ".join(told)


def _proves(same: Outcomes) -> str:
    return f"proves {len(same.closed)} in {_seconds(same)}"


def _seconds(same: Outcomes) -> str:
    return f"{same.cpu_seconds:{'.2g' if same.cpu_seconds < 10.0 else '.0f'}} s"


def _terms(timed: Outcomes, alike: Outcomes | None) -> str:
    where = " (docs/reproduction/README.md compares equal numbers)" if alike is None else ""
    many = (
        f" LevelBoost takes up to 20 trees per round, the others one{where}."
        if timed.where(algorithm=OURS) and timed.rivals
        else ""
    )
    sets, nus = count(len(timed.by_set()), "data set"), count(len(timed.nus), "value")
    return (
        f"Proved: no ensemble has a soft margin that is larger by more than {timed.values('tol')}. A problem "
        f"is one of {sets} at one of {nus} of nu. A fit has at most {timed.values('time_limit')} CPU "
        f"seconds.{many}"
    )


def _lead(timed: Outcomes, figures: Sequence[Figure]) -> Figure | None:
    """The gaps on the set that all algorithms together spent the most time on."""
    whole = next((figure for figure in figures if figure.name == LEAD), None)
    if whole is None:
        return None
    spent = {name: same.cpu_seconds for name, same in timed.by_set().items() if name in whole.panels}
    hardest = max(spent, key=lambda name: spent[name])
    caption = (
        f"How the gap closes on {hardest}, the set that took the longest, at nu = {min(timed.nus):g}: a line "
        "that falls further left proves its answer sooner."
    )
    return replace(whole, caption=caption, panels={hardest: whole.panels[hardest]})
