"""CPU time and memory at n, 4n and 16n: neither may grow as the square of n does."""

from __future__ import annotations

import os
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from torture.child import apart, note
from torture.kind import Failure, Tried
from torture.operations import OPERATIONS, Operation

SECONDS, MEMORY = 120.0, 6e9
SIZES = (1, 4, 16)
MOST = 8.0  # times the growth before: 4 where the cost is proportional to n, 16 where to its square
NOISE = {"s of CPU time": 0.5, "MB": 30.0}  # less growth than this tells nothing


def attempt(seed: int) -> Tried:
    """One operation."""
    return apart(costs, seed, seconds=SECONDS, memory=MEMORY)


def costs(seed: int, operations: Sequence[Operation] = OPERATIONS) -> Tried:
    """The same in this process."""
    operation = operations[seed % len(operations)]
    with tempfile.TemporaryDirectory() as folder:
        note(operation.name)
        works = [operation.prepare(operation.n * times, Path(folder)) for times in SIZES]
        works[0]()  # imports, and what is kept for good
        _check(operation, "s of CPU time", [partial(_time, work) for work in works])
        if operation.traced:
            _check(operation, "MB", [partial(_memory, work) for work in works])
    return Tried({operation.name: 1})


def _check(operation: Operation, unit: str, measures: Sequence[Callable[[], float]]) -> None:
    """Measure, and again where it is steep: others on the machine may have disturbed it."""
    found = [measure() for measure in measures]
    if _steep(unit, found):
        found = [min(one, measure()) for one, measure in zip(found, measures, strict=True)]
    if _steep(unit, found):
        sizes = zip(SIZES, found, strict=True)
        told = ", ".join(f"{each:.3g} {unit} at n = {operation.n * times}" for times, each in sizes)
        raise Failure(f"{operation.name}: {told}")


def _steep(unit: str, found: list[float]) -> bool:
    less, more = found[1] - found[0], found[2] - found[1]
    return more > NOISE[unit] and more > MOST * less


def _time(work: Callable[[], object]) -> float:
    before = sum(os.times()[:4])  # of processes that have ended, too
    work()
    return sum(os.times()[:4]) - before


def _memory(work: Callable[[], object]) -> float:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
