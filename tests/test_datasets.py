"""The generators have the moments of their definitions; CSV files are read, or refused with a reason."""

import numpy as np
import pytest

from frankboost.experiments.datasets import breast_cancer, ringnorm, twonorm, waveform, worst_case
from frankboost.experiments.tables import read_csv

M = 40_000
NEAR = 0.05  # about five standard errors of a mean, or of a variance, of half the rows
A = 2 / np.sqrt(20)


@pytest.mark.parametrize("make", [twonorm, ringnorm, waveform])
def test_generated_sets_are_deterministic_and_well_formed(make):
    one, same, other = make(300, 7), make(300, 7), make(300, 8)
    assert one.name == make.__name__
    assert one.X.dtype == np.float64
    assert one.X.shape == (300, 21 if make is waveform else 20)
    assert np.issubdtype(one.y.dtype, np.integer)
    assert set(one.y) == {-1, 1}
    np.testing.assert_array_equal(one.X, same.X)
    np.testing.assert_array_equal(one.y, same.y)
    assert not np.array_equal(one.X, other.X)
    with pytest.raises(ValueError, match="m must be an integer >= 1; got 0"):
        make(0, 7)


def test_twonorm_is_two_unit_gaussians():
    data = twonorm(M, 0)
    assert np.mean(data.y == 1) == pytest.approx(0.5, abs=0.02)
    for label in (-1, 1):
        X = data.X[data.y == label]
        np.testing.assert_allclose(X.mean(axis=0), label * A, atol=NEAR)
        np.testing.assert_allclose(np.cov(X.T), np.eye(20), atol=NEAR)


def test_ringnorm_is_a_gaussian_within_a_wider_one():
    data = ringnorm(M, 0)
    assert np.mean(data.y == 1) == pytest.approx(0.5, abs=0.02)
    wide, narrow = data.X[data.y == 1], data.X[data.y == -1]
    np.testing.assert_allclose(wide.mean(axis=0), 0, atol=2 * NEAR)
    np.testing.assert_allclose(np.cov(wide.T), 4 * np.eye(20), atol=4 * NEAR)
    np.testing.assert_allclose(narrow.mean(axis=0), A, atol=NEAR)
    np.testing.assert_allclose(np.cov(narrow.T), np.eye(20), atol=NEAR)


def test_waveform_mixes_two_of_three_triangles():
    data = waveform(M, 0)
    i = np.arange(1, 22)
    h1, h2, h3 = (np.maximum(6 - np.abs(i - peak), 0) for peak in (11, 15, 7))
    first, others = data.X[data.y == 1], data.X[data.y == -1]
    assert len(first) / M == pytest.approx(1 / 3, abs=0.015)
    np.testing.assert_allclose(first.mean(axis=0), (h1 + h2) / 2, atol=2 * NEAR)
    np.testing.assert_allclose(others.mean(axis=0), (h1 + h2 + 2 * h3) / 4, atol=2 * NEAR)
    # u is uniform: it adds (h1 - h2)^2 / 12 to the variance of the noise
    np.testing.assert_allclose(first.var(axis=0), 1 + (h1 - h2) ** 2 / 12, atol=2 * NEAR)


def test_breast_cancer_and_worst_case():
    data = breast_cancer()
    assert data.X.shape == (569, 30)
    assert (data.y == 1).sum() == 357
    assert set(data.y) == {-1, 1}
    data = worst_case(8)
    assert data.X.tolist() == [[k] for k in range(8)]
    assert data.y.tolist() == [-1, 1] * 4
    with pytest.raises(ValueError, match="n must be an integer >= 4; got 2"):
        worst_case(2)


@pytest.fixture
def write(tmp_path):
    def writer(text):
        path = tmp_path / "some.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return writer


