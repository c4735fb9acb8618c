"""The command line in this process: a status and what was printed, or a failure."""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frankboost.cli.main import main
from torture.child import note
from torture.kind import Failure, require


@dataclass(frozen=True)
class Ended:
    """What a command left."""

    status: int
    out: str
    err: str


def run(words: Sequence[str], about: str = "", command: Callable[[Sequence[str]], int] = main) -> Ended:
    """Run a command; what is neither status 0 nor 1 or 2 with lines of its own about it is a failure."""
    told = f"frankboost {' '.join(words)}\n{about}"
    note(told)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = command(words)
    except BaseException:
        raise Failure(f"{told}\n{traceback.format_exc()}") from None
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    ended = Ended(status, *texts)
    lines = ended.err.removesuffix("\n").split("\n") if ended.err else []
    require(status in (0, 1, 2), f"{told}\nstatus {status}\n{ended.err}")
    require(status == 0 or lines, f"{told}\nstatus {status}, and not a word")
    for line in lines:
        mine = line.startswith("frankboost") and line.isprintable()
        require(mine, f"{told}\nno line of ours on standard error: {line!r}")
    return ended
