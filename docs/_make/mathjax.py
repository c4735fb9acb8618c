"""MathJax from the environment, so that formulas need no other machine."""

import shutil
from importlib.metadata import distribution
from pathlib import Path

PATH = "mathjax/tex-svg.js"  # one file that brings its glyphs with it


def copy(app):
    """Beside the other static files."""
    source = distribution("sphinx-mathjax-offline").locate_file(f"sphinx-mathjax-offline/static/{PATH}")
    target = Path(app.outdir) / "_static" / PATH
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(str(source), target)
