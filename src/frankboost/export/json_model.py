"""The JSON document of a fitted model, and the model of a document.

Whatever changes the meaning of a document changes VERSION. msgspec checks each field by itself, the structs
what the members of one object say together, and `_check_together` what the objects do.
"""

from __future__ import annotations

import reprlib
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, structs

from frankboost.estimators.prediction import ModelClassifier, category_names
from frankboost.export import json_fields
from frankboost.export.fitted import tree_model
from frankboost.export.json_fields import Count, Saved, check_increasing, check_length, wrong
from frankboost.export.json_fits import (
    SavedConstraints,
    SavedFit,
    SavedVote,
    fit_of,
    read_fit,
    read_vote,
    vote_of,
)
from frankboost.export.json_parameters import (
    CLASSIFIERS,
    SavedClasses,
    classes_of,
    read_classes,
    read_settings,
    settings_of,
)
from frankboost.model import Calibration, Model, positives
from frankboost.native import MOST_CATEGORIES
from frankboost.tables.categories import category_array
from frankboost.version import __version__

FORMAT, VERSION = "frankboost", 2


class SavedCategories(Saved, frozen=True):
    """The categories of a column."""

    column: Count
    values: Annotated[list[json_fields.Scalar], Meta(max_length=MOST_CATEGORIES)]  # none if all are missing

    def __post_init__(self) -> None:
        if len({(type(value), value) for value in self.values}) < len(self.values):
            raise wrong("values", "distinct", self.values)


MOST = 1e9  # of a coefficient of a calibration, which the ridge of a fit keeps smaller
Coefficient = Annotated[float, Meta(ge=0.0, le=MOST)]  # a negative one would rank against the vote
Intercept = Annotated[float, Meta(ge=-MOST, le=MOST)]
Floor = Annotated[float, Meta(ge=0.0, le=0.5)]


class SavedCalibration(Saved, frozen=True, kw_only=True):
    """The calibration, with one entry per fit."""

    a: list[Coefficient]
    b: list[Coefficient]
    intercept: list[Intercept]
    floor: list[Floor]


class SavedModel(Saved, frozen=True, kw_only=True):
    """The members that every document has."""

    format: str
    version: int
    library: str
    classifier: str
    parameters: dict[str, Any]
    classes: SavedClasses
    n_features_in: json_fields.AtLeastOne
    feature_names_in: list[str] | None
    categories: list[SavedCategories]
    feature_importances: list[json_fields.Margin]
    calibration: SavedCalibration | None
    target_name: str | None
    weight_name: str | None
    dates: list[str] | None

    @property
    def category_counts(self) -> list[int]:
        """The number of categories of each feature; 0 for a feature of numbers."""
        known = {each.column: len(each.values) for each in self.categories}
        return [known.get(f, 0) for f in range(self.n_features_in)]


class SavedScope(Saved, frozen=True):
    """The number of rows with weight, and whether some weight is not 1."""

    rows: Count
    weighted: bool


class SavedProof(SavedModel, frozen=True, kw_only=True):
    """A document with certificates; capped are the rows that are as heavy as they may be."""

    capped: list[Count]
    fits: list[SavedFit]
    scope: SavedScope


class SavedVotes(SavedModel, frozen=True, kw_only=True):
    """A document without certificates."""

    votes: list[SavedVote]


def document_of(clf: Any, *, certificate: bool) -> dict[str, Any]:
    """The members of a SavedProof, or of SavedVotes: all that `load` needs."""
    model = tree_model(clf)
    name = type(clf).__name__
    if CLASSIFIERS.get(name) is not type(clf):
        raise TypeError(f"model must be one of {', '.join(CLASSIFIERS)}; got a {name}")
    return {
        "format": FORMAT,
        "version": VERSION,
        "library": __version__,
        "classifier": name,
        "parameters": settings_of(clf),
        "classes": classes_of(model.classes),
        "n_features_in": clf.n_features_in_,
        "feature_names_in": getattr(clf, "feature_names_in_", None),
        "categories": [{"column": f, "values": values} for f, values in category_names(clf).items()],
        "feature_importances": clf.feature_importances_,
        "calibration": None if model.calibration is None else asdict(model.calibration),
        "target_name": model.target_name,
        "weight_name": model.weight_name,
        "dates": model.dates,
        **(_proof_of(model) if certificate else {"votes": [vote_of(each) for each in model.ensembles]}),
    }


def _proof_of(model: Model) -> dict[str, Any]:
    scope = model.ensembles[0].certificate.scope
    return {
        "capped": np.flatnonzero(model.capped),
        "fits": [fit_of(each) for each in model.ensembles],
        "scope": None if scope is None else {"rows": scope.rows, "weighted": scope.weighted},
    }


