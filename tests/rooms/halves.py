"""A second room, in NumPy: the rows lie in two halves, and all that is known of both are sums over each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from frankboost.rooms.base import Found, Room, Solution
from frankboost.stopwatch import Stopwatch


@dataclass(frozen=True, eq=False)
class Half:
    """Some of the rows, with what every hypothesis of a finite class says of them."""

    H: np.ndarray
    y: np.ndarray
    prior: np.ndarray
    caps: np.ndarray


class HalvesPoint:
    """A distribution, one part per half."""

    def __init__(self, room, multipliers, eta, parts=None):
        self.multipliers, self.eta = multipliers, eta
        self._room = room
        self._given = parts

    @cached_property
    def margins(self):
        chosen = self._room.chosen[: len(self.multipliers)]
        return [(half.H[:, chosen] * half.y[:, None]) @ self.multipliers for half in self._room.halves]

    @cached_property
    def parts(self):
        if self._given is not None:
            return self._given
        return self._room.project(self.margins, self.eta)

    @cached_property
    def value(self):
        halves = self._room.halves
        linear = sum(d @ z for d, z in zip(self.parts, self.margins, strict=True))
        entropy = sum(relative_entropy(d, half.prior) for d, half in zip(self.parts, halves, strict=True))
        return linear + entropy / self.eta

    def soft_margin(self):
        """sum c_i z_i below a threshold, and the rest of the mass at the threshold, found by halving."""
        caps = [half.caps for half in self._room.halves]

        def mass(t):
            return sum(c[z <= t].sum() for c, z in zip(caps, self.margins, strict=True))

        low, high = min(z.min() for z in self.margins) - 1.0, max(z.max() for z in self.margins)
        while (middle := (low + high) / 2) not in (low, high):
            low, high = (low, middle) if mass(middle) >= 1.0 else (middle, high)
        below = [z < high for z in self.margins]
        taken = sum(c[b].sum() for c, b in zip(caps, below, strict=True))
        paid = sum(c[b] @ z[b] for c, b, z in zip(caps, below, self.margins, strict=True))
        return float(paid + (1.0 - taken) * high)

    def edges(self):
        return self._room.edges_at(self.parts)[self._room.chosen]

    def curvature(self, columns, *, rough=False):
        """The same sums in double precision, rough or not."""
        chosen = np.array(self._room.chosen)[columns]
        pieces = list(zip(self._room.halves, self.parts, strict=True))
        densest, largest = (
            max(each.max() for each in some) for some in ([d / half.prior for half, d in pieces], self.parts)
        )
        mass, first, second = 0.0, np.zeros(len(columns)), np.zeros((len(columns), len(columns)))
        for half, d in pieces:
            free = (d < half.caps) & (d > 1e-7 * np.minimum(densest * half.prior, largest))
            A = half.H[free][:, chosen] * half.y[free, None]
            mass += d[free].sum()
            first += A.T @ d[free]
            second += (A * d[free, None]).T @ A
        return second - np.outer(first, first) / mass if mass > 0.0 else second


class HalvesLinePoint:
    """A point of it."""

    def __init__(self, point, direction):
        self.value, self._point, self._direction = point.value, point, direction

    def slope(self):
        return float(self._point.edges() @ self._direction)


class HalvesLine:
    """The objective along a line."""

    def __init__(self, room, weights, direction):
        self._room, self._weights, self._direction = room, weights, direction

    def at(self, step):
        return HalvesLinePoint(self._room.at(self._weights + step * self._direction), self._direction)

    def length(self):
        return max(np.abs(z).max() for z in self._room.at(self._direction).margins)


class HalvesRoom(Room):
    """A finite class over rows in two halves; nothing with one entry per row is ever put together."""

    def __init__(self, H, y, weight, *, nu, tol, columns=1):
        self.hypotheses, self.chosen = [], []
        self.oracle_watch = Stopwatch()
        self._columns = columns
        self._cut = [slice(0, len(y) // 2), slice(len(y) // 2, None)]
        self._rows = [(H[cut], y[cut], weight[cut] / weight.sum()) for cut in self._cut]
        self._least = (np.inf, None)
        self.restrict(nu, tol)

    def restrict(self, nu, tol):
        self.halves = [Half(H, y, prior, prior / nu) for H, y, prior in self._rows]
        ranges = [np.log((np.minimum(half.caps, 1.0) / half.prior).max()) for half in self.halves]
        self.entropy_range = max(ranges)
        self.eta = max(2.0 * self.entropy_range / tol, 1e-3)
        known = self._least[1] or [half.prior for half in self.halves]
        self._open(known)

    def _open(self, parts):
        clipped = [np.clip(d, 0.0, half.caps) for d, half in zip(parts, self.halves, strict=True)]
        total = sum(d.sum() for d in clipped)
        slack = [half.caps - d for d, half in zip(clipped, self.halves, strict=True)]
        room = sum(each.sum() for each in slack)
        if total > 1.0:
            inside = [d / total for d in clipped]
        else:
            inside = [d + s * (1.0 - total) / room for d, s in zip(clipped, slack, strict=True)]
        self._least = (np.inf, inside)
        self.reopen()

    def reopen(self):
        self._first = HalvesPoint(self, np.zeros(0), np.inf, self._least[1])

    @property
    def bound(self):
        return self._least[0]

    def at(self, multipliers, eta=None):
        return HalvesPoint(self, multipliers, self.eta if eta is None else eta)

    def edges_at(self, parts):
        return sum((d * half.y) @ half.H for d, half in zip(parts, self.halves, strict=True))

    def ask(self, point=None, low=-np.inf, level=-np.inf):
        parts = (self._first if point is None else point).parts
        before, edges = len(self), self.oracle_watch.timing(self.edges_at)(parts)
        for j in np.argsort(-edges, kind="stable")[: self._columns].tolist():
            self._add(j)
        best = int(np.argmax(edges))
        if edges[best] < self.bound:
            self._least = (float(edges[best]), parts)
        return Found(edges[self.chosen], self.chosen.index(best), len(self) > before)

    def _add(self, j):
        if j not in self.chosen:
            self.chosen.append(j)
            self.hypotheses.append(j)

    def line(self, weights, direction):
        return HalvesLine(self, weights, direction)

    def recall(self, start):
        for j in start.hypotheses:
            self._add(j)
        self._open([start.distribution[cut] for cut in self._cut])
        weights = np.zeros(len(self))
        weights[[self.chosen.index(j) for j in start.hypotheses]] = start.weights
        return weights

    def proved(self, weights):
        return self.at(weights).soft_margin()

    def outcome(self, weights, *, importances=True):
        used = np.flatnonzero(weights)
        used = used[np.argsort(-weights[used], kind="stable")]
        edge, parts = self._least
        caps = np.concatenate([half.caps for half in self.halves])
        d = np.concatenate(parts)
        return Solution(
            hypotheses=[self.hypotheses[j] for j in used],
            weights=weights[used],
            soft_margin=self.proved(weights),
            bound=edge,
            distribution=d,
            capped=d >= (1.0 - 1e-9) * caps,
            importances=None,
        )

    def project(self, margins, eta):
        """min(c, q exp(-eta z - tau)) that sums to 1: Newton's method on tau, from sums over the halves."""
        logs = [np.log(half.prior) - eta * z for half, z in zip(self.halves, margins, strict=True)]
        caps = [np.log(half.caps) for half in self.halves]

        def parts(tau):
            return [np.exp(np.minimum(k - tau, c)) for k, c in zip(logs, caps, strict=True)]

        low = min((k - c).min() for k, c in zip(logs, caps, strict=True))
        high = max(k.max() for k in logs) + np.log(sum(len(k) for k in logs)) + 1.0
        while (tau := (low + high) / 2) not in (low, high):
            low, high = (tau, high) if sum(d.sum() for d in parts(tau)) > 1.0 else (low, tau)
        d = parts(high)
        capped = sum(d[h][logs[h] - high >= caps[h]].sum() for h in range(2))
        free = sum(d[h][logs[h] - high < caps[h]].sum() for h in range(2))
        # The last rounding of tau, which a large eta makes visible, is put right on the rows that can move.
        scale = (1.0 - capped) / free if free > 0.0 else 1.0
        return [np.where(logs[h] - high < caps[h], d[h] * scale, self.halves[h].caps) for h in range(2)]


def relative_entropy(d, prior):
    """KL(d || prior)."""
    used = d > 0.0
    return float(d[used] @ np.log(d[used] / prior[used]))
