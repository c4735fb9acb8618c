"""A fitted model from a JSON document, every field of which is checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from frankboost.certificate import Certificate
from frankboost.estimators.categories import category_array
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_fields import Field
from frankboost.export.json_parameters import CLASSIFIERS, read_settings
from frankboost.export.json_trees import read_tree
from frankboost.export.json_write import FORMAT, SCALARS, VERSION
from frankboost.learners.binning import MOST_CATEGORIES
from frankboost.learners.tree_class import TreeClass
from frankboost.model import Ensemble, Model, Sigmoids, positives
from frankboost.trace import Record, Trace
from frankboost.typing import Flags, Floats, RuleName, Status

LARGEST = 2**31 - 1

NUMERIC_KINDS = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
)
ROUNDING = 1e-6  # of sums that should be 1, and of the ends of [-1, 1]

DOCUMENT = (
    *("format", "version", "library", "classifier", "parameters", "classes", "n_features_in"),
    *("feature_names_in", "categories", "feature_importances", "capped", "calibration", "fits"),
)
OPTIONAL = ("target_name",)


def read_model(document: Any) -> ModelClassifier:
    """The model that `document_of` wrote down; ValueError names the first field that is wrong."""
    root = Field(document, "")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'not a model of frankboost: an object with "format": "{FORMAT}" was expected')
    if "version" not in document or document["version"] is True or document["version"] != VERSION:
        raise Field(document.get("version"), "version").error(
            f"{VERSION}, the only one that this version of frankboost reads"
        )
    fields = root.members(*DOCUMENT, optional=OPTIONAL)
    fields["library"].text()
    classes = _classes(fields["classes"])
    classifier = CLASSIFIERS[fields["classifier"].one_of(CLASSIFIERS)]
    clf = classifier(**read_settings(fields["parameters"], classifier, classes.tolist()))
    features = fields["n_features_in"].count(1, LARGEST)
    # Every array below has one entry per feature or one per row, so that neither number can be a lie.
    fits = [_fit(field, features) for field in fields["fits"].items(count=len(positives(classes)))]
    rows = len(fits[0].distribution)
    for k, each in enumerate(fits):
        if len(each.distribution) != rows:
            raise ValueError(f"fits[{k}].distribution must have {rows} entries; got {len(each.distribution)}")
    declared = [each.hypothesis_class for each in fits if isinstance(each.hypothesis_class, TreeClass)]
    names = fields["feature_names_in"].or_none(lambda field: _names(field, features))
    clf.n_features_in_ = features
    if names is not None:
        clf.feature_names_in_ = names
    clf.model_ = Model(
        classes=classes,
        categories=_categories(fields["categories"], names, declared),
        ensembles=tuple(fits),
        capped=_capped(fields["capped"], rows),
        importances=_importances(fields["feature_importances"], features),
        sigmoids=fields["calibration"].or_none(lambda field: _sigmoids(field, len(fits))),
        target_name=fields["target_name"].text() if "target_name" in fields else None,
    )
    return clf


def _fit(field: Field, features: int) -> Ensemble:
    fields = field.members("certificate", "weights", "trees", "distribution", "hypothesis_class", "trace")
    hypothesis_class = _hypothesis_class(fields["hypothesis_class"], features)
    trees = [
        read_tree(tree, hypothesis_class.categories, hypothesis_class.max_depth)
        for tree in fields["trees"].items(at_least=1)
    ]
    return Ensemble(
        certificate=_certificate(fields["certificate"]),
        hypotheses=trees,
        weights=_simplex(fields["weights"], count=len(trees)),
        distribution=_simplex(fields["distribution"]),
        hypothesis_class=hypothesis_class,
        trace=_trace(fields["trace"]),
    )


def _certificate(field: Field) -> Certificate:
    fields = field.members("soft_margin", "bound", "tol", "nu", "exact", "status", "hypothesis_class")
    return Certificate(
        soft_margin=fields["soft_margin"].number(-1.0 - ROUNDING, 1.0 + ROUNDING),
        bound=fields["bound"].number(-1.0 - ROUNDING, 1.0 + ROUNDING),
        tol=fields["tol"].number(0.0, above=True),
        nu=fields["nu"].number(0.0, 1.0, above=True),
        exact=fields["exact"].flag(),
        status=fields["status"].one_of(get_args(Status)),
        hypothesis_class=fields["hypothesis_class"].text(),
    )


def _simplex(field: Field, count: int | None = None) -> Floats:
    """Numbers >= 0 with sum 1."""
    values = field.numbers(count=count, at_least=1)
    if values.min() < 0.0:
        field.item(int(np.argmin(values))).number(0.0)
    # No entry may exceed 1, so that the sum cannot overflow.
    if values.max() > 1.0 + ROUNDING or abs(values.sum() - 1.0) > ROUNDING:
        raise ValueError(f"{field.where} must have sum 1; got {np.minimum(values, 2.0).sum():g}")
    return values


def _hypothesis_class(field: Field, features: int) -> TreeClass:
    fields = field.members("max_depth", "thresholds", "categories", "label")
    thresholds = []
    for each in fields["thresholds"].items(count=features):
        cuts = each.numbers()
        if not (cuts[:-1] < cuts[1:]).all():
            raise each.error("increasing")
        thresholds.append(cuts)
    return TreeClass(
        max_depth=fields["max_depth"].count(1, LARGEST),
        thresholds=tuple(thresholds),
        label=fields["label"].text(),
        categories=tuple(
            each.count(0, MOST_CATEGORIES) for each in fields["categories"].items(count=features)
        ),
    )


def _trace(field: Field) -> Trace:
    fields = field.members(*Trace.columns)
    rounds = len(fields["round"].items(at_least=1))
    columns = [fields[name].items(count=rounds) for name in Trace.columns]
    trace = Trace()
    for number, row in enumerate(zip(*columns, strict=True), 1):
        values = zip(Trace.columns, row, strict=True)
        trace.append(Record(**{name: _of_round(name, value, number) for name, value in values}))
    return trace


def _of_round(name: str, field: Field, number: int) -> Any:
    if name == "round":
        return field.count(number, number)
    if name == "rule":
        return field.one_of(get_args(RuleName))
    return field.count(0, LARGEST) if name in ("hypotheses", "support") else field.any_number()


def _classes(field: Field) -> NDArray[Any]:
    fields = field.members("kind", "values")
    kind = fields["kind"].one_of(("str", "object", *NUMERIC_KINDS))
    labels = fields["values"].items(at_least=2)
    if kind in ("str", "object"):
        values: list[Any] = [label.text() for label in labels]
    elif kind == "bool":
        values = [label.flag() for label in labels]
    elif kind.startswith("float"):
        values = [label.number() for label in labels]
    else:
        values = [label.count(-(2**63), 2**64 - 1) for label in labels]
    try:
        with np.errstate(all="ignore"):
            classes = np.array(values, dtype=kind)
    except OverflowError:
        raise fields["values"].error(f"of kind {kind}") from None
    if classes.tolist() != values:  # rounded, or cut at a NUL
        raise fields["values"].error(f"of kind {kind}")
    if not all(low < high for low, high in pairwise(values)):
        raise fields["values"].error("distinct and sorted")
    return classes


def _categories(
    field: Field, names: NDArray[Any] | None, declared: Sequence[TreeClass]
) -> dict[str | int, NDArray[Any]]:
    """By name or number of the column, as many of them as the fits declare."""
    known: dict[str | int, NDArray[Any]] = {}
    counts = declared[0].categories
    columns: list[int] = []
    for entry in field.items():
        fields = entry.members("column", "values")
        f = fields["column"].count(columns[-1] + 1 if columns else 0, len(counts) - 1)
        values = [value.value for value in fields["values"].items(count=counts[f])]
        for k, value in enumerate(values):
            if type(value) not in SCALARS or (type(value) is float and not math.isfinite(value)):
                raise fields["values"].item(k).error("a string, a finite number, true or false")
        if len({(type(value), value) for value in values}) < len(values):
            raise fields["values"].error("distinct")
        columns.append(f)
        known[f if names is None else str(names[f])] = category_array(values)
    for k, each in enumerate(declared):
        some = [f for f, count in enumerate(each.categories) if count > 0]
        if some != columns or each.categories != counts:
            raise ValueError(
                f"fits[{k}].hypothesis_class.categories must be those of the columns {columns}; got {some}"
            )
    return known


def _names(field: Field, features: int) -> NDArray[Any]:
    return np.array([name.text() for name in field.items(count=features)], dtype=object)


def _importances(field: Field, features: int) -> Floats:
    importances = field.numbers(count=features)
    for each in field.items():
        each.number(-ROUNDING, 1.0 + ROUNDING)
    return importances


def _capped(field: Field, rows: int) -> Flags:
    capped = np.zeros(rows, dtype=np.bool_)
    capped[field.increasing(rows)] = True
    return capped


def _sigmoids(field: Field, count: int) -> Sigmoids:
    fields = field.members("slope", "intercept")
    return Sigmoids(
        slope=fields["slope"].numbers(count=count), intercept=fields["intercept"].numbers(count=count)
    )
