"""Deep trees grown greedily in plain NumPy, over every threshold."""

from __future__ import annotations

import numpy as np

TOPS = 4  # roots that are tried


def sides(X):
    """What each split sends left, a row each, and its feature; missing values go right, then left."""
    masks, features = [], []
    for f, x in enumerate(X.T):
        missing = np.isnan(x)
        for value in np.unique(x[~missing])[:-1]:
            for with_missing in (False, True) if missing.any() else (False,):
                masks.append((x <= value) | (missing & with_missing))
                features.append(f)
        if missing.any() and not missing.all():
            masks.append(~missing)
            features.append(f)
    return np.array(masks, dtype=bool).reshape(-1, len(X)), np.array(features, dtype=int)


def two_level_values(left, u):
    """What the best depth-2 tree with each split at its root pays."""
    inside = (left * u) @ left.T  # the sums over what both splits send left
    sums, total = left @ u, u.sum()

    def stump(part, whole):
        return np.maximum(np.abs(whole), np.abs(2.0 * part - whole[:, None]).max(axis=1))

    return stump(inside, sums) + stump(sums[None] - inside, total - sums)


def edge(X, u, depth, tops=1):
    """The edge of the best of the trees grown from the best roots on so many features."""
    X, u = X[u != 0.0], u[u != 0.0]
    left, features = sides(X)
    if len(left) == 0 or abs(u.sum()) == np.abs(u).sum():
        return abs(u.sum())
    values = two_level_values(left, u)
    if depth == 2 or values.max() <= abs(u.sum()):
        return values.max()
    first = [
        int(np.flatnonzero(features == f)[np.argmax(values[features == f])]) for f in np.unique(features)
    ]
    best = sorted(first, key=lambda k: -values[k])[:tops]
    return max(
        edge(X[left[k]], u[left[k]], depth - 1) + edge(X[~left[k]], u[~left[k]], depth - 1) for k in best
    )
