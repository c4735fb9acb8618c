"""The options of `frankboost fit` about classes and columns: weights, constraints, very many classes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from frankboost.cli.arguments import Parser, json_value, printable
from frankboost.constraints import ALONE, PAIRWISE
from frankboost.progress import is_terminal
from frankboost.tables.file_columns import reading
from frankboost.tables.reading import listed
from frankboost.validation import quoted

BALANCED = "balanced"
LEAST, MOST = 1e-100, 1e100  # of a factor; beside others that are further off it would vanish
ClassWeight = str | dict[str, float]
MOST_UNASKED = 50  # classes that are fitted without a question


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and LEAST <= value <= MOST


def _is_sign(value: Any) -> bool:
    return type(value) is int and abs(value) <= 1


class_weight = json_value(
    BALANCED,
    allowed=f"{BALANCED} or a JSON object of classes and numbers from {LEAST:g} to {MOST:g}, such as "
    """'{"yes": 5, "no": 1}'""",
    is_right=lambda value: isinstance(value, dict) and all(map(_is_weight, value.values())),
)
monotonic = json_value(
    allowed="a JSON object of columns and 1 (the vote never falls), -1 (it never rises) or 0, such as "
    """'{"age": 1, "debt": -1}'""",
    is_right=lambda value: isinstance(value, dict) and all(map(_is_sign, value.values())),
)
interactions = json_value(
    PAIRWISE,
    ALONE,
    allowed=f"{PAIRWISE}, {ALONE} or a JSON list of lists of columns, such as "
    """'[["age", "debt"], ["region"]]'""",
    is_right=lambda value: isinstance(value, list) and all(isinstance(each, list) for each in value),
)


def weights_of(
    parser: Parser, given: ClassWeight | None, classes: list[Any]
) -> dict[Any, float] | str | None:
    """The weights by label; the command ends with status 2 if a name is not a class."""
    if not isinstance(given, Mapping):
        return given
    label = reading(classes)
    weights = {label(word): weight for word, weight in given.items()}
    for word in given:
        if label(word) not in classes:
            known = listed(map(str, classes))
            parser.error(f"argument --class-weight: the classes are {known}; got {word!r}")
    return weights


def check_many(parser: Parser, target: str, count: int, agreed: bool) -> None:
    """Ask before very many fits; if nobody can answer, the command ends with status 2."""
    if count <= MOST_UNASKED or agreed:
        return
    what = f"{printable(quoted(target))} has {count} classes, and each class is fitted against the rest"
    if not (sys.stdin is not None and sys.stdin.isatty() and is_terminal(sys.stderr)):
        parser.error(f"argument --target: {what}; give --yes to fit them all")
    print(f"{what}. Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        parser.exit(2, f"{parser.prog}: nothing was fitted\n")
