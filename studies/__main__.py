"""`python -m studies`: the commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from frankboost.cli import main as program

STUDIES = program.Program(
    "python -m studies",
    "The paper's experiments, comparisons of algorithms and of libraries, and pages of the results.",
    "studies.commands",
    {
        "paper": 'the experiments of "Boosting as Frank-Wolfe", resumable; --quick by default',
        "compare": "the paper's algorithms side by side, on your data or on embedded data sets",
        "accuracy": "errors and times of our classifiers and of other libraries', resumable",
        "labels": "find labels that were changed on purpose: label_issues against cleanlab, resumable",
        "report": "a page, tables and figures of what `python -m studies paper` found",
    },
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit status."""
    return program.main(argv, STUDIES)


if __name__ == "__main__":
    sys.exit(main())
