"""Rows of many classes on a device, with the answers of `rooms.local_parts.JointTreePart`, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from frankboost.cuda.device import SHARES, cupy, launch
from frankboost.cuda.part import CudaPart
from frankboost.rooms.host_part import Examples
from frankboost.rooms.joint_rows import JointRows
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number
from frankboost.typing import Array


@dataclass(frozen=True, eq=False)
class DeviceMargins(JointMargins):
    """The margins of rows on the current device, which needs no threads."""

    def least(self, votes: Array, threads: int) -> Array:
        margins = cupy().empty(len(self.code))
        launch("least_class_margins", (8 * SHARES,), (votes, *self._classes, margins))
        return margins

    def soft(self, votes: Array, eta: float, threads: int) -> tuple[Array, Array]:
        cp = cupy()
        margins, shares = cp.empty(len(self.code)), cp.empty(len(votes))
        launch("soft_class_margins", (8 * SHARES,), (votes, *self._classes, eta, margins, shares))
        return margins, shares

    def signed(self, d: Array, shares: Array, threads: int) -> Array:
        halves = cupy().empty(len(shares))
        launch("deal_to_classes", (8 * SHARES,), (shares, d, *self._classes, halves))
        return halves

    @property
    def _classes(self) -> tuple[Array, np.int32, int]:
        """The class of each row, the number of classes, and that of rows."""
        return self.code, np.int32(self.classes), len(self.code)


class JointCudaPart(JointRows, CudaPart):
    """Rows of many classes on the current device."""

    moving, covariance = Part.moving, Part.covariance

    def __init__(self, examples: Examples, first: int = 0, *, threads: int = 1) -> None:
        known: JointMargins = examples.margins
        margins = DeviceMargins(cupy().asarray(known.code), known.classes)
        super().__init__(replace(examples, margins=margins), first, threads=threads)

    def _signed(self, number: Number) -> tuple[Array, Array]:
        """Of the weights for one class, see `ClassRows.of_class`."""
        u = self._placed[number].d
        return abs(u), u > 0.0