def read_model(document: Any) -> ModelClassifier:
    """The model of a document; the ValueError names the first field that is wrong."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'not a model of frankboost: an object with "format": "{FORMAT}" was expected')
    if (version := document.get("version")) is True or version != VERSION:
        raise wrong("version", f"{VERSION}, which this version reads", version)
    kind = SavedVotes if "votes" in document else SavedProof
    saved: SavedProof | SavedVotes = json_fields.converted(document, kind)
    classes = read_classes(saved.classes)
    _check_together(saved, len(positives(classes)))
    if saved.classifier not in CLASSIFIERS:
        raise wrong("classifier", f"one of {', '.join(CLASSIFIERS)}", saved.classifier)
    clf = read_settings(saved.parameters, CLASSIFIERS[saved.classifier], classes.tolist())
    clf.n_features_in_ = saved.n_features_in
    if (names := saved.feature_names_in) is not None:
        clf.feature_names_in_ = np.array(names, dtype=object)
    parts = {} if saved.calibration is None else structs.asdict(saved.calibration)
    model = Model(
        classes=classes,
        categories={
            each.column if names is None else names[each.column]: category_array(each.values)
            for each in saved.categories
        },
        **_fitted(saved),
        importances=np.array(saved.feature_importances),
        calibration=Calibration(**{name: np.array(part) for name, part in parts.items()}) if parts else None,
        target_name=saved.target_name,
        weight_name=saved.weight_name,
        dates=saved.dates,
    )
    if isinstance(saved, SavedProof):
        model = model.with_scopes(saved.scope.rows, weighted=saved.scope.weighted)
    clf.model_ = model
    return clf


def _fitted(saved: SavedProof | SavedVotes) -> dict[str, Any]:
    """The ensembles and, of a document with certificates, the rows that are as heavy as they may be."""
    if isinstance(saved, SavedVotes):
        counts = saved.category_counts
        votes = [read_vote(f"votes[{k}]", vote, counts) for k, vote in enumerate(saved.votes)]
        return {"ensembles": tuple(votes), "capped": np.zeros(0, dtype=bool)}
    fits = tuple(read_fit(f"fits[{k}]", fit) for k, fit in enumerate(saved.fits))
    return {"ensembles": fits, "capped": np.isin(np.arange(len(fits[0].distribution)), saved.capped)}


def _check_together(model: SavedProof | SavedVotes, count: int) -> None:
    """Check that all arrays have the right number of entries per feature, row and fit."""
    name = "votes" if isinstance(model, SavedVotes) else "fits"
    parts = getattr(model, name)
    joint = len(parts) == 1 < count and parts[0].together == count
    count = 1 if joint else count
    check_length(name, parts, count)
    for k, each in enumerate(() if joint else parts):
        if each.together > 1:
            raise wrong(
                f"{name}[{k}].classes",
                "the number of all classes, and only if there is a single entry",
                each.together,
            )
    features = model.n_features_in
    check_length("feature_importances", model.feature_importances, features)
    if model.feature_names_in is not None:
        check_length("feature_names_in", model.feature_names_in, features)
        if len(set(model.feature_names_in)) < features:
            raise wrong("feature_names_in", "distinct", model.feature_names_in)
    numbered = {each.column for each in model.categories}
    numeric = [name for f, name in enumerate(model.feature_names_in or []) if f not in numbered]
    if model.dates is not None and not set(model.dates) <= set(numeric):
        raise wrong("dates", "names of columns without categories", model.dates)
    if model.calibration is not None:
        for name, part in structs.asdict(model.calibration).items():
            check_length(f"calibration.{name}", part, count)
    check_increasing("categories", [each.column for each in model.categories], below=features)
    if isinstance(model, SavedProof):
        _check_proof(model)


def _check_proof(model: SavedProof) -> None:
    features, counts, together = model.n_features_in, model.category_counts, model.fits[0].together
    rows = len(model.fits[0].distribution) // together
    check_increasing("capped", model.capped, below=rows)
    for k, fit in enumerate(model.fits):
        check_length(f"fits[{k}].distribution", fit.distribution, rows * together)
        where, declared = f"fits[{k}].hypothesis_class", fit.hypothesis_class
        check_length(f"{where}.thresholds", declared.thresholds, features)
        if declared.categories != counts:
            allowed = f"the number of categories per column, {reprlib.repr(counts)}"
            raise wrong(f"{where}.categories", allowed, declared.categories)
        _check_constraints(f"{where}.constraints", declared.constraints, features)


def _check_constraints(where: str, constraints: SavedConstraints | None, features: int) -> None:
    if constraints is None:
        return
    if constraints.monotonic:
        check_length(f"{where}.monotonic", constraints.monotonic, features)
    for k, each in enumerate(constraints.interactions if isinstance(constraints.interactions, list) else ()):
        check_increasing(f"{where}.interactions[{k}]", each, below=features)
