"""The kinds of torture, by turns, until the time is up or one of them fails."""

from __future__ import annotations

import argparse
import ast
import sys
import time
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from torture.kind import Failure, Skipped, Tried

# What share of the time each gets.
KINDS = {
    "proofs": 0.2,
    "inputs": 0.12,
    "files": 0.1,
    "sentences": 0.08,
    "tables": 0.12,
    "checks": 0.08,
    "costs": 0.08,
    "interrupts": 0.05,
    "clusters": 0.05,
    "limits": 0.05,
    "threads": 0.03,
    "repeats": 0.02,
    "soak": 0.03,
}

DESCRIPTION = "Try random things until the time is up or one fails; then print a command that repeats it."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m torture",
        description=DESCRIPTION,
        epilog=_kinds(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)} (default: all)")
    parser.add_argument("--minutes", type=float, default=5.0, help="in all (default: %(default)g)")
    parser.add_argument("--seed", type=int, help="the first seed; alone with a kind: that one only")
    parser.add_argument("--count", type=int, help="this many seeds of each kind, however long they take")
    args = parser.parse_args(argv)
    unknown = [kind for kind in args.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"KIND must be one of {', '.join(KINDS)}; got {unknown[0]}")
    kinds = args.kinds or list(KINDS)
    alone = len(args.kinds) == 1 and args.seed is not None
    count = args.count or (1 if alone and "--minutes" not in (argv or sys.argv) else None)
    shares = sum(KINDS[kind] for kind in kinds)
    for kind in kinds:
        seconds = 60.0 * args.minutes * KINDS[kind] / shares
        if not _run(kind, args.seed or 0, count, seconds):
            return 1
    return 0


def _run(kind: str, first: int, count: int | None, seconds: float) -> bool:
    """Print what one kind tried; whether nothing failed."""
    attempt: Callable[[int], Tried] = import_module(f"torture.{kind}").attempt
    tried, seed, start = Tried(), first, time.monotonic()
    while seed < first + count if count is not None else time.monotonic() < start + seconds:
        try:
            tried += attempt(seed)
        except Skipped as reason:
            print(f"{kind}: skipped, {reason}", flush=True)
            return True
        except Failure as failure:
            print(f"{kind}: {_counts(tried)} before this failed:\n{failure}")
            print(f"Repeat it: python -m torture {kind} --seed {seed}", flush=True)
            return False
        seed += 1
    print(
        f"{kind}: seeds {first} to {seed - 1}, {time.monotonic() - start:.0f} s, {_counts(tried)}", flush=True
    )
    return True


def _kinds() -> str:
    """What each kind does, in the words of its module."""
    here = Path(__file__).parent
    found = {kind: here / f"{kind}.py" for kind in KINDS}
    firsts = {
        kind: ast.get_docstring(ast.parse(path.read_text())) for kind, path in found.items() if path.exists()
    }
    return "\n".join(f"{kind:>10}  {(text or '').partition(chr(10))[0]}" for kind, text in firsts.items())


def _counts(tried: Tried) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(tried.items())) or "nothing"
