"""All rows of a training set in this process, with a weak learner of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from frankboost import native
from frankboost.learners.base import Hypothesis, Oracle
from frankboost.learners.tree import Tree, vote
from frankboost.rooms.host_part import Examples, HostPart
from frankboost.rooms.part import Pair
from frankboost.rooms.questions import Number
from frankboost.typing import AnyArray, Floats, Indices, Precision

FEW = 8  # hypotheses whose votes are computed at a time


@dataclass(eq=False)
class _Projected:
    """A projected distribution, which is rounded to the grid when d is first used."""

    margins: Floats
    exact: Floats | None  # until d is made
    units: Floats
    threads: int

    @cached_property
    def d(self) -> Floats:
        assert self.exact is not None
        d, self.exact = native.snap(self.exact, self.units, self.threads), None
        return d


class WholePart(HostPart):
    """A part that has all rows of its room: one kernel call does what takes several questions to many parts.

    The oracle is prepared for these rows; error messages call it `learner`.
    """

    def __init__(
        self, examples: Examples, oracle: Oracle, *, threads: int = 1, learner: str = "the weak learner"
    ) -> None:
        super().__init__(examples, threads=threads)
        self._oracle = oracle
        self._learner = learner

    def _values(self, hypotheses: Sequence[Hypothesis]) -> Iterable[AnyArray]:
        return self._oracle.values(hypotheses, self._examples.X)

    def _few_at_a_time(self, hypotheses: Sequence[Hypothesis]) -> Iterable[Sequence[Hypothesis]]:
        few = FEW * self._examples.margins.members
        return (hypotheses[k : k + few] for k in range(0, len(hypotheses), few))

    def _columns(self, values: AnyArray) -> AnyArray:
        rows = self._rows
        if values.shape[1:] != (rows,):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values of shape {values.shape[1:]} "
                f"for {rows} rows; expected ({rows},)"
            )
        if not (values.min() >= -1 and values.max() <= 1):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values from {values.min():g} "
                f"to {values.max():g}; allowed: [-1, 1]"
            )
        return super()._columns(values)

    def _votes(self, hypotheses: Sequence[Hypothesis], weights: Floats) -> Floats:
        trees = [each for each in hypotheses if isinstance(each, Tree)]
        if len(trees) == len(hypotheses):
            return vote(trees, weights, self._examples.X, self._threads)
        pairs = zip(weights.tolist(), self._values(hypotheses), strict=True)
        return sum((weight * values for weight, values in pairs), np.zeros(self._rows))

    def column(self, j: int) -> Floats:
        return self._matrix.column(j)

    def caps(self) -> Floats:
        caps: Floats = self._caps
        return caps

    def soft_margin(self, number: Number) -> Pair:
        margins = self._placed[number].margins
        return native.soft_margin(margins, self._weight, self._nu, self._total, self._threads)

    def project(self, number: Number, eta: float) -> float:
        """Keep d_i = min(c_i, q_i exp(-eta margin_i - tau)), computed in log space.

        It attains the minimum over P of d . margins + KL(d || prior) / eta, which is returned.
        """
        margins = self._placed[number].margins
        d, value = native.project(
            margins, self._weight, self._caps, self._nu, self._total, eta, self._threads
        )
        self._placed[number] = _Projected(margins, d, self._units, self._threads)
        return value

    def moving(self, number: Number, least: Pair, stride: int) -> tuple[int, float, Indices]:
        rows = self._free(number, least, stride)
        return len(rows), float(self._placed[number].d[rows].sum()), rows

    def covariance(
        self, number: Number, rows: Indices, columns: Indices, weight: float, dtype: Precision
    ) -> Floats:
        d = self._placed[number].d[rows]
        return self._matrix.covariance(columns, np.ascontiguousarray(rows), d * (weight / d.sum()), dtype)
