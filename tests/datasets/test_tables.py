"""CSV files are read, or refused with a reason."""

import numpy as np
import pytest

from frankboost.datasets.tables import read_csv


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
