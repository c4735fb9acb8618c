"""Where test errors stand against the paper's."""

from __future__ import annotations

from frankboost.report.selection import Runs, label
from frankboost.report.tables.errors import THEIRS, Tested, tested
from frankboost.report.words import count, listed


def errors(runs: Runs) -> str:
    """Better, worse or neither by two standard errors; the losses by name."""
    every = [each for each in tested(runs) if each.paper is not None]
    if not every:
        return ""
    verdicts = [each.verdict(strict=True) for each in every]
    worse = [each for each in every if each.verdict(strict=True) == "worse"]
    still = [each.name for each in every if each.verdict(strict=False) == "worse"]
    text = (
        f"Test error against the paper's {label(THEIRS)} on {count(len(every), 'set')}, by two of our "
        f"standard errors: better on {verdicts.count('better')}, neither better nor worse on "
        f"{verdicts.count('no worse')}, worse on {len(worse)}"
    )
    if not worse:
        return f"{text}."
    which = "; ".join(map(_numbers, worse))
    return f"{text}: {which}. By both standard errors, ours and the paper's, worse on {listed(still)}."


def _numbers(each: Tested) -> str:
    ours = each.ours
    return f"{each.name} {ours.mean:.4f} (s.e. {ours.standard_error:.4f}) against {each.paper:.2f}"
