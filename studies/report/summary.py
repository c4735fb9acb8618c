"""The top of the page: the result of the study in a sentence and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studies.algorithms import OURS, OURS_ONE_TREE
from studies.report.content import Figure, Summary
from studies.report.numbers import count
from studies.report.results import Outcomes, label

LEAD = "gap"  # the figure of which one panel is at the top


def summary(outcomes: Outcomes, figures: Sequence[Figure]) -> Summary | None:
    """Summarise the timed fits; None if there are none."""
    timed = outcomes.where(part="times")
    if not timed:
        return None
    found = timed.by_algorithm()
    one_tree = found.pop(OURS_ONE_TREE, None) if OURS in found else None
    ranked = sorted(found.values(), key=_rank)
    return Summary(_sentence(ranked, one_tree), _terms(timed, one_tree), _lead(timed, figures))


def _rank(same: Outcomes) -> tuple[float, float]:
    """The key by which algorithms are ranked: the share of closed gaps, then the CPU time."""
    return -len(same.closed) / len(same), same.cpu_seconds / len(same)


def _name(same: Outcomes) -> str:
    """The full name of the algorithm of these outcomes."""
    return label(same[0].trial.algorithm).replace("LPB", "LPBoost")


def _sentence(ranked: Sequence[Outcomes], one_tree: Outcomes | None) -> str:
    """The results of the best algorithm, of LevelBoost with one tree per round, and of the next best one."""
    best, *others = ranked
    if not best.closed:
        return f"No gap was closed on {count(len(best), 'problem')} in the time that a fit has."
    every = len(best.closed) == len(best) > 1
    share = f"all {len(best)}" if every else f"{len(best.closed)} of {len(best)}"
    sentences = [f"{_name(best)} proves its answer on {share} problems, in {_seconds(best)} of CPU time."]
    if one_tree:
        sentences.append(f"With one tree per round, like the others, LevelBoost {_proves(one_tree)}.")
    if others:
        sentences.append(f"The next best, {_name(others[0])}, {_proves(others[0])}.")
    return " ".join(sentences)


def _proves(same: Outcomes) -> str:
    return f"proves {len(same.closed)} in {_seconds(same)}"


def _seconds(same: Outcomes) -> str:
    return f"{same.cpu_seconds:{'.2g' if same.cpu_seconds < 10.0 else '.0f'}} s"


def _terms(timed: Outcomes, one_tree: Outcomes | None) -> str:
    """What is proved, on which problems, and in which time."""
    where = " (docs/reproduction/README.md compares equal numbers)" if one_tree is None else ""
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
    """The panel of the gaps on the set that took all algorithms together the longest."""
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
