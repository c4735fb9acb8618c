"""The kernels against NumPy, and what their boundary refuses."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import reference
from frankboost import native
from frankboost.learners.nodes import NO_SETS
from records import assert_same, records

rng = np.random.default_rng(0)


def entries(kind, columns, rows):
    """A matrix as the kernels take it, and as it is: signs are eight columns to a byte."""
    if kind == "numbers":
        matrix = rng.uniform(-1, 1, (columns, rows)).astype(np.float32)
        return matrix, matrix.astype(np.float64)
    plus = rng.random((columns, rows)) < 0.6
    return np.packbits(plus, axis=0, bitorder="little"), np.where(plus, 1.0, -1.0)


@pytest.mark.parametrize("kind", ["signs", "numbers"])
@pytest.mark.parametrize(
    ("columns", "rows"), [(1, 1), (3, 17), (8, 30), (40, 5000), (77, 3000), (9, 200_001)]
)
def test_products(kind, columns, rows):
    A, wide = entries(kind, columns, rows)
    w, d = rng.dirichlet(np.ones(columns)), rng.dirichlet(np.ones(rows))
    np.testing.assert_allclose(native.margins(A, w, 1), w @ wide, atol=1e-14)
    np.testing.assert_allclose(native.edges(A, columns, d, 1), wide @ d, atol=1e-14)
    for threads in (2, 4):
        np.testing.assert_array_equal(native.margins(A, w, threads), native.margins(A, w, 1))
        np.testing.assert_array_equal(native.edges(A, columns, d, threads), native.edges(A, columns, d, 1))


@pytest.mark.parametrize("threads", [1, 2])
def test_signs_are_packed_eight_to_a_byte(threads):
    columns = np.where(rng.random((21, 100)) < 0.6, 1, -1).astype(np.int8)
    packed = np.zeros((3, 100), dtype=np.uint8)
    for begin, end in pairwise([0, 3, 3, 12, 21]):
        native.set_signs(packed, columns[begin:end], begin, threads)
    for j, column in enumerate(columns):
        np.testing.assert_array_equal(packed[j // 8] >> (j % 8) & 1, column > 0)
    with pytest.raises(ValueError, match="more columns than the matrix has room for"):
        native.set_signs(packed, columns, 4, threads)
    with pytest.raises(ValueError, match="differ in their rows"):
        native.set_signs(packed, columns[:, :99].copy(), 0, threads)


@pytest.mark.parametrize("kind", ["signs", "numbers"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scaled_columns(kind, dtype):
    A, wide = entries(kind, 20, 500)
    slots, picked = rng.permutation(20)[:9], np.flatnonzero(rng.random(500) < 0.5)
    factor = rng.uniform(0.1, 1, len(picked)).astype(dtype)
    out = np.empty((9, len(picked)), dtype=dtype)
    native.scaled_columns(A, slots, picked, factor, out, 2)
    np.testing.assert_array_equal(out, (wide[np.ix_(slots, picked)].astype(dtype) * factor))


def test_logarithms():
    x = np.concatenate(
        [10.0 ** rng.uniform(-307, 308, 300), 1.0 + rng.uniform(-1e-3, 1e-3, 300), [1.0, 5e-324]]
    )
    np.testing.assert_allclose([native.log(each) for each in x], np.log(x), rtol=1e-15)
    with pytest.raises(ValueError, match="x must be positive and finite"):
        native.log(0.0)


@pytest.mark.parametrize("kind", ["signs", "numbers"])
def test_products_leave_spare_columns_alone(kind):
    A, wide = entries(kind, 10, 10)
    w, d = np.array([0.25, 0.75]), np.full(10, 0.1)
    np.testing.assert_allclose(native.margins(A, w, 1), w @ wide[:2], atol=1e-15)
    np.testing.assert_allclose(native.edges(A, 2, d, 1), wide[:2] @ d, atol=1e-15)


@pytest.mark.parametrize("encode", [native.bin_uint8, native.bin_int32])
def test_binning_equals_searchsorted(encode):
    cuts = np.sort(rng.normal(size=50))
    x = np.concatenate([rng.normal(size=500), cuts, [np.nan, -1e300, 1e300]])
    expected = np.searchsorted(cuts, x)
    expected[np.isnan(x)] = 51
    np.testing.assert_array_equal(encode(x, cuts), expected)


def test_binning_refuses():
    with pytest.raises(ValueError, match="thresholds must increase"):
        native.bin_uint8(np.zeros(3), np.array([1.0, 1.0]))
    with pytest.raises(ValueError, match="too many thresholds"):
        native.bin_uint8(np.zeros(3), np.arange(256.0))
    with pytest.raises(ValueError, match="no code left"):
        native.bin_uint8(np.array([np.nan]), np.arange(255.0))


def test_products_refuse():
    for kind, room in (("numbers", 3), ("signs", 8)):
        A, _ = entries(kind, 3, 5)
        with pytest.raises(ValueError, match="more weights"):
            native.margins(A, np.ones(room + 1), 1)
        with pytest.raises(ValueError, match="more columns"):
            native.edges(A, room + 1, np.ones(5), 1)
        with pytest.raises(ValueError, match="differ in their rows"):
            native.edges(A, 3, np.ones(6), 1)
        one, out = np.array([0]), np.empty((1, 1))
        with pytest.raises(ValueError, match="a slot is outside"):
            native.scaled_columns(A, one + room, one, np.ones(1), out, 1)
        with pytest.raises(TypeError):
            native.edges(A.astype(np.float64), 3, np.ones(5), 1)


@pytest.mark.parametrize(
    ("margins", "caps", "nu", "eta", "message"),
    [
        (np.zeros(0), np.zeros(0), 0.5, 1.0, "empty"),
        (np.zeros(2), np.ones(3), 0.5, 1.0, "differ in length"),
        (np.zeros(2), np.ones(2), 0.0, 1.0, "nu must be in"),
        (np.zeros(2), np.ones(2), 1.5, 1.0, "nu must be in"),
        (np.zeros(2), np.ones(2), 0.5, 0.0, "eta must be positive"),
        (np.zeros(2), np.ones(2), 0.5, np.inf, "eta must be positive"),
        (np.array([0.0, np.nan]), np.ones(2), 0.5, 1.0, "finite"),
        (np.zeros(2), np.array([0.0, 1.0]), 0.5, 1.0, "positive"),
    ],
)
def test_projection_refuses(margins, caps, nu, eta, message):
    with pytest.raises(ValueError, match=message):
        native.project(margins, caps, caps, nu, 1.0, eta, 1)


def search(codes, bins, missing, categorical=None):
    """With thresholds 0.5, 1.5, ... between the bins."""
    categorical = np.array([0] * len(missing) if categorical is None else categorical, dtype=np.uint8)
    cuts = [np.arange(n - 1) + 0.5 for n, sets in zip(bins, categorical, strict=False) if not sets]
    return native.TreeSearch(
        codes,
        np.array(bins, dtype=np.int32),
        np.array(missing, dtype=np.uint8),
        categorical,
        np.concatenate([np.zeros(0), *cuts]),
    )


def edges_of(searched, trees, u):
    return searched.votes(*trees, 1) @ u


def best_edges(searched, u):
    """What the best depth-2 trees with each feature at the root pay, by tables in double precision."""
    rows, survey = searched.weighted(u), searched.survey()
    survey.take_features(*searched.feature_sums(rows, 1))
    survey.take_pairs(0, survey.pairs, searched.pair_tables(rows, 0, survey.pairs, 1), 1)
    left, right = survey.children()[0].reshape(2, -1)
    return np.maximum.reduceat(left + right, survey.root_starts())


def test_a_node_record_is_what_the_kernels_say():
    """No field overlaps another, and NumPy aligns them as C++ does."""
    fields = {
        "threshold": "f8",
        "value": "f8",
        "feature": "i4",
        "last_bin": "i4",
        "left": "i4",
        "right": "i4",
        "set_index": "i4",
        "missing_left": "u1",
        "unused": "3u1",
    }
    assert np.dtype(list(fields.items()), align=True) == native.NODE


def test_search_refuses_constraints_that_are_none():
    codes = np.array([[0, 1, 2], [0, 1, 1]], dtype=np.uint8)
    numbers = [np.array(each, dtype=np.int64) for each in ([0, 2], [0, 1])]
    searched = search(codes, [3, 2], [0, 0], [0, 1])
    searched.keep_signs(np.array([1, 0], dtype=np.int8))
    searched.keep_together(*numbers)
    for signs, message in ([1], "differ in their features"), ([2, 0], "-1, 0 or 1"), ([0, 1], "categorical"):
        with pytest.raises(ValueError, match=message):
            searched.keep_signs(np.array(signs, dtype=np.int8))
    for starts, members in (
        ([], [0]),
        ([1, 2], [0, 1]),
        ([0, 1], [0, 1]),
        ([0, 2, 1, 2], [0, 1]),
        ([0, 1], [2]),
    ):
        with pytest.raises(ValueError, match=r"starts must|members must"):
            searched.keep_together(np.array(starts, dtype=np.int64), np.array(members, dtype=np.int64))
    u = np.array([0.5, -0.25, 0.25])
    with pytest.raises(ValueError, match="takes no constraints"):
        searched.wide_trees(u, np.zeros(0, dtype=np.int64), 0.0, 1.0, 0.0, 0.0, 2.0, 1, 1)
    with pytest.raises(ValueError, match="takes no constraints"):
        searched.deep_roots(u, np.ones(searched.count_roots()), 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1)


def test_search_refuses_codes_outside_their_bins():
    codes = np.array([[0, 1, 2]], dtype=np.uint8)
    search(codes, [3], [0])
    search(codes, [2], [1])
    with pytest.raises(ValueError, match="outside its feature's bins"):
        search(codes, [2], [0])
    with pytest.raises(ValueError, match="outside its feature's bins"):
        search(np.array([[-1, 0]], dtype=np.int32), [2], [0])
    with pytest.raises(ValueError, match="differ in their features"):
        search(codes, [3, 3], [0])
    with pytest.raises(ValueError, match="thresholds must be one less than the bins"):
        native.TreeSearch(
            codes, np.array([3], dtype=np.int32), *[np.zeros(1, dtype=np.uint8)] * 2, np.zeros(3)
        )
    with pytest.raises(ValueError, match="a feature and a row"):
        search(codes[:, :0], [3], [0])
    with pytest.raises(ValueError, match="differ in their rows"):
        search(codes, [3], [0]).trees(np.ones(4), 1, 1)
    with pytest.raises(ValueError, match="u must be finite"):
        search(codes, [3], [0]).stump_trees(np.array([0.0, np.inf, 0.0]), 1, 1)
    with pytest.raises(ValueError, match="depth must be at least 3"):
        search(codes, [3], [0]).deep_trees(np.ones(3), 2, 1, 1)
    for method, depth in (("stump_trees", ()), ("trees", ()), ("deep_trees", (3,))):
        with pytest.raises(ValueError, match="columns must be positive"):
            getattr(search(codes, [3], [0]), method)(np.ones(3), *depth, 0, 1)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("rows", [30, 4000])
def test_tables_and_sweeps_agree(rows, missing):
    """Byte codes are searched by tables where rows are many; wide codes with many bins by sweeps."""
    bins = 200
    codes = rng.integers(0, bins + missing, (4, rows))
    u = rng.normal(size=rows) / rows
    few = best_edges(search(codes.astype(np.uint8), [bins] * 4, [missing] * 4), u)
    # The same codes spread over more bins than a table may have, most of them empty.
    spread = np.where(codes == bins, 2 * bins, 2 * codes)
    many = search(spread.astype(np.int32), [2 * bins] * 4, [missing] * 4)
    edges = edges_of(many, many.trees(u, 4, 1), u)  # one tree for each feature at the root
    np.testing.assert_allclose(np.sort(edges), np.sort(few), atol=1e-13)


@pytest.mark.parametrize("rare", [0.02, 0.4])
@pytest.mark.parametrize("threads", [1, 2])
def test_rare_codes_are_added_up_as_all_are(rare, threads):
    """On the grid; four times as much is off it, and the same trees are found in tables of all rows."""
    rows, bins = 700, [2, 2, 2, 3, 5, 5, 40]
    missing, categorical = [0, 0, 1, 1, 0, 1, 0], [0, 0, 0, 0, 0, 1, 0]
    common = np.array([0, 1, 0, 3, 2, 4, 0])[:, None]
    some = rng.integers(0, np.array(bins) + missing, (rows, 7)).T
    codes = np.where(rng.random((7, rows)) < rare, some, common).astype(np.uint8)
    codes[6] = some[6]
    u = np.floor(rng.dirichlet(np.ones(rows)) * 2.0**52) * 2.0**-52 * rng.choice([-1.0, 1.0], rows)
    searched = search(codes, bins, missing, categorical)
    for one, other in zip(searched.trees(u, 7, threads), searched.trees(4.0 * u, 7, threads), strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("rows", [1, 64, 700])
@pytest.mark.parametrize("columns", [1, 9, 70])
def test_covariance_of_signs(rows, columns):
    A, wide = entries("signs", 80, 300)
    slots, picked = rng.permutation(80)[:columns], np.sort(rng.integers(0, 300, rows))
    expected = 0.3 * np.cov(wide[np.ix_(slots, picked)], bias=True).reshape(columns, columns)
    np.testing.assert_allclose(native.sign_covariance(A, slots, picked, 0.3, 1), expected, atol=1e-14)
    np.testing.assert_array_equal(*(native.sign_covariance(A, slots, picked, 0.3, n) for n in (1, 2)))


def test_covariance_of_signs_refuses():
    A, one = entries("signs", 8, 5)[0], np.array([0])
    for slots, picked, mass, message in (
        (one + 8, one, 1.0, "a slot is outside"),
        (one, one + 5, 1.0, "a picked row is outside"),
        (one, one[:0], 1.0, "rows and a positive mass"),
        (one, one, 0.0, "rows and a positive mass"),
    ):
        with pytest.raises(ValueError, match=message):
            native.sign_covariance(A, slots, picked, mass, 1)


STUMP = {
    "feature": [0, -1, -1],
    "threshold": [0.0, np.nan, np.nan],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "value": [0.0, -1.0, 1.0],
}
ROOT, ONE = np.array([0]), np.ones(1)
ROWS = np.array([[-1.0], [1.0], [0.0], [np.nan]])


def vote(changes, roots=ROOT, sets=NO_SETS, weights=ONE, X=ROWS):
    return native.vote(records(**{**STUMP, **changes}), roots, sets, weights, X, 1)


def test_vote_follows_thresholds_and_missing_sides():
    np.testing.assert_array_equal(vote({}), [-1, 1, -1, 1])
    np.testing.assert_array_equal(vote({"missing_left": 1}), [-1, 1, -1, -1])


def test_leaves_are_real_numbers():
    np.testing.assert_array_equal(vote({"value": [0.0, -0.25, 1e-3]}), [-0.25, 1e-3, -0.25, 1e-3])


@pytest.mark.parametrize(
    ("nodes", "others", "message"),
    [
        ({"left": [0, -1, -1]}, {}, "children must follow"),
        ({"right": [3, -1, -1]}, {}, "children must follow"),
        ({"feature": [1, -1, -1]}, {}, "feature X lacks"),
        ({}, {"weights": np.ones(2)}, "differ in number"),
        ({}, {"roots": np.array([3])}, "follow one another"),
        ({}, {"roots": np.array([-1])}, "follow one another"),
        ({"threshold": np.nan}, {}, "needs a set of categories"),
        ({"set_index": [2, -1, -1]}, {"sets": np.zeros((2, 4), dtype=np.uint64)}, "a set that is not there"),
    ],
)
def test_vote_refuses_malformed_trees(nodes, others, message):
    with pytest.raises(ValueError, match=message):
        vote(nodes, **others)


def staircase(splits):
    """Nodes of a tree that is one long branch: its leaves are the stretches between 0, 1, ..., splits - 1."""
    nodes, k = records(feature=np.full(2 * splits + 1, -1)), np.arange(splits)
    nodes["feature"][2 * k], nodes["threshold"][2 * k] = 0, k
    nodes["left"][2 * k], nodes["right"][2 * k] = 2 * k + 1, 2 * k + 2
    return nodes


def leaf_steps(trees, X, weight, *, start=0.3, together=3, blocks=1, threads=1):
    roots = np.cumsum([0, *(len(tree) for tree in trees)])[:-1]
    steps = native.LeafSteps(
        np.concatenate(trees), roots, NO_SETS, X.shape[1], weight, start, 0.1, 1.0, together
    )
    for some in np.array_split(X, blocks):
        steps.place(some, threads)
    return steps


@pytest.mark.parametrize("together", [1, 3, 5])
@pytest.mark.parametrize("splits", [[1, 3, 2, 3, 3, 3, 1], [0, 5, 300, 2, 17, 40]])
def test_leaf_steps(splits, together):
    count, leaves = 1003, [each + 1 for each in splits]
    X = rng.uniform(-1, max(splits), (count, 1))
    positive, weight = rng.random(count) < 0.3, rng.exponential(size=count)
    places = [np.searchsorted(np.arange(each), X[:, 0]) for each in splits]
    trees = [staircase(each) for each in splits]
    settings = {"rate": 0.1, "held": 1.0, "together": together}
    signed = np.where(positive, weight, -weight)
    steps = leaf_steps(trees, X, signed, together=together)
    for passes, more in ((1, 1), (4, 3)):
        expected = reference.leaf_steps(places, leaves, positive, weight, 0.3, **settings, passes=passes)
        found = steps.values_after(more)
        is_leaf = np.concatenate(trees)["feature"] < 0
        np.testing.assert_allclose(found[is_leaf], np.concatenate(expected), atol=1e-6)
        assert (found[~is_leaf] == 0.0).all()
    again = leaf_steps(trees, X, signed, together=together, blocks=3, threads=4)
    np.testing.assert_array_equal(again.values_after(4), found)


def test_leaf_steps_of_rows_that_are_certain_are_finite():
    X = np.array([[-1.0], [1.0]])
    for start in (-1e6, 1e6):
        found = leaf_steps([staircase(1)], X, np.array([1.0, -1e300]), start=start).values_after(3)
        assert np.isfinite(found).all()


def test_leaf_steps_refuse():
    tree, X, weight = staircase(1), np.zeros((3, 1)), np.ones(3)
    for changes, message in (
        ({"weight": np.array([1.0, np.nan, 1.0])}, "must be finite"),
        ({"start": np.inf}, "no such rule"),
        ({"together": 0}, "no such rule"),
        ({"weight": np.ones(2)}, "more rows than weights"),
        ({"trees": [records(feature=[0, -1, -1])]}, "children must follow|a threshold"),
    ):
        with pytest.raises(ValueError, match=message):
            leaf_steps(**{"trees": [tree], "X": X, "weight": weight, **changes})
    steps = leaf_steps([tree], X, np.ones(4))
    with pytest.raises(ValueError, match="not all rows are placed"):
        steps.values_after(1)
    with pytest.raises(ValueError, match="other columns"):
        steps.place(np.zeros((1, 2)), 1)


def test_vote_refuses_what_are_no_records():
    for nodes in (records(**STUMP)["value"], records(**STUMP)[::2], np.zeros(3, dtype="f8,f8,i4"), None):
        with pytest.raises(TypeError):
            native.vote(nodes, ROOT, NO_SETS, np.ones(1), ROWS, 1)


def test_vote_follows_sets_of_categories():
    sets = np.array([[1 << 3, 0, 1 << 63, 1 << 62]], dtype=np.uint64)
    X = np.array([[3.0], [4.0], [191.0], [254.0], [255.0], [3.5], [-3.0], [1e300], [np.nan]])
    known = [-1, 1, -1, -1, 1]
    for side, strange in ((0, 1), (1, -1)):
        changes = {"threshold": np.nan, "set_index": [0, -1, -1], "missing_left": side}
        np.testing.assert_array_equal(vote(changes, sets=sets, X=X), known + [strange] * 4)


def test_sets_of_categories_are_checked():
    codes = np.array([[0, 1, 2]], dtype=np.uint8)
    searched = search(codes, [3], [0], [1])
    nodes, roots, sets = searched.trees(np.array([1.0, -1.0, 1.0]), 1, 1)
    np.testing.assert_array_equal(searched.votes(nodes, roots, sets, 1), [[1, -1, 1]])
    without = nodes.copy()
    without["set_index"] = -1
    with pytest.raises(ValueError, match="needs a set of categories"):
        searched.votes(without, roots, sets, 1)
    with pytest.raises(ValueError, match="a set that is not there"):
        searched.votes(nodes, roots, NO_SETS, 1)
    with pytest.raises(TypeError):
        searched.votes(nodes, roots, np.zeros((len(sets), 3), dtype=np.uint64), 1)
    with pytest.raises(ValueError, match="too many categories"):
        search(codes.astype(np.int32), [256], [0], [1])
    with pytest.raises(ValueError, match="differ in their features"):
        search(codes, [3], [0], [1, 0])


@pytest.mark.parametrize(("simplex", "batch"), [(True, 1), (False, 1), (False, 8)])
@pytest.mark.parametrize("rank", [3, 30])
@pytest.mark.parametrize("seed", range(15))
def test_quadratic_programs_equal_the_reference(seed, rank, simplex, batch):
    local = np.random.default_rng(seed)
    n = 30
    B = local.normal(size=(n, rank))
    H, c = B @ B.T + 1e-8 * np.eye(n), local.normal(size=n)
    start = np.where(local.random(n) < 0.4, local.random(n), 0.0) + np.eye(n)[0]
    start = start / start.sum()
    v = native.maximise_quadratic(H, c - H @ start, start, 0.0, simplex, batch)
    slope = c - H @ v
    price = slope @ v / v.sum() if simplex else 0.0
    size = 1.0 + np.abs(v).max()
    assert v.min() >= 0.0
    assert slope.max() <= price + 1e-6 * size
    np.testing.assert_allclose(slope[v > 0], price, atol=1e-6 * size)
    if simplex:
        assert v.sum() == pytest.approx(1.0, abs=1e-9)
    expected = reference.maximise_quadratic(H, c, simplex)
    assert c @ v - v @ H @ v / 2 == pytest.approx(
        c @ expected - expected @ H @ expected / 2, abs=1e-6, rel=1e-6
    )


def test_quadratic_programs_refuse():
    with pytest.raises(ValueError, match="differ in size"):
        native.maximise_quadratic(np.eye(3), np.ones(2), np.ones(2), 0.0, True)
    with pytest.raises(ValueError, match="must be positive"):
        native.maximise_quadratic(np.eye(2), np.ones(2), np.array([-1.0, 2.0]), 0.0, True)
    with pytest.raises(ValueError, match="must be positive"):
        native.maximise_quadratic(np.zeros((2, 2)), np.ones(2), np.ones(2), 0.0, True)
    with pytest.raises(ValueError, match="start on the simplex"):
        native.maximise_quadratic(np.eye(2), np.ones(2), np.zeros(2), 0.0, True)


@pytest.mark.parametrize("kind", ["uniform", "skewed", "sparse", "tied"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("categories", [[], [8], [120, 3]])
@pytest.mark.parametrize("seed", range(4))
def test_fixed_point_surveys_end_with_the_exact_best_tree(seed, categories, missing, kind):
    """Tables of rounded weights may only screen: the winner must be the winner in double precision."""
    local = np.random.default_rng(seed)
    bins, rows = 120, 3000
    codes = local.integers(0, bins + missing, (6, rows)).astype(np.uint8)
    codes[5] = codes[4]  # two equal features: every root ties
    for f, count in enumerate(categories):
        codes[f] = local.integers(0, count + missing, rows)
    each = [*categories, *[bins] * (6 - len(categories))]
    sets = [f < len(categories) for f in range(6)]
    y = local.choice([-1.0, 1.0], rows)
    d = {
        "uniform": np.full(rows, 1 / rows),
        "skewed": local.dirichlet(np.full(rows, 0.2)),
        "sparse": np.where(local.random(rows) < 0.05, local.random(rows), 0.0),
        "tied": local.choice([1e-3, 2e-3], rows),
    }[kind]
    u = y * d / d.sum()
    tables = search(codes, each, [missing] * 6, sets)
    trees = nodes, roots, _ = tables.trees(u, 4, 1)
    edges = edges_of(tables, trees, u)
    assert edges[0] == pytest.approx(best_edges(tables, u).max(), abs=1e-14)
    assert (np.diff(edges) <= 1e-15).all()
    assert len(set(nodes["feature"][roots])) == 4
    for threads in (2, 4):
        for one, many in zip(trees, tables.trees(u, 4, threads), strict=True):
            assert_same(one, many)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
@pytest.mark.parametrize("rows", [1, 50, 9000])
def test_votes_on_bins_walk_the_trees(rows, dtype, missing):
    bins = 9
    codes = rng.integers(0, bins + missing, (3, rows)).astype(dtype)
    # A tree of three levels beside a leaf alone.
    nodes = records(
        feature=[0, 1, -1, -1, 2, -1, -1, -1],
        threshold=[4.5, 2.5, np.nan, np.nan, 7.5, np.nan, np.nan, np.nan],
        last_bin=[4, 2, -1, -1, 7, -1, -1, -1],
        missing_left=[1, 0, 0, 0, 1, 0, 0, 0],
        left=[1, 2, -1, -1, 5, -1, -1, -1],
        right=[4, 3, -1, -1, 6, -1, -1, -1],
        value=[0, 0, 1, -1, 0, -1, 1, -1],
    )
    roots = np.array([0, 7])
    searched = search(codes, [bins] * 3, [missing] * 3)

    def walk(x, node=0):
        f = nodes["feature"][node]
        if f < 0:
            return nodes["value"][node]
        left = nodes["missing_left"][node] if x[f] == bins else x[f] <= nodes["last_bin"][node]
        return walk(x, nodes["left" if left else "right"][node])

    votes = searched.votes(nodes, roots, NO_SETS, 2)
    assert votes.dtype == np.int8
    np.testing.assert_array_equal(votes[0], [walk(x) for x in codes.T])
    assert (votes[1] == -1).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"last_bin": [3, -1, -1]}, "outside its feature's bins"),
        ({"last_bin": -1}, "outside its feature's bins"),
        ({"last_bin": [0, -1, -1]}, "bin is not that of its threshold"),
        ({"feature": [1, -1, -1]}, "a feature X lacks"),
        ({"left": [0, -1, -1]}, "must follow it"),
        ({"value": [0.0, -1.0, 0.5]}, "leaves must vote -1 or \\+1"),
    ],
)
def test_votes_on_bins_refuse(changes, message):
    searched = search(np.array([[0, 1, 2]], dtype=np.uint8), [3], [0])
    stump = {**STUMP, "threshold": [1.5, np.nan, np.nan], "last_bin": [1, -1, -1]}
    np.testing.assert_array_equal(searched.votes(records(**stump), ROOT, NO_SETS, 1), [[-1, -1, 1]])
    with pytest.raises(ValueError, match=message):
        searched.votes(records(**{**stump, **changes}), ROOT, NO_SETS, 1)


@pytest.mark.parametrize(
    ("margins", "caps", "message"),
    [
        (np.zeros(0), np.zeros(0), "empty"),
        (np.zeros(2), np.ones(3), "differ in length"),
        (np.array([0.0, np.inf]), np.ones(2), "finite"),
        (np.zeros(2), np.array([0.0, 1.0]), "positive"),
    ],
)
def test_soft_margin_refuses(margins, caps, message):
    with pytest.raises(ValueError, match=message):
        native.soft_margin(margins, caps, 0.5, 1.0, 1)


def test_trees_are_exact_where_many_roots_tie_up_to_rounding():
    """Fixed-point weights cannot tell roots apart between which hardly any weight lies."""
    rows, bins = 4000, 200
    codes = rng.integers(0, bins, (5, rows)).astype(np.uint8)
    u = np.where(rng.random(rows) < 0.02, rng.normal(size=rows), 1e-9 * rng.normal(size=rows))
    u /= np.abs(u).sum()
    searched = search(codes, [bins] * 5, [0] * 5)
    trees = searched.trees(u, 3, 1)
    edges = edges_of(searched, trees, u)
    assert edges[0] == pytest.approx(best_edges(searched, u).max(), abs=1e-14)
    assert (np.diff(edges) <= 1e-15).all()
    for threads in (2, 3):
        for one, many in zip(trees, searched.trees(u, 3, threads), strict=True):
            assert_same(one, many)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("categories", [[], [5, 2], [8, 40]])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
def test_tables_of_parts_of_the_rows_add_up(dtype, categories, missing):
    """A search needs the rows only to fill tables; parts of the rows may lie on many machines."""
    rows, bins = 900, [*categories, 30, 250, 1]
    codes = np.array([rng.integers(0, n + missing, rows) for n in bins]).astype(dtype)
    sets = [f < len(categories) for f in range(len(bins))]
    u = rng.integers(-64, 65, rows) / 1024  # sums are exact in any order
    whole, *parts = (
        search(np.ascontiguousarray(codes[:, part]), bins, [missing] * len(bins), sets)
        for part in (slice(None), slice(300), slice(300, 301), slice(301, None))
    )
    shares = [each.weighted(share) for each, share in zip(parts, (u[:300], u[300:301], u[301:]), strict=True)]

    def added(kind, *args):
        return sum(getattr(each, kind)(share, *args) for each, share in zip(parts, shares, strict=True))

    for threads in (1, 3):
        survey = parts[1].survey()  # any of them can scan: it looks at the tables alone
        by_feature = [each.feature_sums(share, threads) for each, share in zip(parts, shares, strict=True)]
        survey.take_features(*(sum(each) for each in zip(*by_feature, strict=True)))
        for begin, end in ((0, 1), (1, 1), (1, survey.pairs)):
            tables = added("pair_tables", begin, end, threads)
            np.testing.assert_array_equal(tables, whole.pair_tables(whole.weighted(u), begin, end, 1))
            in_place = np.zeros(len(tables))
            for each, share in zip(parts, shares, strict=True):
                each.add_pair_tables(share, begin, end, in_place, threads)
            np.testing.assert_array_equal(in_place, tables)
            if threads == 1:
                survey.take_pairs(begin, end, tables, threads)
            else:  # scanned elsewhere
                other = parts[0].survey()
                other.take_pairs(begin, end, tables, threads)
                survey.take_children(*other.children())
        split = len(bins) - 1  # the last feature has one value
        for columns in (split - 1, split, 20):
            nodes, its_sets, children = parts[1].survey_roots(survey, columns)
            found = parts[1].survey_trees(survey, added("side_sums", nodes, its_sets, children, threads))
            edges = edges_of(whole, found, u)
            assert (np.diff(edges) <= 0.0).all()
            assert edges[0] == edges_of(whole, whole.trees(u, 1, 1), u)[0]
            if columns <= split:
                assert sorted(edges) == sorted(np.sort(best_edges(whole, u))[-len(edges) :])
            else:
                assert split < len(edges) <= columns


def test_sums_below_roots_do_not_depend_on_threads():
    """On rows that are worth two threads."""
    rng = np.random.default_rng(4)
    searched = search(rng.integers(0, 5, (4, 200_000)).astype(np.uint8), [5] * 4, [0] * 4)
    rows = searched.weighted(rng.integers(-64, 65, 200_000) / 1024)
    survey = searched.survey()
    survey.take_features(*searched.feature_sums(rows, 1))
    survey.take_pairs(0, survey.pairs, searched.pair_tables(rows, 0, survey.pairs, 1), 1)
    roots = searched.survey_roots(survey, 4)
    one, more = (searched.side_sums(rows, *roots, threads) for threads in (1, 3))
    np.testing.assert_array_equal(one, more)


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100])
@pytest.mark.parametrize("offset", [0, 1, 2, 3])
def test_keys_and_extremes_of_margins_wherever_they_lie(rows, offset):
    margins = np.random.default_rng(rows).normal(size=rows + offset)[offset:]
    key, low, high = native.projection_keys(margins, 0.2, 3.0, 1)
    np.testing.assert_array_equal(key, native.log(0.2) - 3.0 * margins)
    assert (low, high) == (margins.min(), margins.max())


def test_units_are_handed_out_to_those_that_may_take_more():
    units, d = np.array([0.0, 4.0, 4.0, 4.0]), np.array([0.0, 0.0, 2.0, 4.0]) * 2.0**-52
    assert [native.open_rows(d, units, who) for who in ("with_weight", "below_their_caps", "all")] == [
        1,
        2,
        4,
    ]
    assert native.give_each(d, units, "with_weight", 2.0**-52) == 2.0**-52
    native.give_first(d, units, "below_their_caps", 1)
    np.testing.assert_array_equal(d * 2.0**52, [0.0, 1.0, 3.0, 4.0])
    native.give_first(d, units, "all", 1)
    assert d[0] == 2.0**-52
    with pytest.raises(ValueError, match="takers must be with_weight, below_their_caps or all"):
        native.open_rows(d, units, "none")
    with pytest.raises(ValueError, match="d and units differ in length"):
        native.give_first(d, units[:1], "all", 1)


def test_tables_refuse():
    codes = np.array([[0, 299]], dtype=np.int32)
    wide = search(codes, [300], [0])
    with pytest.raises(ValueError, match="too many bins for a table"):
        wide.pair_tables(wide.weighted(np.ones(2)), 0, 0, 1)
    one = search(np.zeros((2, 1), dtype=np.uint8), [3, 4], [0, 0])
    with pytest.raises(ValueError, match="not so many pairs"):
        one.pair_tables(one.weighted(np.ones(1)), 0, 2, 1)
    with pytest.raises(ValueError, match="tables are of other pairs"):
        one.add_pair_tables(one.weighted(np.ones(1)), 0, 1, np.zeros(3), 1)
    with pytest.raises(ValueError, match="rows are of other features"):
        one.feature_sums(search(np.zeros((2, 1), dtype=np.uint8), [3, 5], [0, 0]).weighted(np.ones(1)), 1)
    with pytest.raises(ValueError, match="tables are of other pairs"):
        one.survey().take_pairs(0, 1, np.zeros(5), 1)
    with pytest.raises(ValueError, match="sums are of other features"):
        one.survey().take_features(np.zeros(5), np.zeros(5))
    with pytest.raises(ValueError, match="children are of other features"):
        one.survey().take_children(np.zeros(5), np.zeros(5, dtype=np.int32))
    values, features = one.survey().children()
    assert len(values) == 2 * one.survey().roots
    assert one.survey().root_starts().tolist() == [0, 3]
    for unknown in (-1, 2):
        with pytest.raises(ValueError, match="children on unknown features"):
            one.survey().take_children(values, np.full_like(features, unknown))
    with pytest.raises(ValueError, match="sides are of other roots"):
        one.survey_trees(one.survey(), np.zeros(5))


INTERRUPTED = """
import signal
import numpy as np
from frankboost import native
signal.signal(signal.SIGALRM, signal.default_int_handler)
rng = np.random.default_rng(0)
flag, u = np.zeros(1, dtype=np.uint8), np.array([1.0, -1.0, 1.0])
search = native.TreeSearch(
    np.arange(3, dtype=np.uint8)[None], np.array([3], dtype=np.int32), flag, flag, np.array([0.5, 1.5])
)
interrupts = 0
for _ in range(3000):
    try:
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 2e-4))
        while True:
            trees = search.trees(u, 1, 1)
            search.stump_trees(u, 1, 1), search.votes(*trees, 1), search.sums(*trees, u, 1)
            native.vote(*trees, np.ones(1), u[:, None], 1)
    except KeyboardInterrupt:
        interrupts += 1
print(interrupts)
"""


def test_an_interrupt_is_an_ordinary_exception_wherever_it_comes():
    """In a conversion of arguments or results it would end the process, or be taken for a wrong type."""
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "3000\n"), ended.stderr


def test_keys_of_margins_that_lie_anywhere_in_memory():
    rng = np.random.default_rng(0)
    for shift in range(8):  # eight doubles are one vector
        margins = rng.normal(size=100)[shift:]
        key, low, high = native.projection_keys(margins, 0.5, 2.0, 1)
        np.testing.assert_allclose(key, np.log(0.5) - 2.0 * margins)
        assert (low, high) == (margins.min(), margins.max())
