"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path`, with its permissions, if all goes well.

    Whoever reads the path finds the old file or the new one. A device or a pipe is written to. An OSError of
    the writing has the path as its `filename`.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        path = Path(os.path.realpath(path))
        beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            with beside.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, beside)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        if error.errno is not None:  # without one, a name would be all that the message says
            error.filename = os.fspath(path)
        raise
