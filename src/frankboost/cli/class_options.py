"""The options of `frankboost fit` about classes and columns: weights, constraints, very many classes."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from collections.abc import Mapping
from typing import Any

from frankboost.cli.arguments import Parser, printable
from frankboost.constraints import ALONE, PAIRWISE
from frankboost.progress import is_terminal
from frankboost.tables.file_columns import reading
from frankboost.tables.reading import listed
from frankboost.validation import quoted

BALANCED = "balanced"
LEAST, MOST = 1e-100, 1e100  # of a factor; beside others that are further off it would vanish
ClassWeight = str | dict[str, float]
MOST_UNASKED = 50  # classes that are fitted without a question


def class_weight(text: str) -> ClassWeight:
    """The word balanced, or a JSON object with a factor for some of the classes."""
    if text.lower() == BALANCED:
        return BALANCED
    found = _json(text)
    if isinstance(found, dict) and all(map(_is_weight, found.values())):
        return found
    raise ArgumentTypeError(
        f"must be {BALANCED} or a JSON object of classes and numbers from {LEAST:g} to {MOST:g}, such as "
        f"""'{{"yes": 5, "no": 1}}'; got {quoted(text)}"""
    )


def monotonic(text: str) -> dict[str, int]:
    """A JSON object with -1, 0 or 1 for some of the columns."""
    found = _json(text)
    if isinstance(found, dict) and all(type(sign) is int and abs(sign) <= 1 for sign in found.values()):
        return found
    raise ArgumentTypeError(
        "must be a JSON object of columns and 1 (the vote never falls), -1 (it never rises) or 0, such as "
        f"""'{{"age": 1, "debt": -1}}'; got {quoted(text)}"""
    )


def interactions(text: str) -> str | list[list[str]]:
    """One of two words, or a JSON list of lists of columns."""
    if text in (PAIRWISE, ALONE):
        return text
    found = _json(text)
    if isinstance(found, list) and all(isinstance(each, list) for each in found):
        return found
    raise ArgumentTypeError(
        f"must be {PAIRWISE}, {ALONE} or a JSON list of lists of columns, such as "
        f"""'[["age", "debt"], ["region"]]'; got {quoted(text)}"""
    )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and LEAST <= value <= MOST


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
            parser.error(
                f"argument --class-weight: the classes are {listed(map(str, classes))}; got {word!r}"
            )
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
