"""Prove certificates on a cluster, from the Dask collections of the fit.

The answers of partitions are small and add up (`frankboost.verification.partitions`). Vectors over the rows
stay on the workers.
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
from frankboost.dask.collections import (
    Collection,
    Partition,
    check_table,
    delayed_blocks,
    make_partitions,
)
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
    partitions = make_partitions(check_table(X), y, sample_weight)
    is_balanced = getattr(model, "class_weight", None) == "balanced"
    inspect = delayed(_inspect_weights)
    known = client.gather(client.compute([inspect(each, classes, is_balanced) for each in partitions]))
    rows, largest, totals = zip(*known, strict=True)
    view = _model_view(model, classes, largest, totals)
    found = []
    for claim in claims:
        hypotheses, weights = claim.ensemble()
        plain = replace(claim, certificate=None, distribution=None, optimum=None)
        shared = delayed(replace(plain, hypotheses=hypotheses, weights=weights), traverse=False)
        pairs = zip(partitions, _split_distribution(claim, rows), strict=True)
        parts = client.compute([delayed(_make_part)(each, view, shared, d) for each, d in pairs])
        found.append(_verify_claim(client, claim, parts, sum(rows), getattr(view, "feature_names_in_", None)))
    return one_or_all(found)


def _inspect_weights(
    partition: Partition, classes: list[Any], is_balanced: bool
) -> tuple[int, list[float], list[Fraction]]:
    """The number of rows of a partition, the largest weight of each class, and, if `is_balanced`, the
    sums."""
    rows = len(partition.X)
    code, weight, _ = carrying(partition.y, partition.sample_weight, rows, classes)
    by_class = [weight[code == k] for k in range(len(classes))]
    totals = [scaled(*integers(each)) for each in by_class if is_balanced]
    return rows, [each.max(initial=0.0) for each in by_class], totals


def _model_view(
    model: Any, classes: list[Any], largest: Sequence[list[float]], totals: Sequence[list[Fraction]]
) -> SimpleNamespace:
    """The attributes of a model that a partition needs, with class weights as numbers."""
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


def _verify_claim(
    client: Client, model: Claim, parts: Sequence[Future], given: int, names: Sequence[str] | None
) -> Certificate:
    """Prove the certificate of one ensemble."""
    claim = model.checked_certificate()
    trees, joint = _declared_trees(model), model.classes > 2
    scale, searches = (ManyClasses.scale, model.classes) if joint else (TwoClasses.scale, 1)
    features: list[Any] = list(range(len(trees.thresholds)) if names is None else names)

    def ask(method: Callable[..., Any], *args: Any) -> list[Any]:
        answers = client.gather([client.submit(_call, each, method, args, pure=False) for each in parts])
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
    # The partitions prove the optimum, and not the vote in use.
    return concluded(replace(claim, in_use=None), found, text, model.scope(rows, counts))


def _declared_trees(model: Claim) -> DeclaredTrees:
    """The class of trees that the model declares; an error if a cluster cannot search it."""
    trees = class_of_each(model.hypothesis_class)
    declared = declared_class(trees, np.zeros((0, len(getattr(trees, "thresholds", ())))))
    if not isinstance(declared, DeclaredTrees) or declared.max_depth > DEEPEST:
        raise CertificateError(
            f"hypothesis_class: claimed {model.hypothesis_class!r}, found no trees of depth 1 or 2, "
            "which are what a cluster can search"
        )
    return declared


def _split_distribution(model: Claim, rows: Sequence[int]) -> list[Any]:
    """Split the distribution into the partitions of X."""
    whole = model.distribution
    if not isinstance(whole, da.Array):
        whole = da.from_array(np.asarray(whole), chunks=-1)
    columns = () if model.classes == 2 else (model.classes,)
    if whole.shape != (sum(rows), *columns):
        raise ValueError(
            f"X must have the {whole.shape[0]} rows that the model was fitted to; got {sum(rows)}"
        )
    pieces = iter(delayed_blocks(whole.rechunk((tuple(each for each in rows if each), *columns))))
    return [next(pieces) if each else np.zeros((0, *columns)) for each in rows]


def _make_part(partition: Partition, view: Any, claim: Claim, d: Floats) -> Part | None:
    """The part of a partition that answers questions; None if none of its rows has weight."""
    weight = partition.sample_weight
    if len(partition.X) == 0 or (weight is not None and not np.asarray(weight).any()):
        check_nothing(d)
        return None
    sample = checked_sample(partition.X, partition.y, weight, len(partition.X), view, largest=view.largest)
    return Part.of(claim, sample, sample.carried(d))


def _call(part: Part | None, method: Callable[..., Any], args: Sequence[Any]) -> Any:
    return None if part is None else method(part, *args)


def _largest_edge(client: Client, declared: DeclaredTrees, parts: Sequence[Future], code: int) -> float:
    """The largest edge of a class of labels.

    One root feature is searched after the other, since the tables of all roots need too much memory.
    """
    by_worker: dict[Any, list[Future]] = {}
    for key, workers in client.who_has(parts).items():
        by_worker.setdefault(next(iter(workers), None), []).extend(each for each in parts if each.key == key)
    best, submit = 0.0, partial(client.submit, pure=False)
    amounts = (code, None) if declared.least else (code,)
    for root in range(len(declared.thresholds)):
        tables = [
            [
                submit(_fill_tables, declared, of, root, some, workers=at, allow_other_workers=at is not None)
                for at, some in by_worker.items()
            ]
            for of in amounts
        ]
        best = max(best, submit(_best_edge, declared, root, *tables).result())
    return best


def _fill_tables(
    declared: DeclaredTrees, code: int | None, root: int, parts: Sequence[Part | None]
) -> list[Floats]:
    tables = empty_tables(declared, root)
    for each in parts:
        if each is not None:
            each.add_tables(code, root, tables)
    return tables


def _best_edge(declared: DeclaredTrees, root: int, *tables: Sequence[list[Floats]]) -> float:
    whole = [[np.sum(each, axis=0) for each in zip(*some, strict=True)] for some in tables]
    return edge_in_tables(declared, root, *whole)
