"""The titles and captions of tables and figures, and phrases that they share."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_CAPTIONS = tomllib.loads((files("studies.report") / "captions.toml").read_text(encoding="utf-8"))
SHARED: dict[str, str] = _CAPTIONS.pop("shared")
LEGEND: str = SHARED["legend"].format(**SHARED)


def title_and_caption(name: str) -> tuple[str, str]:
    """Those of a table or a figure."""
    return _CAPTIONS[name]["title"], _CAPTIONS[name]["caption"].format(**SHARED)
