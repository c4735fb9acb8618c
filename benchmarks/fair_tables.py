"""The tables of fair.py: times side by side, and what one thing alone is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

ALGORITHMS = ("LevelBoost", "LPBoost", "ERLPBoost")
COLUMNS = (1, 20)


class Fit(NamedTuple):
    """What is fitted and how: the key of a time."""

    set: str
    m: int
    nu: float
    columns: int
    demand: bool
    algorithm: str


class Time(NamedTuple):
    """CPU seconds and rounds; whether the gap was closed before the limit."""

    seconds: float
    rounds: int
    closed: bool

    def __str__(self) -> str:
        return (
            f"{self.seconds:.3g} ({self.rounds})" if self.closed else f">{self.seconds:.0f} ({self.rounds})"
        )


def everything(best: dict[Fit, Time]) -> Iterator[list[str]]:
    """A row for each set, nu, number of columns and kind of search: the algorithms side by side."""
    yield ["set", "m", "nu", "trees per round", "on demand", *ALGORITHMS]
    for case in sorted({fit[:-1] for fit in best}, key=lambda case: (case[1], *case)):
        name, m, nu, columns, demand = case
        cells = [str(best.get(Fit(*case, algorithm), "-")) for algorithm in ALGORITHMS]
        yield [name, str(m), f"{nu:g}", str(columns), "yes" if demand else "no", *cells]


def shares(best: dict[Fit, Time]) -> Iterator[list[str]]:
    """Geometric means of ratios of two fits that differ in one thing, where there are any."""
    return (row for row in _all_shares(best) if row[-1] != "0 of 0")


def _all_shares(best: dict[Fit, Time]) -> Iterator[list[str]]:
    yield ["what", "is how many times as slow as", "with", "mean", "from", "to", "fits"]
    for rival, columns, demand in product(("LPBoost", "ERLPBoost"), COLUMNS, (False, True)):
        how = f"{_trees(columns)}, {'on demand' if demand else 'best trees'}"
        pairs = _pairs(
            best, {"algorithm": rival, "columns": columns, "demand": demand}, algorithm="LevelBoost"
        )
        yield [rival, "LevelBoost", how, *_mean(pairs)]
    for rival, columns in product(("LPBoost", "ERLPBoost"), COLUMNS):
        how = f"{_trees(columns)}, on demand for LevelBoost alone"
        of = {"algorithm": rival, "columns": columns, "demand": False}
        yield [rival, "LevelBoost", how, *_mean(_pairs(best, of, algorithm="LevelBoost", demand=True))]
    for algorithm in ALGORITHMS:
        pairs = _pairs(best, {"algorithm": algorithm, "columns": 1, "demand": False}, columns=20)
        yield ["one tree per round", "20 trees per round", f"{algorithm}, best trees", *_mean(pairs)]
    for algorithm, columns in product(ALGORITHMS, COLUMNS):
        pairs = _pairs(best, {"algorithm": algorithm, "columns": columns, "demand": False}, demand=True)
        yield ["best trees", "on demand", f"{algorithm}, {_trees(columns)}", *_mean(pairs)]


def _trees(columns: int) -> str:
    return "one tree per round" if columns == 1 else f"{columns} trees per round"


def _pairs(best: dict[Fit, Time], of: dict[str, object], **other: object) -> list[tuple[Time, Time]]:
    chosen = [fit for fit in best if of.items() <= fit._asdict().items()]
    return [(best[fit], best[twin]) for fit in chosen if (twin := fit._replace(**other)) in best]  # type: ignore[arg-type]


def _mean(pairs: list[tuple[Time, Time]]) -> list[str]:
    """The mean and range of the ratios, without those of two fits that were both ended, which say nothing."""
    known = [pair for pair in pairs if pair[0].closed or pair[1].closed]
    if not known:
        return ["-", "-", "-", f"0 of {len(pairs)}"]
    ratios = sorted((slow.seconds / fast.seconds, _sign(slow, fast)) for slow, fast in known)
    signs = {sign for _, sign in ratios} - {""}
    mean = math.exp(math.fsum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
    shown = [(mean, "".join(signs) if len(signs) < 2 else "~"), ratios[0], ratios[-1]]
    cells = [sign + (f"{ratio:.2g}" if ratio < 99.5 else f"{ratio:.0f}") for ratio, sign in shown]
    return [*cells, f"{len(known)} of {len(pairs)}"]


def _sign(slow: Time, fast: Time) -> str:
    """Whether the limit made a ratio too small or too large."""
    if not slow.closed:
        return ">"
    return "" if fast.closed else "<"


def markdown(rows: Iterator[list[str]]) -> str:
    """Rows as a table, the first of them its head."""
    head, *rest = rows
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rest])
