"""The kernels against NumPy, and what their boundary refuses."""

import numpy as np
import pytest

import reference
from frankboost import native

rng = np.random.default_rng(0)
NO_SETS = np.zeros((0, 4), dtype=np.uint64)


def entries(kind, columns, rows):
    """A matrix as the kernels take it, and as it is: signs are eight columns to a byte."""
    if kind == "numbers":
        matrix = rng.uniform(-1, 1, (columns, rows)).astype(np.float32)
        return matrix, matrix.astype(np.float64)
    plus = rng.random((columns, rows)) < 0.6
    return np.packbits(plus, axis=0, bitorder="little"), np.where(plus, 1.0, -1.0)


@pytest.mark.parametrize("kind", ["signs", "numbers"])
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (3, 17), (8, 30), (40, 5000), (77, 3000)])
def test_products(kind, columns, rows):
    A, wide = entries(kind, columns, rows)
    w, d = rng.dirichlet(np.ones(columns)), rng.dirichlet(np.ones(rows))
    np.testing.assert_allclose(native.margins(A, w, 1), w @ wide, atol=1e-14)
    np.testing.assert_allclose(native.edges(A, columns, d, 1), wide @ d, atol=1e-14)
    for threads in (2, 4):
        np.testing.assert_array_equal(native.margins(A, w, threads), native.margins(A, w, 1))
        np.testing.assert_array_equal(native.edges(A, columns, d, threads), native.edges(A, columns, d, 1))


