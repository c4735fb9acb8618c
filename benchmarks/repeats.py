"""How many rounds LevelBoost and SoftBoost take on small games, and how many of them bring no new hypothesis.

    python benchmarks/repeats.py

16 games of 20 rows with few distinct values and noisy labels: stumps and trees of depth 2, nu 0.1 and 0.3,
four seeds each, one hypothesis per round. The counts hang on no clock. docs/theory/relation.md quotes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, Literal

import numpy as np
from contest import conditions

from frankboost import BestTree
from frankboost.boosting import rounds
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import local_room
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, Step
from frankboost.rules.level import Level, LevelRun

ROWS, SEEDS = 20, 4
TOLERANCES = {"LevelBoost": (1e-1, 1e-2, 1e-3, 1e-4), "SoftBoost": (1e-1, 1e-2, 1e-3)}


@dataclass
class Counts:
    """Rounds of a run by what came before and what they brought."""

    rounds: int = 0
    new: int = 0  # brought a new hypothesis
    repeats: int = 0  # brought none, after a projection that ended by its test
    after_open: int = 0  # brought none, after one that ended by no test


@dataclass
class Counted:
    """The level rule, watched."""

    rule: Level
    counts: Counts = field(default_factory=Counts)
    kind: ClassVar[Literal["fw", "secondary"]] = "secondary"

    def start(self, room: Room) -> Step:
        """A run whose rounds are counted."""
        run, counts, known, met = LevelRun(self.rule, room), self.counts, 0, True

        def step(at: Position) -> Proposal:
            nonlocal known, met
            proposal, grew = run(at), len(room) > known
            counts.rounds += 1
            counts.new += grew
            counts.repeats += met and not grew
            counts.after_open += not met and not grew
            assert proposal.ask is not None
            highest = run.level + self.rule.excess * (room.bound - run.level)
            known, met = len(room), bool(proposal.ask.edges().max() <= highest)
            return proposal

        return step


def games(tol: float) -> Iterator[Room]:
    """The games, made anew."""
    for depth in (1, 2):
        for seed in range(SEEDS):
            rng = np.random.default_rng(seed)
            X = rng.integers(0, 4, (ROWS, 4 - depth)).astype(np.float64)
            y = np.where((X[:, 0] > 1) ^ (X[:, 1] > 2), 1.0, -1.0)
            y = np.where(rng.random(ROWS) < 0.25, -y, y)
            y[:2] = [-1.0, 1.0]
            for nu in (0.1, 0.3):
                oracle = BestTree(max_depth=depth).prepare(X, y, np.ones(ROWS))
                yield local_room(Examples(X, BinaryMargins(y), np.ones(ROWS)), oracle, nu=nu, tol=tol)


def play(room: Room, rule: Level) -> Counts:
    """A run to its end."""
    counted = Counted(rule)
    next(state for state in rounds(room, [counted]) if state.gap <= rule.tol)
    return counted.counts


def span(numbers: list[int]) -> str:
    """From the least to the largest."""
    return f"{min(numbers)} to {max(numbers)}"


def main() -> None:
    """Print a table."""
    print(f"{date.today()}, {conditions()['cpu']}")
    print("| algorithm | tol | rounds | repeats | rounds after a projection that ended by no test |")
    print("|---|---|---|---|---|")
    for name, tolerances in TOLERANCES.items():
        for tol in tolerances:
            rule = Level(tol) if name == "LevelBoost" else Level(tol, place=1.0, shrink=0.0)
            runs = [play(room, rule) for room in games(tol)]
            cells = [span([run.rounds for run in runs]), span([run.repeats for run in runs])]
            print(f"| {name} | {tol:g} | {' | '.join(cells)} | {sum(run.after_open for run in runs)} |")


if __name__ == "__main__":
    main()
