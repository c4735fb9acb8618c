"""Plain NumPy references and brute force, against which the product is tested."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from scipy.optimize import linprog, nnls


def project(margins, prior, caps, eta):
    """The entropy projection by sorting: cap the k largest keys, for the right k."""
    key = np.log(prior / caps) - eta * margins
    order = np.argsort(-key, kind="stable")
    key, c = key[order], caps[order]
    capped = np.concatenate([[0.0], np.cumsum(c)])
    # log of the free mass at scale 1, summed from the smallest key so that nothing underflows
    tail = np.logaddexp.accumulate((key + np.log(c))[::-1])[::-1]
    for k in range(len(c)):
        rest = 1.0 - capped[k]
        if rest <= 1e-15:
            d = np.where(np.arange(len(c)) < k, c, 0.0)
            break
        log_scale = np.log(rest) - tail[k]
        if key[k] + log_scale <= 0.0:
            d = np.where(np.arange(len(c)) < k, c, c * np.exp(np.minimum(key + log_scale, 0.0)))
            break
    else:
        d = c.copy()
    out = np.empty(len(d))
    out[order] = d
    return out


def soft_margin(margins, caps):
    """min of d . margins over the capped simplex, by linear programming."""
    m = len(margins)
    result = linprog(
        margins, A_eq=np.ones((1, m)), b_eq=[1.0], bounds=list(zip(np.zeros(m), caps, strict=True))
    )
    assert result.status == 0
    return result.fun


def game_value(A, caps):
    """The optimum of the game: min over d of the largest edge of a column of A."""
    m, n = A.shape
    result = linprog(
        np.append(np.zeros(m), 1.0),
        A_ub=np.column_stack([A.T, -np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[None],
        b_eq=[1.0],
        bounds=[*zip(np.zeros(m), caps, strict=True), (None, None)],
    )
    assert result.status == 0
    return result.fun


def splits(X, thresholds=None, categorical=(), root=False):
    """Every set of rows that a split can send left, as boolean rows.

    Categories may go any way; as a root, in any way up to 8 of them and at most one to the left beyond.
    """
    sets = []
    for f in range(X.shape[1]):
        x = X[:, f]
        missing = np.isnan(x)
        if f in categorical:
            lefts = [np.isin(x, list(left)) for left in category_sets(x, root)]
        else:
            values = np.unique(x[~missing])
            between = (values[:-1] + values[1:]) / 2
            present = [np.inf] if missing.any() and values.size else []  # missing, or not
            cuts = np.append(between, present) if thresholds is None else thresholds[f]
            lefts = [x <= cut for cut in cuts]
        for left, missing_left in product(lefts, (False, True) if missing.any() else (False,)):
            sets.append(np.where(missing, missing_left, left))
    return np.array(sets, dtype=bool).reshape(len(sets), len(X))


def category_sets(x, root):
    """The sets of categories of a column that a split may send left."""
    categories = np.arange(np.nanmax(x) + 1) if not np.isnan(x).all() else np.zeros(0)
    sizes = range(2) if root and len(categories) > 8 else range(len(categories) + 1)
    return [left for size in sizes for left in combinations(categories.tolist(), size)]


def stump_values(X, thresholds=None, categorical=()):
    """Predictions of every depth-1 tree, constants included, as distinct rows of -1 and +1."""
    ones = np.ones((1, len(X)))
    left = np.where(splits(X, thresholds, categorical), 1.0, -1.0)
    return np.unique(np.concatenate([ones, -ones, left, -left]), axis=0)


def tree_values(X, depth, thresholds=None, categorical=()):
    """Predictions of every tree of a depth."""
    stumps = stump_values(X, thresholds, categorical)
    if depth == 1:
        return stumps
    below = tree_values(X, depth - 1, thresholds, categorical)
    trees = [stumps]
    for left in np.unique(splits(X, thresholds, categorical, root=True), axis=0):
        inner = np.unique(below[:, left], axis=0)
        outer = np.unique(below[:, ~left], axis=0)
        values = np.empty((len(inner), len(outer), len(X)))
        values[:, :, left] = inner[:, None, :]
        values[:, :, ~left] = outer[None, :, :]
        trees.append(np.unique(values.reshape(-1, len(X)), axis=0))
    return np.unique(np.concatenate(trees), axis=0)


def best_stump(children, u):
    """The largest edge of a stump over signed weights u, by brute force over what may go left."""
    total = u.sum()
    sums = children @ u
    return max([abs(total), *(np.abs(sums) + np.abs(total - sums))])


def best_edge(X, u, depth, thresholds=None, categorical=()):
    """The largest edge of a tree over signed weights u, by brute force."""
    children = np.unique(splits(X, thresholds, categorical), axis=0)
    roots = np.unique(splits(X, thresholds, categorical, root=True), axis=0)

    def best(u, depth):
        if depth == 1:
            return best_stump(children, u)
        pairs = [(np.where(left, u, 0.0), np.where(left, 0.0, u)) for left in roots]
        return max([best_stump(children, u), *(best(a, depth - 1) + best(b, depth - 1) for a, b in pairs)])

    return best(u, depth)


def maximise_quadratic(H, c, simplex):
    """argmax of c.v - v.Hv/2 over the orthant or the simplex, as a least-squares problem for SciPy."""
    L = np.linalg.cholesky(H)
    A, b = L.T, np.linalg.solve(L, c)
    if simplex:  # the constraint as a heavily weighted row
        heavy = 1e4 * np.sqrt(np.trace(H))
        A, b = np.vstack([A, np.full(len(c), heavy)]), np.append(b, heavy)
    v, _ = nnls(A, b, maxiter=100 * len(c))
    return v / v.sum() if simplex else v


def leaf_steps(places, leaves, positive, weight, start, *, rate, held, together, passes):
    """Log-odds of each tree's leaves; places[t, i] is the leaf of tree t at which row i ends."""
    values = [np.zeros(count) for count in leaves]
    log_odds = np.full(len(weight), start)
    for _ in range(passes):
        for t, (place, count) in enumerate(zip(places, leaves, strict=True)):
            if t % together == 0:
                p = 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
                slope, bend = weight * (positive - p), weight * p * (1.0 - p)
            step = rate * np.bincount(place, slope, count) / (np.bincount(place, bend, count) + held)
            values[t] += step
            log_odds += step[place]
    return values
