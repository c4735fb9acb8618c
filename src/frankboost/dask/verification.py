"""Prove certificates on a cluster, from the Dask collections of the fit.

What partitions say is small and adds up (`frankboost.verification.partitions`); nothing with one entry per
row leaves the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import delayed
from distributed import Client, Future, get_client

from frankboost.certificate import Certificate, CertificateError
from frankboost.dask.collections import Collection, Portion, blocks, check_table, portions
from frankboost.scope import Counts
from frankboost.typing import Floats, one_or_all
from frankboost.verification.claims import Ends, concluded
from frankboost.verification.hypotheses import DeclaredTrees, declared_class
from frankboost.verification.labels import ManyClasses, TwoClasses, class_of_each, class_text
from frankboost.verification.partitions import Part, edge_in_tables, empty_tables, soft_margin, tells_all
from frankboost.verification.parts import Claim, all_claims
from frankboost.verification.rationals import UNITS, check_total, integers, scaled
from frankboost.verification.sample import (
    balanced,
    carrying,
    check_nothing,
    checked_sample,
    largest_weights,
    size_of,
)
from frankboost.verification.search import DEEPEST
from frankboost.verification.tree_walk import check_held


def verify(
    model: Any,
    X: Collection,
    y: Collection,
    sample_weight: Collection = None,
    *,
    client: Client | None = None,
) -> Certificate:
    """Prove the certificate of a fitted model again on the workers of a cluster, without any rounding.

    Parameters
    ----------
    model : fitted classifier
        Of this package, or `frankboost.SoftMarginClassifier` and its like with trees of depth 1 or 2.
    X, y, sample_weight : Dask arrays or data frames
        As given to `fit`; their partitions may be others.
    client : distributed.Client, default=None
        The current one if None.

    Returns
    -------
    Certificate, or a list of them, one per class, if the model has more than two classes
        That of `frankboost.verify`.

    Raises
    ------
    CertificateError
        If a certificate does not hold; the message says what was claimed and what was found.
    """
    client = get_client() if client is None else client
    claims = all_claims(model)
    classes = list(claims[0].labels)
    parts = portions(check_table(X), y, sample_weight)
    is_balanced = getattr(model, "class_weight", None) == "balanced"
    known = client.gather(client.compute([delayed(_look)(each, classes, is_balanced) for each in parts]))
    rows, largest, totals = zip(*known, strict=True)
    view = _view(model, classes, largest, totals)
    found = []
    for claim in claims:
        hypotheses, weights = claim.ensemble()
        plain = replace(claim, certificate=None, distribution=None, optimum=None)
        light = delayed(replace(plain, hypotheses=hypotheses, weights=weights), traverse=False)
        shares = zip(parts, _shares(claim, rows), strict=True)
        looked = client.compute([delayed(_part)(each, view, light, d) for each, d in shares])
        found.append(_verify(client, claim, looked, sum(rows), getattr(view, "feature_names_in_", None)))
    return one_or_all(found)


def _look(portion: Portion, classes: list[Any], is_balanced: bool) -> tuple[int, list[float], list[Fraction]]:
    """How many rows a partition has, and of each class the largest weight, and the sum if that matters."""
    rows = len(portion.X)
    code, weight, _ = carrying(portion.y, portion.sample_weight, rows, classes)
    each = [weight[code == k] for k in range(len(classes))]
    totals = [scaled(*integers(some)) for some in each if is_balanced]
    return rows, [some.max(initial=0.0) for some in each], totals


def _view(
    model: Any, classes: list[Any], largest: Sequence[list[float]], totals: Sequence[list[Fraction]]
) -> SimpleNamespace:
    """The parts of a model that a partition needs; class weights are numbers already."""
    names = ("classes_", "class_weight", "categories_", "feature_names_in_")
    view = SimpleNamespace(**{name: getattr(model, name) for name in names if hasattr(model, name)})
    most = np.max(largest, axis=0)
    sums = [sum(each, Fraction(0)) for each in zip(*totals, strict=True)]
    if sums:
        size = Fraction(2) ** size_of(most.max())
        factors = balanced([float(each / size) for each in sums], float(sum(sums) / size))
        view.class_weight = dict(zip(classes, factors.tolist(), strict=True))
    given = getattr(view, "class_weight", None) or {}
    view.largest = largest_weights(most, np.array([given.get(label, 1.0) for label in classes]))
    return view


def _verify(
    client: Client, model: Claim, parts: Sequence[Future], given: int, names: Sequence[str] | None
) -> Certificate:
    claim = model.checked_certificate()
    trees, joint = _trees(model), model.classes > 2
    scale, searches = (ManyClasses.scale, model.classes) if joint else (TwoClasses.scale, 1)
    features: list[Any] = list(range(len(trees.thresholds)) if names is None else names)

    def ask(method: Callable[..., Any], *args: Any) -> list[Any]:
        answers = client.gather([client.submit(_asked, each, method, args, pure=False) for each in parts])
        return [each for each in answers if each is not None]

    units, weights = zip(*ask(Part.totals), strict=True)
    check_total("distribution", sum(units))
    check_held(ask(Part.leaves), trees.least)
    room = Fraction(float(claim.nu)) * sum(weights, Fraction(0))
    excess = 2 * sum(ask(Part.excess, room), Fraction(0))
    edge = sum(int(_largest_edge(client, trees, parts, code)) for code in range(searches))
    rows, right, weighted, *totals = (sum(each) for each in zip(*ask(Part.counts), strict=True))
    whole = UNITS * scale
    found = Ends(soft_margin(ask, room, scale) / whole, Fraction(edge, whole) + excess, right)
    told = tells_all(*zip(*ask(Part.ends), strict=True))
    text = class_text(trees, claim.hypothesis_class, model.classes, tells_all=told)
    kept, zero = trees.kept(features), given - rows
    counts = Counts(right, weighted, tuple(map(float, totals)), kept=kept, weightless=zero)
    # What is said here is about the optimum, whatever vote is in use.
    return concluded(replace(claim, in_use=None), found, text, model.scope(rows, counts))


def _trees(model: Claim) -> DeclaredTrees:
    """The class, before any rows are looked at."""
    kind = class_of_each(model.hypothesis_class)
    declared = declared_class(kind, np.zeros((0, len(getattr(kind, "thresholds", ())))))
    if not isinstance(declared, DeclaredTrees) or declared.max_depth > DEEPEST:
        raise CertificateError(
            f"hypothesis_class: claimed {model.hypothesis_class!r}, found no trees of depth 1 or 2, "
            "which are what a cluster can search"
        )
    return declared


def _shares(model: Claim, rows: Sequence[int]) -> list[Any]:
    """The distribution in the partitions of X."""
    whole = model.distribution
    if not isinstance(whole, da.Array):
        whole = da.from_array(np.asarray(whole), chunks=-1)
    columns = () if model.classes == 2 else (model.classes,)
    if whole.shape != (sum(rows), *columns):
        raise ValueError(
            f"X must have the {whole.shape[0]} rows that the model was fitted to; got {sum(rows)}"
        )
    pieces = iter(blocks(whole.rechunk((tuple(each for each in rows if each), *columns))))
    return [next(pieces) if each else np.zeros((0, *columns)) for each in rows]


def _part(portion: Portion, view: Any, claim: Claim, shares: Floats) -> Part | None:
    """The answer of a partition; None if none of its rows has weight."""
    weight = portion.sample_weight
    if len(portion.X) == 0 or (weight is not None and not np.asarray(weight).any()):
        check_nothing(shares)
        return None
    sample = checked_sample(portion.X, portion.y, weight, len(portion.X), view, largest=view.largest)
    return Part.of(claim, sample, sample.carried(shares))


def _asked(part: Part | None, method: Callable[..., Any], args: Sequence[Any]) -> Any:
    return None if part is None else method(part, *args)


def _largest_edge(client: Client, declared: DeclaredTrees, parts: Sequence[Future], code: int) -> float:
    """The largest edge in the search of a class, one root feature after the other: the tables of all roots
    need too much memory."""
    places: dict[Any, list[Future]] = {}
    for key, workers in client.who_has(parts).items():
        places.setdefault(next(iter(workers), None), []).extend(each for each in parts if each.key == key)
    best, submit = 0.0, partial(client.submit, pure=False)
    amounts = (code, None) if declared.least else (code,)
    for root in range(len(declared.thresholds)):
        tables = [
            [
                submit(_tables, declared, of, root, some, workers=at, allow_other_workers=at is not None)
                for at, some in places.items()
            ]
            for of in amounts
        ]
        best = max(best, submit(_edge, declared, root, *tables).result())
    return best


def _tables(
    declared: DeclaredTrees, code: int | None, root: int, parts: Sequence[Part | None]
) -> list[Floats]:
    tables = empty_tables(declared, root)
    for each in parts:
        if each is not None:
            each.add_tables(code, root, tables)
    return tables


def _edge(declared: DeclaredTrees, root: int, *tables: Sequence[list[Floats]]) -> float:
    whole = [[np.sum(each, axis=0) for each in zip(*some, strict=True)] for some in tables]
    return edge_in_tables(declared, root, *whole)
