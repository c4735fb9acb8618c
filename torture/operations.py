"""Operations whose cost shall be proportional to a size n."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import frankboost as fb
from frankboost.export import save_certificate, to_text
from torture.checker import refusal
from torture.commands import run

RUNS = ("1", ".", "e", "+", "-", " ", '"', "\u0663", "0x", "1_", "1,", "2024-01-01T00:00:00.", "\t")


@dataclass(frozen=True)
class Operation:
    """From n and a folder to what is measured, the smallest n, and whether its memory is measured, too."""

    name: str
    n: int
    prepare: Callable[[int, Path], Callable[[], object]]
    traced: bool = True


def _csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in (header, *rows)]
    path.write_text("\n".join(quoted) + "\n")
    return str(path)


def _fit(data: str, folder: Path) -> Callable[[], object]:
    words = [
        "fit",
        data,
        "--target",
        "y",
        "--model",
        str(folder / "m.json"),
        "--nu",
        "0.5",
        "--max-depth",
        "1",
    ]
    return lambda: run(words)


def _cells(n: int, folder: Path) -> Callable[[], object]:
    """Long runs of one character, which expressions for numbers and dates may try in many ways."""
    cells = [text * (n // len(text)) + "x" for text in RUNS]
    rows = [(cell, str(k % 2)) for k, cell in enumerate([*cells, "1", "2"])]
    return _fit(_csv(folder / f"cells{n}.csv", ("x", "y"), rows), folder)


def _labels(n: int, folder: Path) -> Callable[[], object]:
    rows = [(str(k), "1" * n + "xy"[k % 2]) for k in range(8)]
    return _fit(_csv(folder / f"labels{n}.csv", ("x", "y"), rows), folder)


def _columns(n: int, folder: Path) -> Callable[[], object]:
    rows = [(*[str(k)] * n, str(k % 2)) for k in range(4)]
    return _fit(_csv(folder / f"columns{n}.csv", (*(f"g{k}" for k in range(n)), "y"), rows), folder)


def _names(n: int, folder: Path) -> Callable[[], object]:
    """Refused, for the last two names are the same."""
    names = [*(f"g{k}" for k in range(n)), "y", "y"]
    return _fit(_csv(folder / f"names{n}.csv", names, [names] * 3), folder)


def _name(n: int, folder: Path) -> Callable[[], object]:
    rows = [(str(k), str(k % 2)) for k in range(8)]
    return _fit(_csv(folder / f"name{n}.csv", ("g" * n, "y"), rows), folder)


def _rows(n: int, folder: Path) -> Callable[[], object]:
    rows = [(str(k % 7), f"2024-01-0{1 + k % 9}", "abc"[k % 3], str(k % 2)) for k in range(n)]
    data, model = _csv(folder / f"rows{n}.csv", ("x", "since", "kind", "y"), rows), str(folder / "m.json")
    fit = _fit(data, folder)

    def all_commands() -> None:
        fit()
        for command in ("predict", "evaluate", "verify"):
            run([command, data, "--model", model])

    return all_commands


def _gaps(n: int, folder: Path) -> Callable[[], object]:
    path = folder / f"gaps{n}.csv"
    path.write_text("\n" * n + "x,y\n" + "\n" * n + "".join(f"{k},{k % 2}\n" for k in range(8)) + "\n" * n)
    return _fit(str(path), folder)


def _small() -> tuple[Any, Any]:
    import pandas as pd  # noqa: PLC0415 - heavy

    X = pd.DataFrame({"a": np.arange(12.0) % 5, "kind": pd.Categorical([*"uvw" * 4])})
    return X, np.arange(12) % 7 % 2


def _saved(folder: Path, *, certificate: bool = True) -> Any:
    """The document of a small model."""
    path = folder / "saved.json"
    fb.save(fb.SoftMarginClassifier(0.5, 0.1).fit(*_small()), path, certificate=certificate)
    return json.loads(path.read_text())


def _model(
    change: Callable[[Any, int], object], use: Callable[[Path], object], *, certificate: bool = True
) -> Any:
    """Do something with the file of a model that has a large part."""

    def prepare(n: int, folder: Path) -> Callable[[], object]:
        document = _saved(folder, certificate=certificate)
        change(document, n)
        path = folder / f"model{n}.json"
        path.write_text(json.dumps(document))
        return partial(use, path)

    return prepare


def _load(path: Path) -> None:
    """Load it and use it; it may be refused."""
    with suppress(ValueError):
        model = fb.load(path)
        model.predict(_small()[0])
        fb.verify(model, *_small())


def _many_categories(document: Any, n: int) -> None:
    document["categories"][0]["values"] = [f"u{k}" for k in range(n)]
    document["fits"][0]["hypothesis_class"]["categories"][1] = n


def _many_thresholds(document: Any, n: int) -> None:
    document["fits"][0]["hypothesis_class"]["thresholds"][0] += [10.0 + k for k in range(n)]


def _many_trees(document: Any, n: int) -> None:
    document["votes"][0] = {"weights": [1.0 / n] * n, "trees": document["votes"][0]["trees"][:1] * n}


def _chain(document: Any, n: int) -> None:
    """A tree as deep as it has splits."""
    nodes: list[Any] = []
    for k in range(n):
        split = {
            "feature": 0,
            "threshold": float(k),
            "missing_left": True,
            "left": 2 * k + 1,
            "right": 2 * k + 2,
        }
        nodes += [split, {"value": 1}]
    document["votes"][0] = {"weights": [1.0], "trees": [[*nodes, {"value": -1}]]}


def _class_name(n: int, _: Path) -> Callable[[], object]:
    """As many rows as a class has letters."""
    X = np.arange(float(n))[:, None]
    y = np.array(["a" * n, "b"])[np.arange(8) % 2]
    model = fb.SoftMarginClassifier(0.5, 0.1, max_depth=1).fit(X[:8], y)
    return lambda: model.predict(X)


def _text(n: int, folder: Path) -> Callable[[], object]:
    """A chain as text, in which each split is further to the right than the one above it."""
    model = _model(_chain, fb.load, certificate=False)(n, folder)()
    return lambda: to_text(model)


def _check(change: Callable[[Any, int], object], rows: int | None = None) -> Any:
    """The checker with a large part in the proof, and `rows` rows or n; it may reject it."""

    def prepare(n: int, folder: Path) -> Callable[[], object]:
        X, y = _small()
        proof, data = folder / f"proof{n}.json", folder / f"data{n}.csv"
        save_certificate(fb.SoftMarginClassifier(0.5, 0.1).fit(X, y), X, y, proof, target="y")
        document = json.loads(proof.read_text())
        change(document, n)
        proof.write_text(json.dumps(document))
        times = 1 if rows is not None else n // len(y)
        lines = [f"{a},{kind},{label}" for a, kind, label in zip(X["a"], X["kind"], y, strict=True)]
        data.write_text("\n".join(["a,kind,y", *lines * times]) + "\n")
        return lambda: refusal(data, proof)

    return prepare


def _checked_categories(document: Any, n: int) -> None:
    document["features"][1]["categories"] += [f"u{k}" for k in range(n)]


def _checked_thresholds(document: Any, n: int) -> None:
    document["features"][0]["thresholds"] += [10.0 + k for k in range(n)]


OPERATIONS = (
    Operation("fit, cells of n characters", 500, _cells, traced=False),
    Operation("checker, n thresholds", 100, _check(_checked_thresholds, rows=12), traced=False),
    Operation("predict, n rows and a class of n letters", 500, _class_name),
    Operation("fit, n names of columns", 800, _names, traced=False),
    Operation("to_text, a chain of n splits", 500, _text),
    Operation("checker, n categories and n rows", 480, _check(_checked_categories), traced=False),
    Operation("fit, labels of n characters", 5000, _labels),
    Operation("fit, a name of n characters", 5000, _name),
    Operation("fit, n blank lines", 10_000, _gaps),
    Operation("load, n categories", 5000, _model(_many_categories, _load)),
    Operation("load, n thresholds", 5000, _model(_many_thresholds, _load)),
    Operation("load, n trees", 1000, _model(_many_trees, _load, certificate=False)),
    Operation("load, a chain of n splits", 500, _model(_chain, _load, certificate=False)),
    Operation("fit, predict, evaluate and verify, n rows", 1000, _rows, traced=False),
    Operation("fit, n columns", 40, _columns, traced=False),
)
