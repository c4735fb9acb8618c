"""Certificates as files that anybody can check: integers, trees and the class, in plain JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.estimators.prediction import category_names
from frankboost.export.fitted import tree_model
from frankboost.export.json_format import plain
from frankboost.export.json_trees import nodes_of
from frankboost.replacement import replacing
from frankboost.verification import verify
from frankboost.verification.parts import Claim, claims_of
from frankboost.verification.sample import Sample

FORMAT, VERSION = "frankboost certificate", 1
UNITS = 2.0**52


def save_certificate(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    path: str | os.PathLike[str],
    *,
    target: str,
    sample_weight: ArrayLike | None = None,
) -> None:
    """Verify a model, and write what proves its certificate to a file.

    `tools/check_certificate.py`, which needs nothing but Python, checks the file against a CSV file of the
    data. For each certificate the file has nu, the soft margin and the bound; the integers D and W in units
    of 2^-52 of the distribution and of the trees' weights; the trees; the depth and the thresholds of the
    class; and the weights of the rows unless all are 1. For each feature it has the name and the categories.

    Parameters
    ----------
    model : fitted classifier
        An ensemble of trees of depth 1 or 2, fitted to columns that have names.
    X, y, sample_weight : array-like
        As given to `fit`.
    path : str or path
        Replaced in one step.
    target : str
        The column of the CSV file that holds y.

    Raises
    ------
    CertificateError
        If the certificate does not hold.
    """
    found = verify(model, X, y, sample_weight)
    for each in found if isinstance(found, list) else [found]:
        if not each.exact:
            raise ValueError("model must have a certificate that can be proved; its bound is heuristic")
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        raise ValueError("model must know the names of its columns; fit it to a data frame")
    categories = category_names(model)
    fits, contests = claims_of(model, X, y, sample_weight), tree_model(model).contests
    document = {
        "format": FORMAT,
        "version": VERSION,
        "target": target,
        "classes": model.classes_,
        "features": [
            {"name": name, "categories": categories.get(f)} for f, name in enumerate(names.tolist())
        ],
        "certificates": [
            {"class": contest.label, **_certificate(*fit)}
            for contest, fit in zip(contests, fits, strict=True)
        ],
    }
    with replacing(Path(path)) as file:
        file.write(json.dumps(document, default=plain).encode())


def _certificate(claim: Claim, sample: Sample) -> dict[str, Any]:
    certificate, weight = claim.certificate, np.zeros(len(sample.carries))
    weight[sample.carries] = sample.weight
    return {
        **{name: float(getattr(certificate, name)) for name in ("nu", "soft_margin", "bound")},
        "max_depth": claim.hypothesis_class.max_depth,
        "thresholds": claim.hypothesis_class.thresholds,
        "sample_weight": None if bool((weight == 1.0).all()) else weight,
        "D": _units(claim.distribution),
        "W": _units(claim.weights),
        "trees": [nodes_of(tree) for tree in claim.hypotheses],
    }


def _units(shares: Any) -> list[int]:
    units: list[int] = (np.asarray(shares) * UNITS).astype(np.int64).tolist()
    return units
