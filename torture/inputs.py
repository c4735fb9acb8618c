"""Hostile inputs: each ends in an error that names an argument, or in an answer that `verify` accepts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

import frankboost as fb
from torture.child import apart, note
from torture.frames import odd_frame, odd_sparse
from torture.kind import Failure, Tried

WEIGHTS = (0.0, -0.0, 1e-320, 1e-300, 1e-200, 1e-9, 1.0, 3.0, 1e9, 1e150, 1e300, 1e307)
BAD_WEIGHTS = (np.nan, np.inf, -np.inf, -1.0, -1e-300)
VALUES = (0.0, -0.0, 5e-324, -5e-324, 1e-310, 1.0, 1e308, -1e308, 1.7976931348623157e308, np.nan)
BAD_VALUES: tuple[Any, ...] = (np.inf, -np.inf, "a", "1", None, object(), 1j, b"x", [1], {}, 10**400)
STRANGE: tuple[Any, ...] = (
    *(None, "", "auto", b"", -1, 0, 1, 2, 10**30, 0.0, -0.5, 0.5, 1.5, np.nan, np.inf, -np.inf, True, False),
    *(
        1j,
        [],
        [0],
        [1.5],
        ["x"],
        (),
        {},
        {"a": 1},
        object(),
        int,
        np.array([1, 2]),
        np.float32(0.3),
        np.int8(3),
    ),
    *(
        np.array(0.5),
        "0.5",
        range(3),
        {0: 1.0},
        {0: -1.0},
        {0: np.nan},
        {9: 1.0},
        "balanced",
        lambda event: True,
    ),
)
PARAMETERS = (
    *("nu", "tol", "max_depth", "max_bins", "columns_per_round", "max_iter", "time_limit", "class_weight"),
    *("categorical_features", "calibration", "warm_start", "estimator", "callbacks"),
)
ARGUMENTS = (
    *PARAMETERS,
    "X",
    "y",
    "sample_weight",
    "rows",
    "column",
    "class",
    "sample",
    "feature",
    "features",
    "array",
    "target",
    "H",
)
NAMED = re.compile(r"\b(" + "|".join(ARGUMENTS) + r")\b", re.IGNORECASE)
FEW = {"max_iter": 20, "tol": 0.05}
SECONDS = 60.0


def attempt(seed: int) -> Tried:
    """One input; it and what it led to are the answer."""
    return apart(inputs, seed, seconds=SECONDS)


def inputs(seed: int) -> Tried:
    """The same in this process."""
    rng = np.random.default_rng([7, seed])
    name = list(KINDS)[int(rng.integers(len(KINDS)))]
    parameters, X, y, weight = KINDS[name](rng)
    told = f"fit({parameters!r}, X={_told(X)}, y={y!r}, sample_weight={weight!r})"
    note(told)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = fb.SoftMarginClassifier(**parameters).fit(X, y, weight)
        except (ValueError, TypeError) as error:
            if not NAMED.search(str(error)):
                raise Failure(f"{told}\nan error that names no argument: {error!r}") from error
            return Tried({f"{name}: errors": 1})
        except Exception as error:
            raise Failure(f"{told}\n{type(error).__name__}: {error}") from error
        try:
            if hasattr(X, "check_format"):  # a sparse matrix with indices that are none must be refused
                X.check_format(full_check=True)
            fb.verify(model, X, y, weight)
        except Exception as error:
            raise Failure(f"{told}\nfitted, but: {type(error).__name__}: {error}") from error
    return Tried({f"{name}: right answers": 1})


def _told(X: Any) -> str:
    """Sparse matrices by what they are made of: to print the numbers could crash."""
    parts = [f"{name}={getattr(X, name)!r}" for name in ("indptr", "indices") if hasattr(X, name)]
    return f"{type(X).__name__}({', '.join(parts)})" if parts else repr(X)


Input = tuple[dict[str, Any], Any, Any, Any]


def _rows(rng: Generator) -> tuple[Any, Any]:
    m = int(rng.integers(2, 8))
    y = rng.integers(0, 2, m)
    y[:2] = 0, 1
    return rng.integers(0, 4, (m, 2)).astype(np.float64), y


def _weights(rng: Generator) -> Input:
    X, y = _rows(rng)
    first = int(rng.integers(len(WEIGHTS) - 3))
    weight: Any = rng.choice(WEIGHTS[first : first + int(rng.integers(2, 9))], len(y))
    kind = rng.integers(6)
    if kind == 0:
        weight[rng.integers(len(y))] = rng.choice(BAD_WEIGHTS)
    elif kind == 1:
        weight = weight[: int(rng.integers(len(y) + 1))]
    elif kind == 2:
        weight = [weight[:, None], weight.tolist(), float(weight[0]), "abc", ["a"] * len(y), {}][
            rng.integers(6)
        ]
    factors = {0: float(rng.choice(WEIGHTS[2:])), 1: 1.0}
    parameters = FEW | {"class_weight": [None, None, "balanced", factors][rng.integers(4)]}
    return parameters | {"nu": float(10.0 ** rng.uniform(-9, 0))}, X, y, weight


def _values(rng: Generator) -> Input:
    X, y = _rows(rng)
    X = np.where(rng.random(X.shape) < 0.7, rng.choice(VALUES, X.shape), X)
    parameters: dict[str, Any] = FEW | {"max_depth": int(rng.integers(1, 4))}
    if rng.random() < 0.5:
        X = X.astype(object)
        X[rng.integers(len(y)), rng.integers(2)] = BAD_VALUES[rng.integers(len(BAD_VALUES))]
        if rng.random() < 0.5:
            parameters["categorical_features"] = [0, 1]
    return parameters, X, y, None


def _labels(rng: Generator) -> Input:
    X, y = _rows(rng)
    strange: list[Any] = [
        *(y.astype(str), y.astype(object), y * 1e300, y + 0.5, y == 1, y[:, None], y[:-1], np.zeros(len(y))),
        *(
            np.array([None] * len(y)),
            np.array(["a", 1] * len(y), dtype=object)[: len(y)],
            y * np.nan,
            "ab",
            3,
        ),
        *(None, [], [[0], [1]], np.column_stack([y, y]), y.astype(complex), y.astype("datetime64[D]"), {}),
        *(
            np.array(["", "\ud800"])[y],
            np.array(["\x1b[2J", "a\nb"])[y],
            np.array(["a\0", "a"], dtype=object)[y],
            np.array([b"a\0", b"a"], dtype=object)[y],
            np.arange(len(y)),
            y.astype(np.uint8),
        ),
    ]
    return dict(FEW), X, strange[rng.integers(len(strange))], None


def _shapes(rng: Generator) -> Input:
    X, y = _rows(rng)
    m = len(y)
    strange: list[Any] = [
        *(
            X[:, 0],
            X[:, :0],
            X[:0],
            X[:-1],
            X[None],
            X.T,
            X.tolist(),
            X.astype(np.float16),
            X.astype(complex),
        ),
        *(
            X.astype(str),
            X.astype(bool),
            X.astype("datetime64[s]"),
            [[1], [1, 2]],
            [],
            [[]],
            None,
            3,
            "table",
        ),
        *(np.asfortranarray(X), X[::-1], np.repeat(X, 2, 1)[:, ::2], np.zeros((m, 300)), X.astype(">f8")),
        *(
            np.ma.masked_array(X, X > 2),
            np.zeros((1, 2)),
            X.astype(np.longdouble),
            X.view(np.int64),
            {},
            range(m),
        ),
    ]
    return dict(FEW), strange[rng.integers(len(strange))], y, None


def _parameter(rng: Generator) -> Input:
    X, y = _rows(rng)
    parameters = {
        PARAMETERS[rng.integers(len(PARAMETERS))]: STRANGE[rng.integers(len(STRANGE))] for _ in range(2)
    }
    return {"max_iter": 20} | parameters, X, y, None


def _names(rng: Generator) -> Input:
    import pandas as pd  # noqa: PLC0415 - heavy

    X, y = _rows(rng)
    pool: list[Any] = [
        "a",
        "",
        "a",
        "\x00",
        "\ud800",
        "é" * 50,
        0,
        1,
        None,
        2.5,
        ("x", "y"),
        "a\nb",
        True,
        np.nan,
    ]
    frame = pd.DataFrame(X)
    frame.columns = pd.Index([pool[k] for k in rng.integers(len(pool), size=2)], dtype=object)
    if rng.random() < 0.4:
        frame.isetitem(0, pd.Categorical(rng.choice(["u", "v", "w", "a\nb"], len(y))))
    return dict(FEW), frame, y, None


def _sparse(rng: Generator) -> Input:
    X, y = _rows(rng)
    return dict(FEW), odd_sparse(rng, X), y, None


def _frames(rng: Generator) -> Input:
    X, y = _rows(rng)
    return dict(FEW), odd_frame(rng, X), y, None


KINDS: dict[str, Callable[[Generator], Input]] = {
    "weights": _weights,
    "values": _values,
    "labels": _labels,
    "shapes": _shapes,
    "parameters": _parameter,
    "names": _names,
    "sparse": _sparse,
    "frames": _frames,
}
