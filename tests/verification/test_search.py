"""The search is as literal as a brute force, and exact in integers up to 2^52."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from frankboost.verification import search
from verification.samples import Floats, xor_data


def all_trees(X: Floats, thresholds: list[Floats], depth: int) -> Floats:
    """What every tree of at most a depth says, a row for each tree."""
    leaves = np.array([-np.ones(len(X)), np.ones(len(X))])
    if depth == 0:
        return leaves
    below = all_trees(X, thresholds, depth - 1)
    trees = [leaves]
    for feature, missing_left in itertools.product(range(X.shape[1]), [False, True]):
        x = X[:, feature]
        for threshold in thresholds[feature]:
            left = np.where(np.isnan(x), missing_left, x <= threshold)
            trees.append(np.where(left, below[:, None, :], below[None, :, :]).reshape(-1, len(X)))
    return np.unique(np.concatenate(trees), axis=0)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Floats, Floats, list[Floats]]:
    rows, features = draw(st.integers(1, 7)), draw(st.integers(1, 3))
    cell = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
    X = np.array(draw(st.lists(cell, min_size=rows * features, max_size=rows * features)))
    u = np.array(draw(st.lists(st.integers(-5, 5), min_size=rows, max_size=rows)), dtype=float)
    # Also on the values themselves, and outside of them, where only missing values are split off.
    places = st.sets(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 9.0]), max_size=4)
    thresholds = [np.array(sorted(draw(places)), dtype=float) for _ in range(features)]
    return X.reshape(rows, features), u, thresholds


@pytest.mark.parametrize("table_entries", [1, 6, search.TABLE_ENTRIES])
@pytest.mark.parametrize("depth", [0, 1, 2])
@settings(deadline=None, max_examples=200)
@given(problem=problems())
def test_search_equals_brute_force(
    table_entries: int, depth: int, problem: tuple[Floats, Floats, list[Floats]]
) -> None:
    X, u, thresholds = problem
    expected = (all_trees(X, thresholds, depth) @ u).max()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "TABLE_ENTRIES", table_entries)
        found = search.largest_edge(X, u, thresholds, depth)
    assert found == pytest.approx(expected, abs=1e-12)


@st.composite
def categorical_problems(draw: st.DrawFn) -> tuple[Floats, Floats, list[Floats], list[int]]:
    """Columns of up to 11 categories beside numbers; rows of no weight, missing values."""
    rows, features = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    counts = draw(st.lists(st.sampled_from([0, 1, 2, 4, 8, 9, 11]), min_size=features, max_size=features))
    columns = [
        draw(st.lists(st.sampled_from([*range(count or 4), np.nan]), min_size=rows, max_size=rows))
        for count in counts
    ]
    X = np.column_stack(columns).astype(float)
    u = np.array(draw(st.lists(st.integers(-5, 5), min_size=rows, max_size=rows)), dtype=float)
    seen = [
        0 if count == 0 or np.isnan(x).all() else int(np.nanmax(x)) + 1
        for count, x in zip(counts, X.T, strict=True)
    ]
    thresholds = [np.zeros(0) if count else np.array([0.5, 1.5]) for count in counts]
    return X, u, thresholds, seen


@pytest.mark.parametrize("table_entries", [1, 30, search.TABLE_ENTRIES])
@pytest.mark.parametrize("depth", [1, 2])
@settings(deadline=None, max_examples=100)
@given(problem=categorical_problems())
def test_search_of_categories_equals_brute_force(table_entries: int, depth: int, problem: Any) -> None:
    X, u, thresholds, counts = problem
    categorical = [f for f, count in enumerate(counts) if count]
    expected = reference.best_edge(X, u, depth, thresholds, categorical)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "TABLE_ENTRIES", table_entries)
        found = search.largest_edge(X, u, thresholds, depth, counts)
    assert found == pytest.approx(expected, abs=1e-12)


def test_search_in_chunks_is_the_search() -> None:
    X, y = xor_data(rows=300, missing=0.1)
    thresholds = [np.unique(x[~np.isnan(x)])[:-1] + 0.05 for x in X.T]
    u = y * np.random.default_rng(2).random(300)
    whole = search.largest_edge(X, u, thresholds, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "TABLE_ENTRIES", 500)
        assert search.largest_edge(X, u, thresholds, 2) == pytest.approx(whole, abs=1e-12)


def test_search_knows_its_depth() -> None:
    with pytest.raises(ValueError, match="max_depth"):
        search.largest_edge(np.zeros((2, 1)), np.ones(2), [np.zeros(0)], 3)


@pytest.mark.parametrize("depth", [1, 2])
@settings(deadline=None, max_examples=100)
@given(problem=categorical_problems(), seed=st.integers(0, 2**32))
def test_no_sum_of_whole_units_is_rounded(depth: int, problem: Any, seed: int) -> None:
    X, u, thresholds, counts = problem
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(u)))
    units = np.floor(shares * 2.0**52)
    units[0] += 2.0**52 - units.sum()
    signed = np.where(u < 0.0, -units, units)
    found = search.largest_edge(X, signed, thresholds, depth, counts)
    # Order changes the roundings of inexact sums, and with them the result.
    order = np.random.default_rng(seed).permutation(len(u))
    assert search.largest_edge(X[order], signed[order], thresholds, depth, counts) == found
    categorical = [f for f, count in enumerate(counts) if count]
    whole = np.array([int(each) for each in signed], dtype=object)
    if depth == 1:
        assert int(found) == best_stump(X, whole, thresholds, categorical)


def best_stump(X: Floats, u: Any, thresholds: list[Floats], categorical: list[int]) -> int:
    """The largest edge of a stump, in integers of any length."""
    best = abs(sum(u))
    for f, x in enumerate(X.T):
        missing = np.isnan(x)
        if f in categorical:
            parts = [sum(u[x == k]) for k in np.unique(x[~missing])] + [sum(u[missing])]
            best = max(best, sum(map(abs, parts)))
        for cut, also in itertools.product(thresholds[f], [False, True]):
            left = np.where(missing, also, x <= cut)
            best = max(best, abs(sum(u[left])) + abs(sum(u[~left])))
    return best
