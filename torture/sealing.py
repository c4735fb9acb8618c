"""Proofs that somebody changed and sealed again: their digests are right, whatever else they say.

Nothing here is shared with the checker or with the library.
"""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

UNITS = 2**52


def sealed(document: dict[str, Any], data: Path) -> dict[str, Any]:
    """The document with the digests of its own vote and of a CSV file of plain numbers and text."""
    with open(data, newline="") as file:
        rows = list(csv.DictReader(file))
    classes = [str(label) for label in document["classes"]]
    codes = [_place(row[document["target"]], classes) for row in rows]
    weight, factors = document["weight"], document["class_weight"] or [1.0] * len(classes)
    counted = [
        0.0 if k is None else (float(row[weight]) if weight else 1.0) * factors[k]
        for row, k in zip(rows, codes, strict=True)
    ]
    codes = [k if w else None for k, w in zip(codes, counted, strict=True)]
    columns = [
        [_cell(row[each["name"]], each["categories"]) for row in rows] for each in document["features"]
    ]
    votes = [[[n / UNITS for n in each["W"]], each["trees"]] for each in document["certificates"]]
    shape = [[each["name"], each["categories"]] for each in document["features"]]
    return document | {
        "data": _digest([codes, columns, counted]),
        "model": _digest([document["classes"], shape, votes]),
    }


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _place(cell: str, known: list[str]) -> int | None:
    return known.index(cell) if cell in known else None


def _cell(cell: str, categories: list[Any] | None) -> float | int | None:
    if categories is None:
        return float(cell) + 0.0 if cell else None
    return _place(cell, [str(each) for each in categories])
