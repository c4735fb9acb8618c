"""Proofs changed field by field and sealed again: rejected, or what the checker says of them is true.

What is true is found from the CSV file and the proof by enumerating every tree of the class and solving the
linear program over them; nothing of it is shared with the checker or with the library.
"""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import re
import runpy
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torture.kind import Tried, require
from torture.sealing import UNITS, sealed

CHECKER = Path(__file__).parents[1] / "tools" / "check_certificate.py"
ROWS, CHANGES = 14, 40  # rows of a file, and changed proofs of it
ROUNDING = 1e-7  # of the linear program
Change = Callable[[np.random.Generator, dict[str, Any]], object]


def attempt(seed: int) -> Tried:
    """A random fit, and forty changes of its proof."""
    rng, tried = np.random.default_rng([17, seed]), Tried()
    main = runpy.run_path(str(CHECKER))["main"]
    with tempfile.TemporaryDirectory() as folder:
        data, path = Path(folder, "data.csv"), Path(folder, "proof.json")
        honest = _honest(rng, data, path)
        _judge(_said(main, data, path), honest, data)
        for _ in range(CHANGES):
            name = list(MUTATIONS)[int(rng.integers(len(MUTATIONS)))]
            document = copy.deepcopy(honest)
            with contextlib.suppress(IndexError, KeyError, StopIteration, ValueError):  # nothing to change
                MUTATIONS[name](rng, document)
            with contextlib.suppress(Exception):  # what cannot be sealed is as it is
                document = sealed(document, data) if rng.random() < 0.9 else document
            path.write_text(json.dumps(document))
            said = _said(main, data, path)
            if said is not None:
                _judge(said, document, data)
            tried[f"{name}: {'rejected' if said is None else 'true'}"] += 1
    return tried


