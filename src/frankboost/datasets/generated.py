"""Data sets that are made: three of Breiman's, and LPBoost's worst case."""

from __future__ import annotations

import numpy as np

from frankboost.datasets.base import Dataset, Ints
from frankboost.validation import check_count

FEATURES = 20  # of twonorm and ringnorm
WAVES = np.array([[0, 1], [0, 2], [1, 2]])  # the two waves that each class of waveform mixes


def twonorm(m: int, seed: int) -> Dataset:
    """Two Gaussians, N(a, I) for +1 and N(-a, I) for -1, a = 2/sqrt(20) in each of 20 features.

    References
    ----------
    Breiman: Bias, variance and arcing classifiers, 1996.
    """
    rng, y = _coin_flips(m, seed)
    a = 2.0 / np.sqrt(FEATURES)
    return Dataset("twonorm", y[:, None] * a + rng.standard_normal((m, FEATURES)), y)


def ringnorm(m: int, seed: int) -> Dataset:
    """A Gaussian within another, N(0, 4I) for +1 and N(a, I) for -1, a = 2/sqrt(20) in each of 20 features.

    References
    ----------
    Breiman: Bias, variance and arcing classifiers, 1996.
    """
    rng, y = _coin_flips(m, seed)
    a = 2.0 / np.sqrt(FEATURES)
    noise = rng.standard_normal((m, FEATURES))
    return Dataset("ringnorm", np.where(y[:, None] == 1, 2.0 * noise, a + noise), y)


def waveform(m: int, seed: int) -> Dataset:
    """Random mixtures of two out of three triangular waves in noise, 21 features.

    x_i = u h_a(i) + (1 - u) h_b(i) + N(0, 1), u uniform on (0, 1), i = 1..21, with the waves
    h_1(i) = max(6 - |i - 11|, 0), h_2(i) = h_1(i - 4), h_3(i) = h_1(i + 4). Each pair of waves is as likely;
    the first, (h_1, h_2), is +1 and the other two are -1.

    References
    ----------
    Breiman, Friedman, Olshen, Stone: Classification and regression trees, 1984.
    """
    check_count("m", m, at_least=1)
    rng = np.random.default_rng(seed)
    i = np.arange(1, 22)
    waves = np.stack([np.maximum(6.0 - np.abs(i + shift - 11), 0.0) for shift in (0, -4, 4)])
    pair = rng.integers(3, size=m)
    u = rng.random((m, 1))
    first, second = waves[WAVES[pair, 0]], waves[WAVES[pair, 1]]
    X = u * first + (1.0 - u) * second + rng.standard_normal((m, len(i)))
    return Dataset("waveform", X, np.where(pair == 0, 1, -1))


def worst_case(n: int) -> Dataset:
    """Rows 0..n-1 with alternating labels, for `estimator=WorstCase()`, which looks at nothing else."""
    check_count("n", n, at_least=4)
    rows = np.arange(n)
    return Dataset("worst-case", rows[:, None].astype(np.float64), np.where(rows % 2 == 0, -1, 1))


def _coin_flips(m: int, seed: int) -> tuple[np.random.Generator, Ints]:
    """Labels of a fair coin, and the generator to go on with."""
    check_count("m", m, at_least=1)
    rng = np.random.default_rng(seed)
    return rng, rng.choice(np.array([-1, 1]), size=m)
