"""The README as a package index shows it: without pictures and links that lead into the repository."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
PICTURE = re.compile(r"<picture>.*?</picture>\s*", re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")
ASIDE = re.compile(rf"\s*\({LINK.pattern}\)")  # nothing but a link in parentheses


def standing_alone(text):
    """Pictures go, and asides that are links; of other links the words stay."""
    return LINK.sub(r"\1", ASIDE.sub("", PICTURE.sub("", text)))


def dynamic_metadata(settings, project):
    """What scikit-build-core asks for."""
    text = standing_alone(README.read_text(encoding="utf-8"))
    return {"readme": {"content-type": "text/markdown", "text": text}}
