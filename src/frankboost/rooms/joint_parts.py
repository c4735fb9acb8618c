"""Rows of many classes in this process."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from frankboost.rooms.host_part import HostPart
from frankboost.rooms.joint_rows import JointRows
from frankboost.rooms.margin_matrix import MarginMatrix
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number
from frankboost.rooms.tree_part import TreePart
from frankboost.rooms.whole_part import WholePart
from frankboost.typing import AnyArray, Floats


class _JointHostRows(JointRows, HostPart):
    """What both kinds of parts have."""

    def _no_columns(self) -> MarginMatrix:
        return MarginMatrix(self._rows * self._margins.classes, self._threads)

    def _of_all(self, values: Iterable[AnyArray]) -> AnyArray:
        """The votes of the hypotheses of all classes for the rows, class by class."""
        return np.array(list(values), dtype=np.int8).reshape(-1, self._matrix.rows)

    def _columns(self, values: AnyArray) -> AnyArray:
        return values

    def signed(self, number: Number) -> Floats:
        """The signed weights of a class, see `of_class`."""
        u: Floats = self._placed[number].d
        return u


class JointPart(_JointHostRows, WholePart):
    """All rows of many classes in this process, with a weak learner whose hypotheses vote -1 and +1."""

    moving, covariance = Part.moving, Part.covariance

    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        return self._of_all(WholePart._values(self, hypotheses))

    def column(self, j: int) -> Floats:
        return np.ascontiguousarray(self._margins.pairs(self._matrix.column(j)).T)

    def caps(self) -> Floats:
        """0 for a row's own class, whose entries of the columns are 0."""
        own = self._margins.code[:, None] == np.arange(self._margins.classes)
        return np.where(own, 0.0, self._caps[:, None])

    def project(self, number: Number, eta: float) -> float:
        least = self._soften(number, eta)
        value = super().project(number, eta)
        self._placed[number].margins = least
        return value


class JointTreePart(_JointHostRows, TreePart):
    """Some rows of many classes, by their bin codes."""

    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        return self._of_all(TreePart._values(self, hypotheses))
