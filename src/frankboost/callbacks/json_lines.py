"""A callback that writes the rounds to a file."""

from __future__ import annotations

import json
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from frankboost.callbacks.round import Round


class JsonLines:
    """Write the record of each round to a file, one JSON object a line, as it happens.

    Its `label` is the class that a positive vote is for: with many classes, the one that is fitted against
    the rest.

    Parameters
    ----------
    path : str or path
        Lines are appended.

    Examples
    --------
    >>> import tempfile
    >>> from frankboost import SoftMarginClassifier
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rounds.jsonl"
    ...     clf = SoftMarginClassifier(callbacks=[JsonLines(path)]).fit([[0.0], [1.0]], [0, 1])
    ...     len(path.read_text().splitlines()) == clf.n_iter_
    True
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = Path(path)

    def __call__(self, event: Round) -> None:
        """Append a line."""
        label = event.label.item() if isinstance(event.label, np.generic) else event.label
        line: dict[str, Any] = {"label": label, **asdict(event.record())}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