def _honest(rng: np.random.Generator, data: Path, path: Path) -> dict[str, Any]:
    """The proof of a small fit, with gaps, categories, weights or three classes."""
    import pandas as pd  # noqa: PLC0415 - heavy

    import frankboost as fb  # noqa: PLC0415
    from frankboost.export.certificate_file import save_certificate  # noqa: PLC0415

    frame = pd.DataFrame({"a": rng.integers(0, 4, ROWS) / 2, "b": rng.integers(0, 3, ROWS) / 4})
    frame.loc[rng.random(ROWS) < 0.2, "a"] = np.nan
    frame["c"] = rng.choice(list("uvw"), ROWS)
    frame["spare"] = rng.integers(0, 2, ROWS)
    y = np.arange(ROWS) % (3 if rng.random() < 0.3 else 2)
    frame["w"], frame["y"] = rng.integers(1, 4, ROWS), rng.permutation(y)
    frame.to_csv(data, index=False)
    weight = frame["w"].to_numpy(dtype=float) if rng.random() < 0.4 else None
    depth, nu = int(rng.integers(1, 3)), float(rng.choice([0.1, 0.3, 0.7]))
    model = fb.SoftMarginClassifier(nu, 0.05, max_depth=depth).fit(frame[["a", "b", "c"]], frame["y"], weight)
    save_certificate(
        model,
        frame[["a", "b", "c"]],
        frame["y"],
        path,
        target="y",
        sample_weight=weight,
        weight=None if weight is None else "w",
    )
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def _said(main: Callable[[str, str], None], data: Path, path: Path) -> str | None:
    """What the checker prints, or None if it rejects."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            main(str(data), str(path))
    except Exception:
        return None
    return out.getvalue()


# --- changes ---


def _one(rng: np.random.Generator, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _claim(rng: np.random.Generator, document: dict[str, Any]) -> Any:
    return _one(rng, document["certificates"])


def _node(rng: np.random.Generator, document: dict[str, Any]) -> Any:
    return _one(rng, _one(rng, _claim(rng, document)["trees"]))


ODD: tuple[Any, ...] = (
    None,
    True,
    "1",
    "1e999999999",
    -1,
    0,
    0.5,
    1.0,
    3,
    1e300,
    10**40,
    [],
    {},
    [1],
    "y",
    "a",
    "c",
)


def _units(rng: np.random.Generator, units: list[int]) -> None:
    i, j, n = *rng.integers(len(units), size=2), int(rng.integers(1, 2**50))
    units[i], units[j] = units[i] - min(n, units[i]), units[j] + min(n, units[i])


def _end(name: str) -> Change:
    def change(rng: np.random.Generator, document: dict[str, Any]) -> None:
        claim = _claim(rng, document)
        by = float(rng.choice([1e-16, 1e-3, 0.1, 1.0])) * float(rng.choice([-1, 1]))
        claim[name] = _one(rng, ODD) if rng.random() < 0.2 else claim[name] + by

    return change


def _loose(rng: np.random.Generator, document: dict[str, Any]) -> None:
    for claim in document["certificates"]:
        claim.update(soft_margin=-1.0, bound=1.0)


def _loosened(change: Change) -> Change:
    """A change of what the claim is about, with ends that leave room for it to be true."""

    def both(rng: np.random.Generator, document: dict[str, Any]) -> None:
        change(rng, document)
        if rng.random() < 0.7:
            _loose(rng, document)

    return both


def _feature(rng: np.random.Generator, document: dict[str, Any]) -> None:
    feature = _one(rng, document["features"])
    field = _one(rng, ["name", "categories", "thresholds", "unused"])
    feature[field] = _one(rng, [*ODD, "spare", "w", "b", False, ["u", "v", "w"], [0.1, 0.6], [0.6, 0.1]])


def _drop_feature(rng: np.random.Generator, document: dict[str, Any]) -> None:
    gone = int(rng.integers(len(document["features"])))
    del document["features"][gone]
    for claim in document["certificates"]:
        claim.update(trees=[[{"value": 1}]], W=[UNITS])


def _constant(rng: np.random.Generator, document: dict[str, Any]) -> None:
    _claim(rng, document).update(trees=[[{"value": int(rng.choice([-1, 1]))}]], W=[UNITS])


def _thin(rng: np.random.Generator, document: dict[str, Any]) -> None:
    feature = _one(rng, [each for each in document["features"] if each["thresholds"]])
    feature["thresholds"].pop(int(rng.integers(len(feature["thresholds"]))))
    feature["unused"] = not feature["thresholds"]


def _order(rng: np.random.Generator, document: dict[str, Any]) -> None:
    some = [
        document["certificates"],
        document["classes"],
        document["features"],
        _claim(rng, document)["trees"],
    ]
    some += [_claim(rng, document)[name] for name in ("D", "W")]
    _one(rng, some).reverse()


def _missing(rng: np.random.Generator, document: dict[str, Any]) -> None:
    thing = _one(
        rng, [document, _claim(rng, document), _one(rng, document["features"]), _node(rng, document)]
    )
    del thing[_one(rng, list(thing))]


def _split(rng: np.random.Generator, document: dict[str, Any]) -> None:
    node = _node(rng, document)
    name = _one(rng, list(node))
    node[name] = -node[name] if name == "value" and rng.random() < 0.5 else _one(rng, ODD)


def _top(*values: Any) -> Callable[[str], Change]:
    def of(name: str) -> Change:
        return lambda rng, document: document.update({name: _one(rng, [*ODD, *values])})

    return of


MUTATIONS: dict[str, Change] = {
    "nu": _end("nu"),
    "soft margin": _end("soft_margin"),
    "bound": _end("bound"),
    "depth": _loosened(lambda rng, document: _claim(rng, document).update(max_depth=_one(rng, [1, 2, *ODD]))),
    "D": lambda rng, document: _units(rng, _claim(rng, document)["D"]),
    "W": lambda rng, document: _units(rng, _claim(rng, document)["W"]),
    "loose ends": _loose,
    "class": lambda rng, document: _claim(rng, document).update({"class": _one(rng, [0, 1, 2, *ODD])}),
    "classes": _top([0, 1, 2], [1, 0], ["0", "1"], [0, 1, "1"], [False, True])("classes"),
    "target": _loosened(_top("y", "spare", "b", "w")("target")),
    "weight": _loosened(_top("w", "spare", "y")("weight")),
    "class weight": _loosened(_top([1.0, 2.0], [1.0, 1e-6], [0.0, 1.0], [1, 1, 3])("class_weight")),
    "feature": _loosened(_feature),
    "a feature less": _loosened(_drop_feature),
    "a constant vote": _loosened(_constant),
    "a threshold less": _loosened(_thin),
    "node": _loosened(_split),
    "order": _loosened(_order),
    "a part missing": _missing,
    "certificates": _top([], {})("certificates"),
    "version": _top(1, 2, 3)("version"),
}


# --- what is true ---


def _judge(said: str | None, document: dict[str, Any], data: Path) -> None:
    """Fail unless every number and name of what was said is right."""
    import pandas as pd  # noqa: PLC0415 - heavy

    require(said is not None, f"an honest proof is rejected: {json.dumps(document)[:2000]}")
    text = str(said)
    told = f"the checker says\n{text}of {json.dumps(document)[:3000]}"
    cells = pd.read_csv(data, dtype=str, keep_default_na=False)
    names = [each["name"] for each in document["features"]]
    target, column = document["target"], document["weight"]
    texts = [str(label) for label in document["classes"]]
    codes = np.array([texts.index(cell) if cell in texts else -1 for cell in cells[target]])
    require((codes >= 0).all() and set(codes) == set(range(len(texts))), f"{told}: classes without rows")
    factors = [Fraction(each) for each in document["class_weight"] or [1] * len(texts)]
    given = (
        [Fraction(1)] * len(cells) if column is None else [Fraction(float(each)) for each in cells[column]]
    )
    weights = [Fraction(float(w) * float(factors[k])) for w, k in zip(given, codes, strict=True)]
    rows = [i for i, w in enumerate(weights) if w > 0]
    left = [name for name in cells.columns if name not in {target, column, *names}]
    require(target not in names and column not in names and target != column, f"{told}: two roles")
    zero = f" (and {len(weights) - len(rows)} of weight 0, which do not count)" * (len(rows) < len(weights))
    facts = [
        f"Rows: {len(rows)}{zero}, ",
        f"Target: {target!r}; weight: {column!r}; columns left out: {', '.join(map(repr, left)) or 'none'}\n",
        f"Features: {', '.join(map(repr, names))}; unused: ",
    ]
    others = sum(weights[i] != 1 for i in rows)
    facts.append(f"{others} with another weight than 1 (in all " if others else "all of weight 1")
    apart = [_apart(each, cells[each["name"]], rows) for each in document["features"]]
    facts.append(f"Thresholds: {sum(a for a, _ in apart)} of the {sum(b for _, b in apart)} that tell")
    unused = [name for name, (a, b) in zip(names, apart, strict=True) if a == 0 < b]
    facts.append(f"; unused: {', '.join(map(repr, unused)) or 'none'}; categories: ")
    for fact in facts:
        require(fact in text, f"{told}: {fact!r} is true, and is not said")
    lines = re.findall(
        r"PROVED: soft margin (\S+) <= optimum <= (\S+) "
        r"\(trees of depth (\d) over \d+ thresholds, nu = (\S+), class",
        text,
    )
    right = re.findall(r"right on (\d+) of (\d+) rows", text)
    require(
        len(lines) == len(document["certificates"]) == len(right) > 0, f"{told}: not one line per certificate"
    )
    kept = [weights[i] for i in rows]
    for claim, line, counts in zip(document["certificates"], lines, right, strict=True):
        low, high, depth, nu = (float(each) for each in line)
        y = np.where(codes[rows] == texts.index(str(claim["class"])), 1, -1)
        masks = _masks(document["features"], cells, rows)
        margins = _margins(claim, masks, y)
        require(counts == (str(sum(m > 0 for m in margins)), str(len(rows))), f"{told}: right on other rows")
        require(
            Fraction(low) <= _soft_margin(margins, kept, Fraction(nu)), f"{told}: the soft margin is less"
        )
        best = _optimum(_votes(masks, document["features"], int(depth), len(rows)), y, kept, nu)
        require(best <= high + ROUNDING, f"{told}: the optimum is {best}")


def _apart(feature: dict[str, Any], cells: Any, rows: list[int]) -> tuple[int, int]:
    """How many gaps between neighbouring values have a threshold, and how many gaps there are."""
    if feature["categories"] is not None:
        return 0, 0
    values = sorted({float(cells[i]) if cells[i] else np.inf for i in rows})
    gaps = list(itertools.pairwise(values)) if np.isfinite(values[0]) else []
    return sum(any(a <= cut < b for cut in feature["thresholds"]) for a, b in gaps), len(gaps)


def _masks(
    features: list[dict[str, Any]], cells: Any, rows: list[int]
) -> Callable[[dict[str, Any]], NDArray[Any]]:
    """From a split to the rows that it sends left."""

    def left(node: dict[str, Any]) -> NDArray[Any]:
        feature = features[node["feature"]]
        column = [cells[feature["name"]][i] for i in rows]
        if feature["categories"] is None:
            known = [bool(cell) and float(cell) <= node["threshold"] for cell in column]
        else:
            sent = {str(feature["categories"][k]) for k in node["categories"]}
            known = [cell in sent for cell in column]
        gap = [cell == "" for cell in column]
        return np.array(known) | (np.array(gap) & bool(node["missing_left"]))

    return left


def _margins(
    claim: dict[str, Any], left: Callable[[dict[str, Any]], NDArray[Any]], y: NDArray[Any]
) -> list[Fraction]:
    total = np.zeros(len(y), dtype=object)
    for n, tree in zip(claim["W"], claim["trees"], strict=True):
        total += n * _vote(tree, 0, left, len(y))
    return [Fraction(int(each), UNITS) for each in total * y]


def _vote(tree: Any, k: int, left: Callable[[dict[str, Any]], NDArray[Any]], rows: int) -> NDArray[Any]:
    if "value" in tree[k]:
        return np.full(rows, int(tree[k]["value"]), dtype=object)
    below = [_vote(tree, tree[k][side], left, rows) for side in ("left", "right")]
    return np.where(left(tree[k]), *below)


def _soft_margin(margins: list[Fraction], weights: list[Fraction], nu: Fraction) -> Fraction:
    room = nu * sum(weights)
    spent, value = Fraction(0), Fraction(0)
    for margin, weight in sorted(zip(margins, weights, strict=True)):
        taken = min(weight, room - spent)
        spent, value = spent + taken, value + taken * margin
    return value / room


def _votes(left: Any, features: list[dict[str, Any]], depth: int, rows: int) -> NDArray[Any]:
    """Every vote of a tree of the class, one column each."""
    splits = []
    for f, feature in enumerate(features):
        for missing in (False, True):
            node = {"feature": f, "missing_left": missing}
            splits += [left(node | {"threshold": cut}) for cut in feature["thresholds"]]
            places = range(len(feature["categories"] or []))
            sets = itertools.chain.from_iterable(
                itertools.combinations(places, n) for n in range(len(places) + 1)
            )
            splits += [
                left(node | {"categories": some}) for some in sets if feature["categories"] is not None
            ]
    sides = np.unique(np.array([*splits, np.ones(rows, dtype=bool)]), axis=0)
    stumps = np.unique(
        np.concatenate([2 * sides - 1, 1 - 2 * sides, np.ones((2, rows)) * [[1], [-1]]]), axis=0
    )
    if depth == 1:
        return stumps.T
    found = []
    for side in sides:
        ones, twos = np.unique(stumps[:, side], axis=0), np.unique(stumps[:, ~side], axis=0)
        votes = np.zeros((len(ones), len(twos), rows))
        votes[:, :, side], votes[:, :, ~side] = ones[:, None], twos[None]
        found.append(votes.reshape(-1, rows))
    return np.unique(np.concatenate(found), axis=0).T


def _optimum(H: NDArray[Any], y: NDArray[Any], weights: list[Fraction], nu: float) -> float:
    """min over distributions within their caps of the largest edge."""
    from scipy.optimize import linprog  # noqa: PLC0415 - heavy

    A = y[:, None] * H
    caps = [min(1.0, float(w / (Fraction(nu) * sum(weights)))) for w in weights]
    found = linprog(
        np.r_[np.zeros(len(y)), 1.0],
        A_ub=np.hstack([A.T, -np.ones((A.shape[1], 1))]),
        b_ub=np.zeros(A.shape[1]),
        A_eq=np.r_[np.ones(len(y)), 0.0][None],
        b_eq=[1.0],
        bounds=[*((0.0, cap) for cap in caps), (-2.0, 2.0)],
    )
    require(found.status == 0, f"the linear program ended with {found.message}")
    return float(found.fun)
