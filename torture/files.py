"""Changed model and certificate files: refused, or what they claim is true.

The optimum of the small model is known to the last bit, so that a claim that would be stronger is told.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import io
import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import frankboost as fb
from torture.kind import Failure, Tried, require
from torture.mutations import CHANGES


@dataclass(frozen=True, eq=False)
class Files:
    """A small model, what it was fitted to, and where its files are."""

    folder: tempfile.TemporaryDirectory[str]
    model: Any
    X: Any
    y: Any
    saved: bytes
    proof: bytes
    checker: Any

    def path(self, name: str) -> Path:
        return Path(self.folder.name, name)


@functools.cache
def _files() -> Files:
    import pandas as pd  # noqa: PLC0415 - heavy

    from frankboost.export.certificate_file import save_certificate  # noqa: PLC0415 - heavy

    rng = np.random.default_rng(3)
    X = pd.DataFrame({"a": rng.integers(0, 5, 14) / 2, "b": pd.Categorical(rng.choice(list("uvwx"), 14))})
    X.loc[2, "a"] = np.nan
    y = rng.integers(0, 2, 14)
    shm = Path("/dev/shm")
    folder = tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None)
    model = fb.SoftMarginClassifier(0.5, 0.0, max_depth=1).fit(X, y)
    model.target_name_ = "y"
    model_path, proof, data = (Path(folder.name, name) for name in ("model.json", "proof.json", "data.csv"))
    fb.save(model, model_path)
    save_certificate(model, X, y, proof, target="y")
    X.assign(y=y).to_csv(data, index=False)
    source = Path(__file__).parents[1] / "tools" / "check_certificate.py"
    spec = importlib.util.spec_from_file_location("check_certificate", source)
    if spec is None or spec.loader is None:
        raise RuntimeError(f"{source} cannot be loaded")
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    return Files(folder, model, X, y, model_path.read_bytes(), proof.read_bytes(), checker)


def attempt(seed: int) -> Tried:
    """Twenty changed files of one kind."""
    rng, tried = np.random.default_rng([11, seed]), Tried()
    change = list(CHANGES)[seed % len(CHANGES)]
    for _ in range(20):
        for what, check in (("model", _model), ("certificate", _certificate)):
            files = _files()
            data = CHANGES[change](rng, files.saved if what == "model" else files.proof)
            try:
                answer = check(files, data)
            except Exception as error:
                raise Failure(f"a {what} file: {type(error).__name__}: {error}\n{data!r}") from error
            tried[f"{what} {change} {answer}"] += 1
    return tried


def _model(files: Files, data: bytes) -> str:
    path = files.path("changed.json")
    path.write_bytes(data)
    try:
        model = fb.load(path)
    except ValueError:
        return "refused"
    labels = model.predict(files.X) if _same_columns(files.model, model) else model.classes_
    require(np.isin(labels, model.classes_).all(), "predicted a label that is no class")
    try:
        found = fb.verify(model, files.X, files.y)
    except ValueError:
        return "not verified"
    claim = model.certificate_
    require(isinstance(found, fb.Certificate), "a model of two classes has several certificates")
    if _statement(model) == _statement(files.model):
        _check_ends(files.model.certificate_, claim.soft_margin, claim.bound)
        return "true"
    return "about something else"


def _same_columns(one: Any, other: Any) -> bool:
    names = [list(getattr(each, "feature_names_in_", ())) for each in (one, other)]
    return names[0] == names[1] and list(one.categories_) == list(other.categories_)


def _statement(model: Any) -> tuple[Any, ...]:
    """What a certificate is about, apart from the rows: nu, weights, and the class of trees."""
    declared = model.hypothesis_class_
    cuts = [each.tolist() for each in declared.thresholds]
    labels = model.classes_.tolist()
    names = {key: each.tolist() for key, each in model.categories_.items()}
    return (
        model.certificate_.nu,
        model.class_weight,
        declared.max_depth,
        cuts,
        declared.categories,
        labels,
        names,
    )


def _certificate(files: Files, data: bytes) -> str:
    path, told = files.path("changed.json"), io.StringIO()
    path.write_bytes(data)
    try:
        with contextlib.redirect_stdout(told):
            files.checker.main(str(files.path("data.csv")), str(path))
    except (SystemExit, Exception):  # the script says REJECTED, whatever goes wrong
        return "refused"
    before, after = json.loads(files.proof), json.loads(data)
    about = ("nu", "class", "max_depth", "thresholds", "sample_weight")
    heads = [
        {k: v for k, v in each.items() if k in ("target", "classes", "features")} for each in (before, after)
    ]
    for claim in after["certificates"]:
        if heads[0] != heads[1] or any(claim[name] != before["certificates"][0][name] for name in about):
            return "about something else"
        _check_ends(files.model.certificate_, claim["soft_margin"], claim["bound"])
    return "true"


def _check_ends(true: fb.Certificate, low: float, high: float) -> None:
    """What is claimed must be true of an optimum that is known to lie between the ends of the true one."""
    require(Fraction(low) <= Fraction(true.bound), f"the soft margin {low!r} is above the optimum")
    require(Fraction(high) >= Fraction(true.soft_margin), f"the bound {high!r} is below the optimum")
