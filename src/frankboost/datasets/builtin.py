"""Data sets that need no file: three generators of Breiman's, LPBoost's worst case, and two sets of
scikit-learn.

References
----------
Breiman: Bias, variance and arcing classifiers, 1996 (twonorm, ringnorm).
Breiman, Friedman, Olshen, Stone: Classification and regression trees, 1984 (waveform).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits

from frankboost.typing import Floats
from frankboost.validation import check_count

Ints = NDArray[np.int64]

SHIFT = np.full(20, 2.0 / np.sqrt(20))  # of the means of twonorm and ringnorm


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows X with labels y, -1 or +1."""

    name: str
    X: Floats
    y: Ints


def twonorm(m: int, seed: int) -> Dataset:
    """Two Gaussians, N(a, I) for +1 and N(-a, I) for -1, a = 2/sqrt(20) in each of 20 features."""
    y, noise = _coins_and_noise(m, seed)
    return Dataset("twonorm", y[:, None] * SHIFT + noise, y)


def ringnorm(m: int, seed: int) -> Dataset:
    """A Gaussian inside another one, N(0, 4I) for +1 and N(a, I) for -1, a = 2/sqrt(20) in each of 20
    features."""
    y, noise = _coins_and_noise(m, seed)
    return Dataset("ringnorm", np.where(y[:, None] == 1, 2.0 * noise, SHIFT + noise), y)


def _coins_and_noise(m: int, seed: int) -> tuple[Ints, Floats]:
    """Labels of a fair coin, and 20 Gaussian numbers per row."""
    check_count("m", m, at_least=1)
    rng = np.random.default_rng(seed)
    return rng.choice(np.array([-1, 1]), size=m), rng.standard_normal((m, len(SHIFT)))


def waveform(m: int, seed: int) -> Dataset:
    """Random mixtures of two out of three triangular waves, with noise, in 21 features.

    x_i = u h_a(i) + (1 - u) h_b(i) + N(0, 1), u uniform on (0, 1), i = 1..21, with the waves
    `h_1(i) = max(6 - |i - 11|, 0)`, h_2(i) = h_1(i - 4), h_3(i) = h_1(i + 4). The three pairs of waves are
    equally likely; the first pair, (h_1, h_2), is +1 and the other two are -1.
    """
    check_count("m", m, at_least=1)
    rng = np.random.default_rng(seed)
    i = np.arange(1, 22)
    waves = np.stack([np.maximum(6.0 - np.abs(i + shift - 11), 0.0) for shift in (0, -4, 4)])
    pair = rng.integers(3, size=m)
    u = rng.random((m, 1))
    a, b = np.array([[0, 1], [0, 2], [1, 2]])[pair].T
    X = u * waves[a] + (1.0 - u) * waves[b] + rng.standard_normal((m, len(i)))
    return Dataset("waveform", X, np.where(pair == 0, 1, -1))


def worst_case(n: int) -> Dataset:
    """Rows 0..n-1 with alternating labels, for `estimator=WorstCase()`, which needs no features."""
    check_count("n", n, at_least=4)
    rows = np.arange(n)
    return Dataset("worst-case", rows[:, None].astype(np.float64), np.where(rows % 2 == 0, -1, 1))


def breast_cancer() -> Dataset:
    """scikit-learn's Wisconsin breast cancer data, 569 rows and 30 features; +1 is benign.

    Its name is "wisconsin", since the paper's breast-cancer is another set (Ljubljana, 263 rows).
    """
    X, y = load_breast_cancer(return_X_y=True)
    return Dataset("wisconsin", X, np.where(y == 1, 1, -1))


def digits() -> Dataset:
    """scikit-learn's digits, 1797 rows and 64 features; +1 is 5 to 9."""
    X, y = load_digits(return_X_y=True)
    return Dataset("digits", X, np.where(y >= 5, 1, -1))
