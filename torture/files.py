"""Changed model and certificate files: refused, or what they claim is true.

The optima of the small models are known to the last bit, so that a claim that would be stronger is told.
"""

from __future__ import annotations

import functools
import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import frankboost as fb
from torture.checker import refusal
from torture.child import apart, note
from torture.kind import Failure, Tried, require
from torture.mutations import CHANGES

SECONDS = 30.0  # of CPU time for the files of one seed, which take one or two
SETTINGS: dict[str, dict[str, Any]] = {
    "depth 1": {"max_depth": 1},
    "depth 2, calibrated": {"max_depth": 2, "calibration": 2},
    "3 classes, calibrated": {"max_depth": 1, "calibration": 2},
}


@dataclass(frozen=True, eq=False)
class Files:
    """A small model, what it was fitted to, and where its files are."""

    folder: tempfile.TemporaryDirectory[str]
    model: Any
    X: Any
    y: Any
    saved: bytes
    proof: bytes

    def path(self, name: str) -> Path:
        return Path(self.folder.name, name)


@functools.cache
def _files(kind: str) -> Files:
    import pandas as pd  # noqa: PLC0415 - heavy

    from frankboost.export.certificate_file import save_certificate  # noqa: PLC0415 - heavy

    rng = np.random.default_rng(3)
    X = pd.DataFrame({"a": rng.integers(0, 5, 14) / 2, "b": pd.Categorical(rng.choice(list("uvwx"), 14))})
    X.loc[2, "a"] = np.nan
    y = np.arange(14) % 3 if kind.startswith("3") else rng.integers(0, 2, 14)
    shm = Path("/dev/shm")
    folder = tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None)
    model = fb.SoftMarginClassifier(0.2, 0.0, **SETTINGS[kind]).fit(X, y)
    model.target_name_ = "y"
    model_path, proof, data = (Path(folder.name, name) for name in ("model.json", "proof.json", "data.csv"))
    fb.save(model, model_path)
    save_certificate(model, X, y, proof, target="y")
    X.assign(y=y).to_csv(data, index=False)
    return Files(folder, model, X, y, model_path.read_bytes(), proof.read_bytes())


def attempt(seed: int) -> Tried:
    """Twenty changed files of one kind."""
    return apart(files, seed, seconds=SECONDS)


def files(seed: int) -> Tried:
    """The same in this process."""
    rng, tried = np.random.default_rng([11, seed]), Tried()
    change = list(CHANGES)[seed % len(CHANGES)]
    given = _files(list(SETTINGS)[seed // len(CHANGES) % len(SETTINGS)])
    for _ in range(20):
        for what, check in (("model", _model), ("certificate", _certificate)):
            data = CHANGES[change](rng, given.saved if what == "model" else given.proof)
            note(data)
            try:
                answer = check(given, data)
            except (Exception, SystemExit) as error:
                raise Failure(f"a {what} file: {type(error).__name__}: {error}\n{data!r}") from error
            tried[f"{what} {change} {answer}"] += 1
    return tried


def _model(given: Files, data: bytes) -> str:
    path = given.path("changed.json")
    path.write_bytes(data)
    try:
        model = fb.load(path)
    except ValueError:
        return "refused"
    if _same_columns(given.model, model):
        with np.errstate(all="raise", under="ignore"):
            check_chances(model, given.X)
    try:
        fb.verify(model, given.X, given.y)
    except ValueError:
        return "not verified"
    if _statement(model) != _statement(given.model):
        return "about something else"
    for true, claim in zip(_listed(given.model.certificate_), _listed(model.certificate_), strict=True):
        _check_ends(true, claim.soft_margin, claim.bound)
    return "true"


def check_chances(model: Any, X: Any) -> None:
    """The labels are classes, and probabilities are some and rank as the votes or the labels do."""
    labels, votes, chances = model.predict(X), model.decision_function(X), model.predict_proba(X)
    require(np.isin(labels, model.classes_).all(), "predicted a label that is no class")
    require(((chances >= 0.0) & (chances <= 1.0)).all(), f"no probabilities: {chances.tolist()}")
    require(np.allclose(chances.sum(axis=1), 1.0), f"probabilities that do not add up: {chances.tolist()}")
    if len(model.classes_) > 2:
        likeliest = model.classes_[chances.argmax(axis=1)]
        require((likeliest == labels).all(), f"predicted {labels.tolist()} with {chances.tolist()}")
    else:
        falls = np.diff(chances[np.argsort(votes, kind="stable"), 1]) < -1e-9
        require(not falls.any(), f"votes {votes.tolist()} have the probabilities {chances[:, 1].tolist()}")


def _same_columns(one: Any, other: Any) -> bool:
    names = [list(getattr(each, "feature_names_in_", ())) for each in (one, other)]
    return names[0] == names[1] and list(one.categories_) == list(other.categories_)


def _listed(parts: Any) -> list[Any]:
    return parts if isinstance(parts, list) else [parts]


def _statement(model: Any) -> tuple[Any, ...]:
    """What certificates are about, apart from the rows: nu, weights, and the class of trees."""
    declared = _listed(model.hypothesis_class_)
    return (
        [each.nu for each in _listed(model.certificate_)],
        model.class_weight,
        [each.max_depth for each in declared],
        [[cuts.tolist() for cuts in each.thresholds] for each in declared],
        [each.categories for each in declared],
        model.classes_.tolist(),
        {key: each.tolist() for key, each in model.categories_.items()},
    )


def _certificate(given: Files, data: bytes) -> str:
    path = given.path("changed.json")
    path.write_bytes(data)
    if refusal(given.path("data.csv"), path):
        return "refused"
    before, after = json.loads(given.proof), json.loads(data)
    about = ("class", "nu", "max_depth")
    heads = ("target", "weight", "classes", "class_weight", "features")
    if any(before[name] != after[name] for name in heads):
        return "about something else"
    for claim in after["certificates"]:
        for known, true in zip(before["certificates"], _listed(given.model.certificate_), strict=True):
            if all(claim[name] == known[name] for name in about):
                _check_ends(true, claim["soft_margin"], claim["bound"])
    return "true"


def _check_ends(true: fb.Certificate, low: float, high: float) -> None:
    """What is claimed must be true of an optimum that is known to lie between the ends of the true one."""
    require(Fraction(low) <= Fraction(true.bound), f"the soft margin {low!r} is above the optimum")
    require(Fraction(high) >= Fraction(true.soft_margin), f"the bound {high!r} is below the optimum")