def test_a_csv_of_numbers_text_and_gaps(write):
    data = read_csv(
        write('\ufeffage, sex ,"a, b",sick\n1,m,NA,no\n\n2.5,f,?,yes\n,m,nan,no\n-1e3,,7,yes\n'), "sick"
    )
    assert data.dataset.name == "some"
    assert data.features == ("age", "sex", "a, b")
    assert data.classes == ("no", "yes")
    assert data.coded == {"sex": ("f", "m")}
    assert data.dataset.y.tolist() == [-1, 1, -1, 1]
    np.testing.assert_array_equal(
        data.dataset.X,
        [[1, 1, np.nan], [2.5, 0, np.nan], [np.nan, 1, np.nan], [-1000, np.nan, 7]],
    )


@pytest.mark.parametrize(
    ("column", "values", "codes"),
    [
        ("10 9 x 9", ("10", "9", "x"), [0, 1, 2, 1]),  # one word makes it text, sorted as text
        ("1_0 1 1 1", ("1", "1_0"), [1, 0, 0, 0]),
        ("1 2 3 4", None, [1, 2, 3, 4]),
    ],
)
def test_what_counts_as_text(write, column, values, codes):
    rows = "\n".join(f"{cell},{k % 2}" for k, cell in enumerate(column.split()))
    data = read_csv(write(f"x,y\n{rows}\n"), "y")
    assert data.coded == ({} if values is None else {"x": values})
    assert data.dataset.X[:, 0].tolist() == codes


def test_a_target_of_numbers_is_compared_as_numbers(write):
    data = read_csv(write("x,y\n1,10\n2,9\n3,9.0\n"), "y")
    assert data.classes == ("9", "10")
    assert data.dataset.y.tolist() == [1, -1, -1]


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("", "y", r"some\.csv is empty; its first line must name the columns"),
        ("x,y\n", "y", r"some\.csv has a header but no rows"),
        ("x,,y\n1,2,3\n", "y", r"some\.csv, line 1: column 2 has no name"),
        ("x,y,x\n1,2,3\n", "y", r"some\.csv, line 1: columns 1 and 3 have the same name 'x'"),
        ("x,y\n1,0\n1,2,3\n", "y", r"some\.csv, line 3: expected 2 cells.*; got 3"),
        ('x,y\n"1\n2",0\n1\n', "y", r"some\.csv, line 4: expected 2 cells.*; got 1"),
        ("x,label\n1,0\n", "Lable", r"some\.csv has no column 'Lable'; did you mean 'label'\?"),
        ("x,label\n1,0\n", "zzz", r"some\.csv has no column 'zzz'; it has 'x', 'label'$"),
        ("x,y\n1,0\n2,?\n", "y", r"some\.csv, line 3: the target 'y' has no value"),
        ("x,y\n1,0\n2,0\n", "y", r"some\.csv: the target 'y' must have two values; got 1: '0.0'"),
        ("x,y\n1,a\n2,b\n3,c\n", "y", r"the target 'y' must have two values; got 3: 'a', 'b', 'c'"),
        ("y\n1\n0\n", "y", r"some\.csv has no column but the target 'y'"),
        ("x,y\n1,0\ninf,1\n", "y", r"some\.csv, line 3, column 'x': 'inf' is not a finite number"),
        ("x,y\n1e999,0\n1,1\n", "y", r"some\.csv, line 2, column 'x': '1e999' is not a finite number"),
        (b"x,y\n\xff,0\n", "y", r"some\.csv is not UTF-8 text: invalid start byte at byte 4"),
        ('x,y\n"1"2,0\n', "y", r"some\.csv, line 2: .*expected after"),
    ],
)
def test_what_is_wrong_with_a_csv(write, text, target, message):
    with pytest.raises(ValueError, match=message):
        read_csv(write(text), target)


def test_a_csv_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"no\.csv cannot be read: No such file"):
        read_csv(tmp_path / "no.csv", "y")
    with pytest.raises(ValueError, match="cannot be read: Is a directory"):
        read_csv(tmp_path, "y")
