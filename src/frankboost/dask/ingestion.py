"""Read a Dask training set on the workers of a cluster, where its rows stay."""

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
    NO_LIMIT,
    Sample,
    are_sampled,
    class_sample_size,
    class_weights,
    key_limits,
    merge_equal_rows,
    rescale_weights,
    smallest_keys,
)
from frankboost.dask.collections import Collection, check_table, empty_table, make_partitions
from frankboost.dask.rows import Agreement, Rows, inspect_partition
from frankboost.dask.thresholds import choose_thresholds, missing_and_present
from frankboost.estimators.parameters import Parameters
from frankboost.fitting.problems import make_training_sets
from frankboost.learners.thresholds import most_thresholds, with_present
from frankboost.tables.frames import checked_columns
from frankboost.tables.labelled import LabelledRows
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class DistributedRows:
    """The rows of each partition, on the workers.

    If a worker is lost, the cluster computes its rows again from the collection.
    """

    rows: list[Future]  # of Rows, of each partition with weight; emptied once bin codes replace them
    counts: list[int]  # the number of rows with weight in each of these partitions
    given: list[int]  # the number of given rows in each partition
    present: list[int]  # the numbers of the partitions with weight
    agreed: Agreement
    missing: Flags  # which columns have missing values
    has_both: Flags  # which columns have missing values and other values

    def sample(self, client: Client, seed: int, *, joint: bool = False) -> Sample:
        """Draw the sample that one machine would draw, and bring its rows to this process."""
        agreed = self.agreed
        classes = len(agreed.classes)
        size = class_sample_size(classes)

        def ask(question: Callable[..., Any], *args: Any) -> Any:
            answers = [client.submit(question, each, seed, *args, pure=False) for each in self.rows]
            return zip(*client.gather(answers), strict=True)

        smallest, totals = ask(partition_keys, classes, size + 1)
        limits = key_limits(smallest, size)
        X, code, weight, keys = (np.concatenate(each) for each in ask(partition_sample, limits))
        first, weight = merge_equal_rows(keys, code, weight)
        X, code, keys = X[first], code[first], keys[first]
        if (limits != NO_LIMIT).any():
            weight = rescale_weights(
                [sum(each, Fraction(0)) for each in zip(*totals, strict=True)], code, weight
            )
        carries = np.ones(len(code), dtype=np.bool_)
        rows = LabelledRows(
            X, code, weight, agreed.weighing.factors, carries, agreed.classes, agreed.encoding
        )
        return Sample(make_training_sets(rows, joint=joint), carries, Patterns.of(keys))

    def thresholds(self, client: Client, max_bins: int) -> tuple[Floats, ...]:
        """The thresholds of each feature, at most `max_bins`; none for features of categories."""
        numbers = [f for f in range(len(self.missing)) if f not in self.agreed.encoding.by_column]
        most = {f: most_thresholds(max_bins, bool(self.missing[f])) or max_bins for f in numbers}
        chosen = choose_thresholds(client, self.rows, self.agreed.span, most)
        chosen |= {f: with_present(each, max_bins) for f, each in chosen.items() if self.has_both[f]}
        return tuple(chosen.get(f, np.zeros(0)) for f in range(len(self.missing)))


def read_rows(
    client: Client,
    clf: Parameters,
    X: Collection,
    y: Collection,
    sample_weight: Collection = None,
    *,
    categorical: tuple[int, ...] = (),
) -> DistributedRows:
    """Read and check the arguments of `clf.fit`; `categorical` numbers further columns of categories.

    Each partition is read twice: for facts about it, and for its rows once all partitions agree.
    """
    X = check_table(X)
    columns = type(clf)()  # a small estimator, which the workers get
    checked_columns(columns, empty_table(X), reset=True)
    parts = make_partitions(X, y, sample_weight)
    inspect = delayed(inspect_partition)
    known = client.gather(
        client.compute([inspect(each, clf.categorical_features, categorical) for each in parts])
    )
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


def partition_keys(rows: Rows, seed: int, classes: int, count: int) -> tuple[list[Hashes], list[Fraction]]:
    """The `count` smallest keys of each class in a partition, and the weight of each class there."""
    smallest = smallest_keys(row_keys(rows.X, seed), rows.code, classes, count)
    return smallest, class_weights(rows.code, rows.sample_weight, classes)


def partition_sample(rows: Rows, seed: int, limits: Hashes) -> tuple[Floats, Indices, Floats, Hashes]:
    """The merged rows of a partition that are in the sample: numbers, classes, weights and keys."""
    keys = row_keys(rows.X, seed)
    sampled = np.flatnonzero(are_sampled(keys, rows.code, limits))
    first, weight = merge_equal_rows(keys[sampled], rows.code[sampled], rows.sample_weight[sampled])
    sampled = sampled[first]
    return rows.X[sampled], rows.code[sampled], weight, keys[sampled]
