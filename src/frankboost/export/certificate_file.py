"""Proof files, which anyone can check: integers, trees and their class, in plain JSON.

docs/certificate-format.md describes the format.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.certificate import Certificate, CertificateError
from frankboost.constraints import signs_along
from frankboost.estimators.prediction import category_names
from frankboost.export.json_format import plain
from frankboost.export.json_trees import nodes_of
from frankboost.tables.files import replacing
from frankboost.typing import Floats, one_or_all
from frankboost.verification import verified
from frankboost.verification.hypotheses import DeclaredTrees, declared_class
from frankboost.verification.labels import class_of_each
from frankboost.verification.parts import Claim, claims_of
from frankboost.verification.rationals import UNITS
from frankboost.verification.sample import Sample, table_of
from frankboost.verification.search import DEEPEST

FORMAT, VERSION = "frankboost certificate", 5


def save_certificate(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    path: str | os.PathLike[str],
    *,
    target: str,
    sample_weight: ArrayLike | None = None,
    weight: str | None = None,
) -> Certificate:
    """Verify a model, and write a proof of its certificate to a file that anyone can check.

    `tools/check_certificate.py`, which needs nothing but Python, checks the file against a CSV file of the
    data, and against the file of the model. docs/certificate-format.md describes every field.

    Parameters
    ----------
    model : fitted classifier
        An ensemble of trees of depth 1 or 2, fitted to columns that have names.
    X, y, sample_weight : array-like
        As given to `fit`.
    path : str or path
        The file to write.
    target : str
        The column of the CSV file that holds y.
    weight : str, default=None
        The column of the CSV file that holds sample_weight. Weights must be in a column, or nobody could
        check the proof.

    Returns
    -------
    Certificate, or a list of them, one per class, if the model has more than two classes
        The certificate that `verify` found.

    Raises
    ------
    CertificateError
        If the certificate does not hold.
    """
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        raise ValueError("model must know the names of its columns; fit it to a data frame")
    if (sample_weight is None) != (weight is None):
        raise ValueError(
            "weight must name the column that holds sample_weight, and be None without sample_weight; "
            f"got weight={weight!r} and {'no' if sample_weight is None else 'a'} sample_weight"
        )
    check_roles(names.tolist(), target, weight)
    found = verified(model, X, y, sample_weight)
    if not all(each.exact for each in found):
        raise ValueError("model must have a certificate that can be proved; its bound is heuristic")
    roles = {"target": target, "weight": weight}
    document = _document(model, *claims_of(model, X, y, sample_weight), table_of(X, model), roles)
    with replacing(Path(path)) as file:
        file.write(json.dumps(document, default=plain).encode())
    return one_or_all(found)


def check_roles(features: Sequence[str], target: str, weight: str | None) -> None:
    """Raise a CertificateError if a column has two roles: with the target among the features a proof is
    worthless."""
    for name, role in ((target, "target"), (weight, "weight")):
        if name in features:
            raise CertificateError(f"{role}: claimed {name!r}, found it among the features of the model")
    if target == weight:
        raise CertificateError(f"weight: claimed {weight!r}, found that it is the target")


def _document(
    model: Any, claims: Sequence[Claim], sample: Sample, table: Floats, roles: dict[str, Any]
) -> dict[str, Any]:
    """The members of the file; the digests are of the text that the checker reads."""
    declared = _trees(claims, sample)
    features, constraints = _features(model, declared, sample.X), declared.constraints
    columns = [
        _cells(column, categorical=each["categories"] is not None)
        for column, each in zip(table.T, features, strict=True)
    ]
    counted, labels = np.zeros(len(table)), np.full(len(table), None)
    counted[sample.carries], labels[sample.carries] = sample.weight, sample.code
    votes = [_vote(claim, claim.ensemble()) for claim in claims]
    # The vote in use, if it is another one than the optimum of the certificate.
    used = [None if claim.optimum is None else _in_use(claim) for claim in claims]
    shape = [[each["name"], each["categories"]] for each in features]
    pairs = zip(votes, used, strict=True)
    saved = [[[n / UNITS for n in each["W"]], each["trees"]] for each in (own or vote for vote, own in pairs)]
    return {
        "format": FORMAT,
        "version": VERSION,
        "data": _digest([labels, columns, counted]),
        "model": _digest([model.classes_, shape, saved]),
        **roles,
        "classes": model.classes_,
        "class_weight": None if bool((sample.factors == 1.0).all()) else sample.factors,
        "features": features,
        "interactions": None if constraints is None else constraints.sets(len(features)),
        "leaf_weight": 0.0 if constraints is None else constraints.leaf_weight,
        "certificates": [
            {"class": claim.label, **_certificate(claim), **vote, "in_use": own}
            for claim, vote, own in zip(claims, votes, used, strict=True)
        ],
    }


def _digest(content: Any) -> str:
    """The SHA-256 of some content as JSON, which Python writes in one way only."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=plain).encode()).hexdigest()