@pytest.mark.parametrize("kind", ["signs", "numbers"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_centred_columns(kind, dtype):
    A, wide = entries(kind, 20, 500)
    slots, picked = rng.permutation(20)[:9], np.flatnonzero(rng.random(500) < 0.5)
    mass = rng.uniform(0.1, 1, len(picked))
    out = np.empty((9, len(picked)), dtype=dtype)
    native.centred_columns(A, slots, picked, mass, out, 2)
    some = wide[np.ix_(slots, picked)]
    expected = (some - (some @ mass / mass.sum())[:, None]) * np.sqrt(mass)
    np.testing.assert_allclose(out, expected, atol=1e-6 if dtype == np.float32 else 1e-14)


@pytest.mark.parametrize("kind", ["signs", "numbers"])
def test_products_leave_spare_columns_alone(kind):
    A, wide = entries(kind, 10, 10)
    w, d = np.array([0.25, 0.75]), np.full(10, 0.1)
    np.testing.assert_allclose(native.margins(A, w, 1), w @ wide[:2], atol=1e-15)
    assert native.edges(A, 2, d, 1).shape == (2,)


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
            native.centred_columns(A, one + room, one, np.ones(1), out, 1)
        with pytest.raises(TypeError):
            native.edges(A.astype(np.float64), 3, np.ones(5), 1)


@pytest.mark.parametrize(
    ("margins", "prior", "caps", "eta", "message"),
    [
        (np.zeros(0), np.zeros(0), np.zeros(0), 1.0, "empty"),
        (np.zeros(2), np.ones(3), np.ones(2), 1.0, "differ in length"),
        (np.zeros(2), np.ones(2), np.ones(2), 0.0, "eta must be positive"),
        (np.zeros(2), np.ones(2), np.ones(2), np.inf, "eta must be positive"),
        (np.array([0.0, np.nan]), np.ones(2), np.ones(2), 1.0, "finite"),
        (np.zeros(2), np.array([0.0, 1.0]), np.ones(2), 1.0, "positive"),
    ],
)
def test_projection_refuses(margins, prior, caps, eta, message):
    with pytest.raises(ValueError, match=message):
        native.project(margins, prior, caps, eta, 1)


def search(codes, bins, missing, categorical=None):
    kind = native.TreeSearchUint8 if codes.dtype == np.uint8 else native.TreeSearchInt32
    categorical = np.array([0] * len(missing) if categorical is None else categorical, dtype=np.uint8)
    return kind(codes, np.array(bins, dtype=np.int32), np.array(missing, dtype=np.uint8), categorical)


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
    with pytest.raises(ValueError, match="a feature and a row"):
        search(codes[:, :0], [3], [0])
    with pytest.raises(ValueError, match="differ in their rows"):
        search(codes, [3], [0]).roots(np.ones(4), 1)
    with pytest.raises(ValueError, match="u must be finite"):
        search(codes, [3], [0]).stumps(np.array([0.0, np.inf, 0.0]), 1)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("rows", [30, 4000])
def test_tables_and_sweeps_agree(rows, missing):
    """Byte codes are searched by tables where rows are many; wide codes with many bins by sweeps."""
    bins = 200
    codes = rng.integers(0, bins + missing, (4, rows))
    u = rng.normal(size=rows) / rows
    few = search(codes.astype(np.uint8), [bins] * 4, [missing] * 4).roots(u, 1)
    # The same codes spread over more bins than a table may have, most of them empty.
    spread = np.where(codes == bins, 2 * bins, 2 * codes)
    many = search(spread.astype(np.int32), [2 * bins] * 4, [missing] * 4).roots(u, 1)
    np.testing.assert_allclose(few[0], many[0], atol=1e-13)


def nodes(**changes):
    stump = {
        "roots": np.array([0]),
        "feature": np.array([0, -1, -1], dtype=np.int32),
        "threshold": np.zeros(3),
        "missing_left": np.zeros(3, dtype=np.uint8),
        "left": np.array([1, -1, -1], dtype=np.int32),
        "right": np.array([2, -1, -1], dtype=np.int32),
        "value": np.array([0, -1, 1], dtype=np.int8),
        "subset": NO_SETS,
        "weights": np.ones(1),
        "X": np.array([[-1.0], [1.0], [0.0], [np.nan]]),
        "threads": 1,
    }
    return native.vote(**{**stump, **changes})


def test_vote_follows_thresholds_and_missing_sides():
    np.testing.assert_array_equal(nodes(), [-1, 1, -1, 1])
    np.testing.assert_array_equal(nodes(missing_left=np.ones(3, dtype=np.uint8)), [-1, 1, -1, -1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left": np.array([0, -1, -1], dtype=np.int32)}, "children must follow"),
        ({"right": np.array([3, -1, -1], dtype=np.int32)}, "children must follow"),
        ({"feature": np.array([1, -1, -1], dtype=np.int32)}, "feature X lacks"),
        ({"value": np.zeros(2, dtype=np.int8)}, "differ in length"),
        ({"weights": np.ones(2)}, "differ in number"),
        ({"roots": np.array([3])}, "follow one another"),
        ({"roots": np.array([-1])}, "follow one another"),
        ({"threshold": np.full(3, np.nan)}, "needs a set of categories"),
        ({"threshold": np.full(3, np.nan), "subset": np.zeros((2, 4), dtype=np.uint64)}, "needs a set"),
    ],
)
def test_vote_refuses_malformed_trees(changes, message):
    with pytest.raises(ValueError, match=message):
        nodes(**changes)


def test_vote_follows_sets_of_categories():
    subset = np.zeros((3, 4), dtype=np.uint64)
    subset[0] = [1 << 3, 0, 1 << 63, 1 << 62]
    X = np.array([[3.0], [4.0], [191.0], [254.0], [255.0], [3.5], [-3.0], [1e300], [np.nan]])
    known = [-1, 1, -1, -1, 1]
    for side, vote in ((0, 1), (1, -1)):
        changes = {"threshold": np.full(3, np.nan), "missing_left": np.full(3, side, dtype=np.uint8)}
        np.testing.assert_array_equal(nodes(**changes, subset=subset, X=X), known + [vote] * 4)


def test_sets_of_categories_are_checked():
    codes = np.array([[0, 1, 2]], dtype=np.uint8)
    searched = search(codes, [3], [0], [1])
    trees = searched.trees(np.array([1.0, -1.0, 1.0]), 1, 1)
    np.testing.assert_array_equal(searched.votes(*trees, 1), [[1, -1, 1]])
    with pytest.raises(ValueError, match="needs a set of categories"):
        searched.votes(*trees[:-1], NO_SETS, 1)
    with pytest.raises(TypeError):
        searched.votes(*trees[:-1], np.zeros((len(trees[1]), 3), dtype=np.uint64), 1)
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
    v = native.maximise_quadratic(H, c, start, simplex, batch)
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
        native.maximise_quadratic(np.eye(3), np.ones(2), np.ones(2), True)
    with pytest.raises(ValueError, match="must be positive"):
        native.maximise_quadratic(np.eye(2), np.ones(2), np.array([-1.0, 2.0]), True)
    with pytest.raises(ValueError, match="must be positive"):
        native.maximise_quadratic(np.zeros((2, 2)), np.ones(2), np.ones(2), True)
    with pytest.raises(ValueError, match="start on the simplex"):
        native.maximise_quadratic(np.eye(2), np.ones(2), np.zeros(2), True)


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
    exact = tables.roots(u, 1)[0].max()
    trees = roots, feature, *_ = tables.trees(u, 4, 1)
    edges = tables.votes(*trees, 1) @ u
    assert edges[0] == pytest.approx(exact, abs=1e-14)
    assert (np.diff(edges) <= 1e-15).all()
    assert len(set(feature[roots])) == 4
    for threads in (2, 4):
        for one, many in zip(trees, tables.trees(u, 4, threads), strict=True):
            np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
@pytest.mark.parametrize("rows", [1, 50, 9000])
def test_votes_on_bins_walk_the_trees(rows, dtype, missing):
    bins = 9
    codes = rng.integers(0, bins + missing, (3, rows)).astype(dtype)
    # A tree of three levels beside a leaf alone.
    nodes = {
        "roots": np.array([0, 7]),
        "feature": np.array([0, 1, -1, -1, 2, -1, -1, -1], dtype=np.int32),
        "last_bin": np.array([4, 2, -1, -1, 8, -1, -1, -1], dtype=np.int32),
        "missing_left": np.array([1, 0, 0, 0, 1, 0, 0, 0], dtype=np.uint8),
        "left": np.array([1, 2, -1, -1, 5, -1, -1, -1], dtype=np.int32),
        "right": np.array([4, 3, -1, -1, 6, -1, -1, -1], dtype=np.int32),
        "value": np.array([0, 0, 1, -1, 0, -1, 1, -1], dtype=np.int8),
        "subset": NO_SETS,
    }
    votes = search(codes, [bins] * 3, [missing] * 3).votes(**nodes, threads=2)

    def walk(x, node=0):
        f = nodes["feature"][node]
        if f < 0:
            return nodes["value"][node]
        left = nodes["missing_left"][node] if x[f] == bins else x[f] <= nodes["last_bin"][node]
        return walk(x, nodes["left" if left else "right"][node])

    np.testing.assert_array_equal(votes[0], [walk(x) for x in codes.T])
    assert (votes[1] == -1).all()


def test_votes_on_bins_refuse():
    codes = np.array([[0, 1, 2]], dtype=np.uint8)
    searched = search(codes, [3], [0])

    def votes(feature, last_bin, left, right):
        return searched.votes(
            np.array([0]),
            np.array([feature, -1, -1], dtype=np.int32),
            np.array([last_bin, -1, -1], dtype=np.int32),
            np.zeros(3, dtype=np.uint8),
            np.array([left, -1, -1], dtype=np.int32),
            np.array([right, -1, -1], dtype=np.int32),
            np.array([0, 1, -1], dtype=np.int8),
            NO_SETS,
            1,
        )

    np.testing.assert_array_equal(votes(0, 1, 1, 2), [[1, 1, -1]])
    with pytest.raises(ValueError, match="outside its feature's bins"):
        votes(0, 3, 1, 2)
    with pytest.raises(ValueError, match="a feature X lacks"):
        votes(1, 1, 1, 2)
    with pytest.raises(ValueError, match="must follow it"):
        votes(0, 1, 0, 2)


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
        native.soft_margin(margins, caps, 1)


def test_trees_are_exact_where_many_roots_tie_up_to_rounding():
    """Fixed-point weights cannot tell roots apart between which hardly any weight lies."""
    rows, bins = 4000, 200
    codes = rng.integers(0, bins, (5, rows)).astype(np.uint8)
    u = np.where(rng.random(rows) < 0.02, rng.normal(size=rows), 1e-9 * rng.normal(size=rows))
    u /= np.abs(u).sum()
    searched = search(codes, [bins] * 5, [0] * 5)
    trees = searched.trees(u, 3, 1)
    edges = searched.votes(*trees, 1) @ u
    assert edges[0] == pytest.approx(searched.roots(u, 1)[0].max(), abs=1e-14)
    assert (np.diff(edges) <= 1e-15).all()
    for threads in (2, 3):
        for one, many in zip(trees, searched.trees(u, 3, threads), strict=True):
            np.testing.assert_array_equal(one, many)
