"""The certificate of a fit: soft margin <= optimum <= bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from frankboost.pictures import block, interval, words
from frankboost.scope import Counts, Scope
from frankboost.typing import Status

CONVERGED = 1e-6  # the largest gap of which a fit may say that nothing but rounding is left of it
LARGE = 0.1  # the share of the bound from which on a gap is called by its size


class CertificateError(ValueError):
    """The certificate does not hold for this model and these data; the message says what was claimed and
    found."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """What a fit proved about its ensemble: how far it can be from the best one. `print` shows it.

    Attributes
    ----------
    soft_margin : float
        The soft margin that the ensemble reaches.
    bound : float
        No weighted vote over the hypothesis class has a larger soft margin, if the weak learner is exact.
        The bound is the least of the largest edges of all rounds.
    tol : float
        The gap that was asked for.
    nu : float
        The fraction of the rows that count in the soft margin: those with the smallest margins.
    exact : bool
        Whether both ends are proved, as rational numbers, after all rounding. If not, the weak learner may
        have missed the hypothesis of largest edge, and `bound` is a guess.
    status : str
        Why the fit ended: "optimal" (gap <= tol), "closed" (gap <= tol, but the bound is a guess: `exact`
        is False), "converged" (the rest of the gap is rounding), "max_iter", "time_limit", "interrupted"
        (by Ctrl-C), "stalled" (no more progress), or "stopped" (by a callback).
    hypothesis_class : str
        The class of hypotheses that the optimum refers to, in words that follow from its depth, thresholds
        and categories.
    scope : Scope or None
        The classes and rows that the optimum refers to. `verify` adds counts, and `print` then shows a
        second line, in plain words. Comparing certificates ignores their scopes. None: not known.
    in_use : float or None
        The soft margin of the vote that the model predicts with, if this is another vote, which ranks rows
        better (leaves="sure"). None: the model predicts with the vote that `soft_margin` is about.

    Examples
    --------
    >>> print(Certificate(0.25, 0.258, 0.01, 0.2, True, "optimal", "stumps"))
    soft margin 0.25000 <= optimum <= 0.25800  (gap 0.008 <= tol 0.01, optimal; nu = 0.2, stumps)
    """

    soft_margin: float
    bound: float
    tol: float
    nu: float
    exact: bool
    status: Status
    hypothesis_class: str
    scope: Scope | None = field(default=None, compare=False, kw_only=True)
    in_use: float | None = field(default=None, kw_only=True)

    @property
    def gap(self) -> float:
        """bound - soft margin."""
        return self.bound - self.soft_margin

    def hard_share(self, margin: float) -> float:
        """The least share of the distribution whose rows have at most this margin, for every vote of the
        class.

        This is weak duality. Under the distribution that attains the bound g, no vote has a mean margin
        above g, and margins are at least -1. So rows with at least (margin - g) / (1 + margin) of the
        distribution have at most this margin. No row is above its cap, so these rows have at least nu times
        that share of the sample weight. The statement is proved if `verify` returned the certificate.
        """
        return max((margin - self.bound) / (1.0 + margin), 0.0) if self.exact else 0.0

    def hard_sentence(self) -> str:
        """The sentence about rows on which no vote has a large margin; empty if it is not proved."""
        margin = 0.5 if self.bound < 0.5 else (1.0 + self.bound) / 2.0
        share = self.hard_share(margin)
        if share == 0.0:
            return ""
        rows = f"{self.nu * share:.2%} of the rows, by weight"
        if self.scope is not None and not self.scope.weighted:
            rows = (
                f"{math.ceil(self.nu * share * self.scope.rows * (1.0 - 1e-9))} of the {self.scope.rows} rows"
            )
        label = None if self.scope is None or self.scope.negative is not None else self.scope.positive
        whose = "" if label is None else f" for {label}"
        return (
            f"Every vote{whose} of {self._such()} has a margin of at most {margin:.3g} on at least {rows}; "
            f"these rows have at least {math.floor(share * 1e4) / 1e4:.2%} of the weight in the distribution."
        )

    def facts(self) -> dict[str, Any]:
        """All fields except the scope, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "scope"}

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self) -> list[str]:
        """The lines that are printed: one, and a second in plain words if `verify` counted the rows."""
        relation = "<=" if self.gap <= self.tol else ">"
        line = (
            f"{self._claim()}  (gap {self.gap:.4g} {relation} tol {self.tol:g}, {self._ending()}; "
            f"nu = {self.nu:g}, {self.hypothesis_class}{'' if self.scope is None else f'; {self.scope}'})"
        )
        lines = [line]
        if self.in_use is not None:
            given_up = self.soft_margin - self.in_use
            less = f", which is {rounded(given_up, math.ceil)} less" if given_up > 0.0 else ""
            lines.append(
                'The model predicts with another vote, which ranks rows better (leaves="sure"); '
                f"its soft margin is {self._low()}{less}."
            )
        if self.scope is not None and self.scope.counts is not None:
            lines.append(self._plain_words(self.scope, self.scope.counts))
        return lines

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._claim()}, {self._ending()}>"

    def _repr_html_(self) -> str:
        """The interval as a picture, above the printed lines."""
        return block(interval(self.soft_margin, self.bound, proved=self.exact), words(str(self)))

    def _claim(self) -> str:
        low, high = rounded(self.soft_margin, math.floor), rounded(self.bound, math.ceil)
        if self.exact:
            return f"soft margin {low} <= optimum <= {high}"
        return f"soft margin {low}, heuristic bound {high}"

    def _low(self) -> str:
        """The soft margin of the vote that the model predicts with."""
        return rounded(self.soft_margin if self.in_use is None else self.in_use, math.floor)

    def _ending(self) -> str:
        # A guess is never optimal, whatever a file says.
        status = "closed" if self.status == "optimal" and not self.exact else self.status
        if status not in ("optimal", "closed") or self._share() < LARGE:
            return status
        return f"{status} to within tol, but the gap is {self._share():.0%} of the bound"

    def _such(self) -> str:
        return "such trees" if "trees" in self.hypothesis_class else "this class"

    def _share(self) -> float:
        """The gap as a share of the size of the bound, at most 1."""
        return min(self.gap / abs(self.bound), 1.0) if self.bound else 1.0

    def _plain_words(self, scope: Scope, counts: Counts) -> str:
        low, high = self._low(), rounded(self.bound, math.ceil)
        many = 0 if scope.classes is None else len(scope.classes)
        rows = f"{self.nu:.2%} of the {'weight' if scope.weighted else 'rows'}"
        if self.exact:
            such = f"such trees, {counts.kept}," if counts.kept else self._such()
            votes, own = f"no vote of {such} has", "its"
            if many:
                votes, own = f"no {many} votes of such trees, one per class, have", "their"
            others = f"{votes} a mean margin above {high} on {own} own hardest {rows}"
        else:
            others = "other votes may have a larger mean margin"
        kept, lead = "", ", half its lead over the next," if many else ""
        if counts.kept:
            kept = f"Every tree of the vote keeps to these constraints on every possible row: {counts.kept}. "
        whose = f" for {scope.positive!r}" if not many and scope.negative is None else ""
        return (
            f"In plain words: the {'largest ' * bool(many)}vote{whose} is right on {counts.right} of "
            f"{scope.rows} rows. On the hardest {rows} its mean margin{lead} is at least {low}; {others}. "
            f"{kept}The certificate says nothing about other rows."
        )


def rounded(value: float, direction: Callable[[float], int]) -> str:
    """A number with five decimals, rounded down or up so that the printed statement holds, too."""
    return f"{direction(value * 1e5) / 1e5:.5f}"
