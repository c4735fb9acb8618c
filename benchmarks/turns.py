"""Two versions of the library at the same workloads, by turns."""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

Workload = tuple[str, Callable[[], object]]


def load(path: Path) -> dict[str, Any]:
    """The arrays of a set, its rows in double precision."""
    with np.load(path) as file:
        return {name: file[name].astype(np.float64) if name == "X" else file[name] for name in file}


def main(description: str | None, workloads: Callable[[Path], Iterator[Workload]]) -> None:
    """Compare two interpreters at workloads, or be the one that works.

    Each works in a process of its own. Of each workload they do one after the other and begin again, so that
    what slows the machine for a while slows both; the least CPU time counts.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="the old version's, the new version's")
    parser.add_argument("--turns", type=int, default=5)
    args = parser.parse_args()
    if args.pythons:
        _compare([[python, sys.argv[0], str(args.data)] for python in args.pythons], args.turns)
    else:
        _work(workloads(args.data))


def _work(workloads: Iterator[Workload]) -> None:
    """Say what is next, and do it once for each line that asks for it; an empty line goes on."""
    for name, work in workloads:
        print(name, flush=True)
        while sys.stdin.readline().strip():
            start = time.process_time()
            work()
            print(time.process_time() - start, flush=True)


def _compare(commands: list[list[str]], turns: int) -> None:
    ratios = []
    print(f"{'workload':40} {'old, s':>9} {'new, s':>9} {'new/old':>8}")
    with ExitStack() as stack:
        workers = [stack.enter_context(_Worker(command)) for command in commands]
        while name := {worker.read() for worker in workers}.pop():
            old, new = np.array([[worker.ask() for worker in workers] for _ in range(turns + 1)])[1:].min(
                axis=0
            )
            ratios.append(new / old)
            print(f"{name:40} {old:9.4f} {new:9.4f} {new / old:8.3f}", flush=True)
            for worker in workers:
                worker.write("")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.3f}, largest {max(ratios):.3f}")


class _Worker(subprocess.Popen[str]):
    def __init__(self, command: list[str]) -> None:
        super().__init__(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self) -> str:
        assert self.stdout is not None
        return self.stdout.readline().strip()

    def write(self, line: str) -> None:
        assert self.stdin is not None
        self.stdin.write(line + "\n")
        self.stdin.flush()

    def ask(self) -> float:
        self.write("again")
        return float(self.read())
