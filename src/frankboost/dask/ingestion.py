"""A Dask training set read on the workers of a cluster, where its rows stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from dask.delayed import delayed
from distributed import Client, Future

from frankboost.choosing.held_out import Hashes, Patterns, row_keys
from frankboost.choosing.sample import (
    EVERY,
    Sample,
    enough_of,
    least_keys,
    limits_of,
    once,
    standing_for,
    totals_of,
    within,
)
from frankboost.dask.collections import Collection, check_table, empty_table, portions
from frankboost.dask.rows import Agreement, Rows, facts
from frankboost.dask.thresholds import choose_thresholds, missing_and_present
from frankboost.estimators.parameters import Parameters
from frankboost.fitting.problems import training_sets
from frankboost.learners.thresholds import most_thresholds, with_present
from frankboost.tables.frames import checked_columns
from frankboost.tables.labelled import LabelledRows
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class DistributedRows:
    """The rows of each partition, on the workers, and what all of them agree on.

    A worker that is lost takes its rows along; the cluster computes them again from the collection.
    """

    rows: list[Future]  # of Rows, of the partitions that have some that carry weight; let go when binned
    counts: list[int]  # how many
    given: list[int]  # how many were given, in all partitions
    present: list[int]  # which of them those of `rows` are
    agreed: Agreement
    missing: Flags  # which columns have missing values
    has_both: Flags  # and which of them have others

    def sample(self, client: Client, seed: int, *, joint: bool = False) -> Sample:
        """The rows that one machine would choose nu on, brought here."""
        agreed = self.agreed
        classes = len(agreed.classes)

        def ask(what: Callable[..., Any], *args: Any) -> Any:
            told = client.gather([client.submit(what, each, seed, *args, pure=False) for each in self.rows])
            return zip(*told, strict=True)

        least, totals = ask(least_of, classes, enough_of(classes))
        limits = limits_of(least, enough_of(classes))
        X, code, weight, keys = (np.concatenate(each) for each in ask(some_of, limits))
        first, weight = once(keys, code, weight)
        X, code, keys = X[first], code[first], keys[first]
        if (limits != EVERY).any():
            weight = standing_for(
                [sum(each, Fraction(0)) for each in zip(*totals, strict=True)], code, weight
            )
        carries = np.ones(len(code), dtype=np.bool_)
        rows = LabelledRows(
            X, code, weight, agreed.weighing.factors, carries, agreed.classes, agreed.encoding
        )
        return Sample(training_sets(rows, joint=joint), carries, Patterns.of(keys))

    def thresholds(self, client: Client, max_bins: int) -> tuple[Floats, ...]:
        """At most so many for each feature, none for those that hold categories."""
        numbers = [f for f in range(len(self.missing)) if f not in self.agreed.encoding.by_column]
        most = {f: most_thresholds(max_bins, bool(self.missing[f])) or max_bins for f in numbers}
        chosen = choose_thresholds(client, self.rows, self.agreed.span, most)
        chosen |= {f: with_present(each, max_bins) for f, each in chosen.items() if self.has_both[f]}
        return tuple(chosen.get(f, np.zeros(0)) for f in range(len(self.missing)))


def read(
    client: Client,
    clf: Parameters,
    X: Collection,
    y: Collection,
    sample_weight: Collection = None,
    *,
    categorical: tuple[int, ...] = (),
) -> DistributedRows:
    """Everything that `clf.fit` was given, checked; `categorical` numbers more columns of categories.

    Each partition is read twice: what is known of it, and its rows when all have agreed.
    """
    X = check_table(X)
    columns = type(clf)()  # a light one travels to the workers
    checked_columns(columns, empty_table(X), reset=True)
    parts = portions(X, y, sample_weight)
    look = delayed(facts)
    looks = [look(each, clf.categorical_features, categorical) for each in parts]
    known = client.gather(client.compute(looks))
    agreed = Agreement.of(known, clf.class_weight, columns)
    shared = delayed(agreed, traverse=False)
    present = [k for k, each in enumerate(known) if each.rows > 0]
    rows = client.compute([delayed(Rows.of)(parts[k], shared) for k in present])
    seen = client.gather(client.map(missing_and_present, rows, pure=False))
    missing, values = np.any(seen, axis=0)
    return DistributedRows(
        rows=rows,
        counts=[known[k].rows for k in present],
        given=[each.given for each in known],
        present=present,
        agreed=agreed,
        missing=missing,
        has_both=missing & values,
    )


def least_of(rows: Rows, seed: int, classes: int, enough: int) -> tuple[list[Hashes], list[Fraction]]:
    """The least keys of each class in a partition, and its weight there."""
    keys = row_keys(rows.X, seed)
    return least_keys(keys, rows.code, classes, enough), totals_of(rows.code, rows.sample_weight, classes)


def some_of(rows: Rows, seed: int, limits: Hashes) -> tuple[Floats, Indices, Floats, Hashes]:
    """Different rows of a partition up to the limits: numbers, classes, weights and keys."""
    keys = row_keys(rows.X, seed)
    some = np.flatnonzero(within(keys, rows.code, limits))
    first, weight = once(keys[some], rows.code[some], rows.sample_weight[some])
    some = some[first]
    return rows.X[some], rows.code[some], weight, keys[some]
