"""Changes to JSON files: of some bytes, or of one field."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
from numpy.random import Generator

TEXTS = (
    b"",
    b"0",
    b"-",
    b"e",
    b"9" * 30,
    b"1e999",
    b"NaN",
    b"null",
    b"[",
    b"]",
    b"{",
    b'"',
    b"\\ud800",
    b"\xff",
    b"\x00",
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        255,
        2**31,
        2**63,
        -(2**63),
        10**20,
        0.0,
        -0.0,
        0.5,
        1.0,
        -1.0,
        1e-300,
        1e308,
    ),
    *(
        float("nan"),
        float("inf"),
        "",
        "x",
        "optimal",
        "0.5",
        "1/2",
        "1e999999999",
        "1e-99999999",
        "\x1b[2J",
        [],
        [0],
        [0.5, 0.5],
        [[]],
        {},
        {"a": 1},
        2.0**-52,
    ),
)


def of_bytes(rng: Generator, data: bytes) -> bytes:
    """Some bytes flipped, cut, doubled or replaced."""
    at, length = int(rng.integers(len(data))), int(rng.integers(1, 9))
    kind = rng.integers(5)
    if kind == 0:
        return data[:at] + bytes([data[at] ^ 1 << int(rng.integers(8))]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + length :]
    if kind == 2:
        return data[:at] + data[at : at + length] + data[at:]
    if kind == 3:
        return data[:at]
    return data[:at] + TEXTS[rng.integers(len(TEXTS))] + data[at + length :]


def of_digits(rng: Generator, data: bytes) -> bytes:
    """One digit changed, so that the file can often be read."""
    places = [k for k, byte in enumerate(data) if 48 <= byte < 58]
    at = places[rng.integers(len(places))]
    return data[:at] + str(rng.integers(10)).encode() + data[at + 1 :]


def of_fields(rng: Generator, data: bytes) -> bytes:
    """One member or entry replaced, moved by a little, removed, or put in twice."""
    return _changed(rng, json.loads(data), None)


def of_calibration(rng: Generator, data: bytes) -> bytes:
    """One of what makes probabilities of votes, if there is something."""
    document = json.loads(data)
    return _changed(rng, document, document.get("calibration"))


def _changed(rng: Generator, document: Any, part: Any) -> bytes:
    places = list(_places(part or document))
    holder, key = places[rng.integers(len(places))]
    kind, value = rng.integers(4), holder[key]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == 0 and number:
        near = [value + 1, value - 1, -value, float(np.nextafter(value, 9.0)), value * 2, value - 50.0]
        holder[key] = near[rng.integers(len(near))]
    elif kind == 1:
        del holder[key]
    elif kind == 2:
        other, where = places[rng.integers(len(places))]
        holder[key] = copy.deepcopy(other[where])
    else:
        holder[key] = VALUES[rng.integers(len(VALUES))]
    return json.dumps(document).encode()


def _places(part: Any) -> Any:
    """Every holder of a value, with its key."""
    keys = list(part) if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    for key in keys:
        yield part, key
        yield from _places(part[key])


CHANGES = {"bytes": of_bytes, "digits": of_digits, "fields": of_fields, "calibration": of_calibration}
