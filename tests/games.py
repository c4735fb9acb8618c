"""Small games whose whole hypothesis class can be enumerated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from sklearn.datasets import load_breast_cancer

import reference
from frankboost import BestTree
from frankboost.learners.base import Answer, HypothesisClass, Oracle
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import LearnerSearch
from frankboost.rooms.local_parts import WholePart
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.part import Part
from frankboost.rooms.point import Point
from frankboost.rooms.questions import PartsHere
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, Step
from frankboost.rules.level import Level, LevelRun

ALGORITHMS = {
    "lpb": {"fw_rule": None, "secondary": "lp"},
    "erlpb": {"fw_rule": None, "secondary": "erlp"},
    "fw-classic": {"fw_rule": "classic", "secondary": None},
    "fw-short": {"fw_rule": "short-step", "secondary": None},
    "fw-line": {"fw_rule": "line-search", "secondary": None},
    "fw-away": {"fw_rule": "away", "secondary": None},
    "fw-pairwise": {"fw_rule": "pairwise", "secondary": None},
    "fw-blended": {"fw_rule": "blended-pairwise", "secondary": None},
    "mlpb-classic": {"fw_rule": "classic", "secondary": "lp"},
    "mlpb-short": {"fw_rule": "short-step", "secondary": "lp"},
    "mlpb-line": {"fw_rule": "line-search", "secondary": "lp"},
    "mlpb-away": {"fw_rule": "away", "secondary": "lp"},
    "mlpb-pairwise": {"fw_rule": "pairwise", "secondary": "lp"},
    "mlpb-blended": {"fw_rule": "blended-pairwise", "secondary": "lp"},
    "level": {"fw_rule": None, "secondary": "level"},
    "mlpb-short-level": {"fw_rule": "short-step", "secondary": "level"},
    "mlpb-short-erlp": {"fw_rule": "short-step", "secondary": "erlp"},
    "softboost": {"fw_rule": None, "secondary": "softboost"},
    "in-out": {"fw_rule": None, "secondary": "in-out"},
    "adaboost-star": {"fw_rule": None, "secondary": "adaboost-star"},
    "hedge": {"fw_rule": None, "secondary": "hedge"},
    "mlpb-short-adaboost": {"fw_rule": "short-step", "secondary": "adaboost"},
    "mlpb-pairwise-madaboost": {"fw_rule": "pairwise", "secondary": "madaboost"},
    "mlpb-line-mdboost": {"fw_rule": "line-search", "secondary": "mdboost"},
}
UNAIMED = {  # not at the largest soft margin, or at no known rate
    name: {"fw_rule": None, "secondary": name}
    for name in ("adaboost", "arc-gv", "madaboost", "logistic", "smoothboost", "mdboost")
}
CONTESTS = {name: rules for name, rules in ALGORITHMS.items() if None not in rules.values()}


class LocalRoom(Room):
    """A room with all rows in one part, and what tests look at in it."""

    def __init__(self, examples: Examples, oracle: Oracle, *, nu: float, tol: float) -> None:
        parts = PartsHere([WholePart(examples, oracle)])
        super().__init__(parts, LearnerSearch(oracle, parts), nu=nu, tol=tol)

    @property
    def caps(self) -> np.ndarray:
        return self.whole().caps

    def column(self, j: int) -> np.ndarray:
        return self.whole().column(j)

    def point(self, weights: np.ndarray, distribution: np.ndarray) -> Point:
        return self.whole().point(weights, distribution)


def distribution(point: Any) -> np.ndarray:
    """Of a point of a room."""
    point = getattr(point, "plain", point)
    return np.concatenate(point._room.parts.ask(Part.distribution, point.number()))


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows, labels, weights, and the margins of every tree over them."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    depth: int

    def optimum(self, nu: float) -> float:
        """The best soft margin over the enumerated class, by an independent linear program."""
        A = (reference.tree_values(self.X, self.depth) * self.y).T
        return reference.game_value(A, self.weight / self.weight.sum() / nu)

    def parts(self, columns: int = 1) -> tuple[Examples, Oracle]:
        learner = BestTree(max_depth=self.depth, columns_per_round=columns)
        oracle = learner.prepare(self.X, self.y, self.weight)
        return Examples(self.X, BinaryMargins(self.y), self.weight), oracle

    def room(self, nu: float, tol: float, columns: int = 1) -> LocalRoom:
        return LocalRoom(*self.parts(columns), nu=nu, tol=tol)


class Script(HypothesisClass):
    """A class that nobody searches."""

    def __str__(self) -> str:
        return "a script"


class Scripted(Oracle):
    """A weak learner that answers with columns that a function of u gives."""

    exact = False
    hypothesis_class = Script()

    def __init__(self, answer: Callable[[np.ndarray], Sequence[np.ndarray]]) -> None:
        self.answer = answer

    def __call__(self, u: np.ndarray, /) -> Answer:
        return Answer([lambda X, column=column: column for column in self.answer(u)])


def scripted_room(
    answer: Callable[[np.ndarray], Sequence[np.ndarray]],
    weight: np.ndarray,
    nu: float,
    *,
    tol: float = 0.01,
    eta: float | None = None,
    kind: type[LocalRoom] = LocalRoom,
) -> LocalRoom:
    """A room whose columns come from a function; all labels are +1."""
    m = len(weight)
    examples = Examples(np.zeros((m, 1)), BinaryMargins(np.ones(m)), weight)
    room = kind(examples, Scripted(answer), nu=nu, tol=tol)
    room.eta = room.eta if eta is None else eta
    return room


class Inexact(Oracle):
    """The worst answer within kappa, over a margin matrix: U = max + kappa/2, an edge from U - kappa up."""

    exact = True
    hypothesis_class = Script()

    def __init__(self, A: np.ndarray, kappa: float) -> None:
        self.A, self.kappa = A, kappa

    def __call__(self, u: np.ndarray, /) -> Answer:
        edges = u @ self.A
        admissible = edges >= edges.max() - self.kappa / 2
        column = self.A[:, int(np.argmin(np.where(admissible, edges, np.inf)))]
        return Answer([lambda X: column], float(edges.max()) + self.kappa / 2)


def inexact_room(
    A: np.ndarray, kappa: float, nu: float, *, tol: float = 0.01, kind: type[LocalRoom] = LocalRoom
) -> LocalRoom:
    """A room of that oracle; all labels are +1."""
    m = len(A)
    examples = Examples(np.zeros((m, 1)), BinaryMargins(np.ones(m)), np.ones(m))
    return kind(examples, Inexact(A, kappa), nu=nu, tol=tol)


class Watched:
    """A point of a room, to be watched or changed by overriding what it does."""

    def __init__(self, plain: Point) -> None:
        self.plain = plain

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


class WatchedRoom(LocalRoom):
    """A room with such points."""

    kind: type[Watched] = Watched

    def at(self, multipliers, eta=None):
        return self.kind(super().at(multipliers, eta))

    def ask(self, point=None, low=-np.inf, level=-np.inf):
        return super().ask(None if point is None else point.plain, low, level)


def dense(room: LocalRoom) -> np.ndarray:
    """The margin matrix."""
    return np.column_stack([room.column(j) for j in range(len(room))])


def breast_cancer(m: int, depth: int, seed: int = 0) -> Problem:
    """Some rows and six features of a real set."""
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(len(y))[:m]
    return Problem(X[rows, :6], np.where(y[rows] == 1, 1.0, -1.0), np.ones(m), depth)


def random_signs(m: int, n: int, seed: int) -> np.ndarray:
    """A margin matrix of columns that are right about 55 of 100 rows."""
    return np.where(np.random.default_rng(seed).random((m, n)) < 0.55, 1.0, -1.0)


def problem(m: int, depth: int, seed: int, *, weighted: bool = False, noise: float = 0.25) -> Problem:
    """Two or three features of few values, so that the class stays small; noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (m, 2 if depth == 2 else 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where((np.nan_to_num(X[:, 0]) > 1) ^ (np.nan_to_num(X[:, 1]) > 2), 1.0, -1.0)
    y = np.where(rng.random(m) < noise, -y, y)
    y[:2] = [-1.0, 1.0]
    weight = rng.integers(1, 4, m).astype(float) if weighted else np.ones(m)
    return Problem(X, y, weight, depth)


@dataclass(eq=False)
class WatchedRule:
    """The level rule, of whose rounds `note` keeps something."""

    rule: Level
    note: Callable[[LevelRun, Room, Position, Proposal], Any]
    log: list[Any] = field(default_factory=list)
    kind: ClassVar[str] = "secondary"

    def begin(self, room: Room) -> LevelRun:
        return self.rule.start(room)

    def start(self, room: Room) -> Step:
        run = self.begin(room)

        def step(at: Position) -> Proposal:
            proposal = run(at)
            self.log.append(self.note(run, room, at, proposal))
            return proposal

        return step


@dataclass(eq=False)
class Spy:
    """A rule of whose run something is kept before each step, and something after it."""

    rule: Any
    before: Callable[[Any], tuple[Any, ...]]
    after: Callable[[Any], Any]
    log: list[tuple[Any, ...]] = field(default_factory=list)
    kind: ClassVar[str] = "secondary"

    def start(self, room: Room) -> Step:
        run = self.rule.start(room)

        def step(at: Position) -> Proposal:
            before = self.before(run)
            proposal = run(at)
            self.log.append((*before, self.after(run)))
            return proposal

        return step
