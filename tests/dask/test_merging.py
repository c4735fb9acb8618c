"""Equal rows of partitions are merged as those of one machine are."""

import numpy as np
import pytest

from frankboost.dask.merging import Bucket, every_kth_row, is_worth_merging, split_into_buckets
from frankboost.dask.rows import Rows
from frankboost.fitting.problems import TrainingSet


def example(m=500, kinds=4, seed=0, whole=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, kinds, (m, 3)) * 1.0
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(X.shape) < 0.1] *= -0.0
    weight = rng.integers(1, 4, m) * 1.0 if whole else rng.exponential(size=m)
    return Rows(X, rng.integers(0, 2, m), weight, np.ones(m, dtype=bool))


def parts_of(rows, cuts):
    names = ("X", "code", "sample_weight", "carries")
    pieces = zip(*(np.split(getattr(rows, name), cuts) for name in names), strict=True)
    return [Rows(*each) for each in pieces]


@pytest.mark.parametrize("cuts", [[], [200], [0, 1, 70, 499]])
@pytest.mark.parametrize("buckets", [1, 3])
@pytest.mark.parametrize("whole", [False, True])
def test_the_same_rows_as_on_one_machine(cuts, buckets, whole):
    rows = example(whole=whole)
    y = np.where(rows.code == 1, 1.0, -1.0)
    here = TrainingSet(rows.X, y, rows.sample_weight).with_merged_rows()
    parts = parts_of(rows, cuts)
    sent = [split_into_buckets(each, 1, buckets) for each in parts]
    kept = [Bucket([each[b] for each in sent]) for b in range(buckets)]
    merged = [[bucket.merged_rows(p) for bucket in kept] for p in range(len(parts))]
    orders = [np.argsort(np.concatenate([each.first for each in mine])) for mine in merged]

    def joined(name):
        columns = [np.concatenate([getattr(each, name) for each in mine]) for mine in merged]
        return [column[order] for column, order in zip(columns, orders, strict=True)]

    firsts = joined("first")
    X = np.concatenate([part.X[first] for part, first in zip(parts, firsts, strict=True)])
    np.testing.assert_array_equal(X, here.X)
    np.testing.assert_array_equal(np.concatenate(joined("weight")), here.sample_weight)
    np.testing.assert_array_equal(np.concatenate(joined("members")), here.members)

    d = np.floor(here.sample_weight / here.sample_weight.sum() * 2.0**52) / 2.0**52
    given, pieces = (
        here.distribution_given(d, 0.5),
        np.split(d, np.cumsum([len(each) for each in firsts])[:-1]),
    )
    back = [np.full(len(part.X), np.nan) for part in parts]
    split = [
        np.split(piece[np.argsort(order)], np.cumsum([len(each.first) for each in mine])[:-1])
        for piece, order, mine in zip(pieces, orders, merged, strict=True)
    ]
    for b, bucket in enumerate(kept):
        mine = [each[b] for each in split]
        divided = bucket.divide(mine, 0.5, here.sample_weight.sum(), here.weight_error)
        for p, (row, value) in enumerate(divided):
            back[p][row] = value
    np.testing.assert_array_equal(np.concatenate(back), given)


@pytest.mark.parametrize("kinds", [4, 30])
def test_merging_is_worth_it_as_on_one_machine(kinds):
    rows = example(7000, kinds)
    y = np.where(rows.code == 1, 1.0, -1.0)
    whole = TrainingSet(rows.X, y, rows.sample_weight)
    parts, cuts = parts_of(rows, [100, 2222]), [0, 100, 2222]
    samples = [every_kth_row(each, before, 7000) for each, before in zip(parts, cuts, strict=True)]
    np.testing.assert_array_equal(np.concatenate([each[0] for each in samples]), rows.X[::3])
    assert is_worth_merging(samples, 1) == (whole.with_merged_rows() is not whole)