def _features(model: Any, declared: DeclaredTrees, X: Floats) -> list[dict[str, Any]]:
    """The name, the categories and the thresholds of each feature, and whether no threshold splits it."""
    signs = signs_along(declared.constraints, len(declared.categories))
    categories = category_names(model)
    unused = {each.feature for each in declared.separated(X) if each.is_unused}
    return [
        {
            "name": name,
            "categories": categories.get(f),
            "thresholds": declared.thresholds[f],
            "unused": f in unused,
            "monotonic": signs[f],
        }
        for f, name in enumerate(model.feature_names_in_.tolist())
    ]


def _trees(claims: Sequence[Claim], sample: Sample) -> DeclaredTrees:
    first, *others = (class_of_each(claim.hypothesis_class) for claim in claims)
    declared = declared_class(first, sample.X, sample.weight)
    if not isinstance(declared, DeclaredTrees) or declared.max_depth > DEEPEST:
        raise ValueError(f"model must have trees of depth 1 or 2; its class is {claims[0].hypothesis_class}")
    if declared.least and any(signs_along(declared.constraints, len(declared.categories))):
        raise ValueError(
            "model must not have both min_samples_leaf and monotonic_cst: a proof file cannot hold both; "
            "verify without a proof file proves them"
        )
    most = max(map(len, declared.thresholds), default=0)
    if most > len(sample.carries):
        raise ValueError(f"model must have at most as many thresholds per feature as rows; got {most}")
    for other in others:
        if not all(map(np.array_equal, declared.thresholds, other.thresholds)):
            raise ValueError("model must have the same thresholds for all classes")
    return declared


def _cells(column: Floats, *, categorical: bool) -> list[float | int | None]:
    """Numbers, or places of categories; None is missing."""
    known = np.isfinite(column).tolist()
    values = (column + 0.0).tolist()  # -0.0 becomes 0.0
    return [(int(x) if categorical else x) if there else None for x, there in zip(values, known, strict=True)]


def _certificate(claim: Claim) -> dict[str, Any]:
    ends = {name: float(getattr(claim.certificate, name)) for name in ("nu", "soft_margin", "bound")}
    depth = class_of_each(claim.hypothesis_class).max_depth
    return {**ends, "max_depth": depth, "D": _units(np.ravel(claim.distribution))}


def _vote(claim: Claim, vote: tuple[Sequence[Any], Floats]) -> dict[str, Any]:
    """Weights and trees; of many classes in one game, those that share a weight one after the other."""
    trees, weights = vote
    if claim.classes > 2:
        trees = [tree for together in trees for tree in together.members]
    return {"W": _units(weights), "trees": [nodes_of(tree) for tree in trees]}


def _in_use(claim: Claim) -> dict[str, Any]:
    return {"soft_margin": float(claim.certificate.in_use), **_vote(claim, claim.in_use())}


def _units(shares: Any) -> list[int]:
    units: list[int] = (np.asarray(shares) * float(UNITS)).astype(np.int64).tolist()
    return units
