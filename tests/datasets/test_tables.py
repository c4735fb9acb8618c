"""Files become tables of numbers, or are refused with a reason."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from frankboost.datasets.files import open_file
from frankboost.datasets.tables import labels_like, read_dataset, rows_like, training_table

nan = np.nan


@pytest.fixture
def write(tmp_path):
    def writer(text, name="some.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return writer


def column_of(cells, write):
    """A CSV file with a column x of these cells, and a target."""
    rows = "\n".join(f"{cell},{k % 2}" for k, cell in enumerate(cells))
    return open_file(write(f"x,y\n{rows}\n"))


def test_numbers_text_bools_and_gaps(write):
    text = (
        '\ufeffage, sex ,"a, b",old,sick\n1,m,NA,True,no\n\n2.5,f,?,null,yes\n'
        ",m,N/A,false,no\n-1e3,,nan,TRUE,yes\n"
    )
    table = training_table(open_file(write(text)), "sick")
    assert table.names == ("age", "sex", "a, b", "old")
    assert table.categories == {"sex": ["f", "m"]}
    assert table.categorical == (1,)
    assert table.y.tolist() == ["no", "yes", "no", "yes"]
    expected = [[1, 1, nan, 1], [2.5, 0, nan, nan], [nan, 1, nan, 0], [-1000, nan, nan, 1]]
    np.testing.assert_array_equal(table.X, expected)


def test_blank_lines_before_the_header_are_left_out(write):
    table = training_table(open_file(write("\n\nx,y\n1,0\n\n2,1\n")), "y")
    assert table.names == ("x",)
    assert table.X.tolist() == [[1.0], [2.0]]


def test_a_parquet_file_is_read_as_the_same_csv_file_is(write, tmp_path):
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3, 4], dtype="Int64"),
            "x": [0.5, nan, -1e300, 2.0],
            "flag": [True, False, True, True],
            "word": ["a", None, "b", "a"],
            "kind": pd.Categorical(["u", "v", None, "u"], categories=["w", "v", "u"]),
            "y": [3, 1, 2, 1],
        },
        index=[7, 5, 3, 1],  # which is kept in the file, and is not a column
    )
    frame.to_parquet(tmp_path / "some.parquet")
    typed = training_table(open_file(tmp_path / "some.parquet"), "y")
    text = training_table(open_file(write(frame.to_csv(index=False))), "y")
    packed = training_table(
        open_file(write(gzip.compress(frame.to_csv(index=False).encode()), "a.CSV.gz")), "y"
    )
    for table in (text, packed):
        assert table.names == typed.names == ("n", "x", "flag", "word", "kind")
        assert table.categories == typed.categories == {"word": ["a", "b"], "kind": ["u", "v"]}
        np.testing.assert_array_equal(table.X, typed.X)
        assert table.y.tolist() == typed.y.tolist() == [3, 1, 2, 1]
        assert table.y.dtype == typed.y.dtype == np.int64


@pytest.mark.parametrize(
    ("cells", "values", "codes"),
    [
        ("10 9 x 9", ["10", "9", "x"], [0, 1, 2, 1]),  # one word makes it text, sorted as text
        ("1_0 1 1 1", ["1", "1_0"], [1, 0, 0, 0]),
        ("true 1 true true", ["1", "true"], [1, 0, 1, 1]),
        ("1 2 3 4", None, [1, 2, 3, 4]),
        ("? NA nan ?", None, [nan, nan, nan, nan]),
        ("true ? TRUE False", None, [1, nan, 1, 0]),
    ],
)
def test_what_counts_as_text(write, cells, values, codes):
    table = training_table(column_of(cells.split(), write), "y")
    assert table.categories == ({} if values is None else {"x": values})
    np.testing.assert_array_equal(table.X[:, 0], codes)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        ("10 9 9 -1", [10, 9, 9, -1]),
        ("10 9 9.0 1e1", [10.0, 9.0, 9.0, 10.0]),
        ("07 7 7 07", ["07", "7", "7", "07"]),  # codes, not numbers
        ("1 b 1 b", ["1", "b", "1", "b"]),
        ("True false True false", ["True", "false", "True", "false"]),
        ("1e999 1 1 1", ["1e999", "1", "1", "1"]),
        ("1000000000000000000000 1 1 1", [1e21, 1.0, 1.0, 1.0]),
    ],
)
def test_labels_keep_their_type(write, cells, labels):
    source = open_file(write("x,y\n" + "".join(f"{k},{cell}\n" for k, cell in enumerate(cells.split()))))
    y = training_table(source, "y").y
    assert y.tolist() == labels
    assert type(y.tolist()[0]) is type(labels[0])


def test_a_text_column_without_values_is_one_of_missing_numbers(tmp_path):
    table = pa.table({"x": pa.array([None, None, None], pa.string()), "n": pa.nulls(3), "y": [1, 0, 1]})
    pq.write_table(table, tmp_path / "some.parquet")
    read = training_table(open_file(tmp_path / "some.parquet"), "y")
    assert read.categories == {}
    assert np.isnan(read.X).all()


def test_rows_are_read_as_a_model_knows_them(write, tmp_path):
    categories = {"zip": ["1", "2"], "land": ["NA", "no"]}
    source = open_file(write("extra,land,x,zip\n?,NA,true,2\n9,no,?,1\n9,?,FALSE,3\n9,,true,\n"))
    X = rows_like(source, ["x", "zip", "land"], categories)
    np.testing.assert_array_equal(X, [[1, 1, 0], [nan, 0, 1], [0, nan, nan], [1, nan, nan]])
    frame = pd.DataFrame({"land": ["NA", "?"], "x": ["1.5", None], "zip": [2, 7]})
    frame.to_parquet(tmp_path / "some.parquet")
    X = rows_like(open_file(tmp_path / "some.parquet"), ["x", "zip", "land"], categories)
    np.testing.assert_array_equal(X, [[1.5, 1, 0], [nan, nan, nan]])


@pytest.mark.parametrize(
    ("categories", "cells", "codes"),
    [
        ([1, 2], "2 1.0 x ?", [1, 0, nan, nan]),
        ([0.5, 2.0], "2 0.50 .5 1", [1, 0, 0, nan]),
        ([False, True], "true FALSE 1 x", [1, 0, nan, nan]),
        ([2, "a"], "2 a 2.0 b", [0, 1, nan, nan]),
    ],
)
def test_categories_that_are_not_text(write, categories, cells, codes):
    X = rows_like(column_of(cells.split(), write), ["x"], {"x": categories})
    np.testing.assert_array_equal(X[:, 0], codes)


@pytest.mark.parametrize(
    ("classes", "cells", "labels"),
    [
        (np.array([1, 2]), "2 1.0 2 1", [2, 1, 2, 1]),
        (np.array(["1", "2"]), "2 1 2 1", ["2", "1", "2", "1"]),
        (np.array([False, True]), "true False 1 0", [1, 0, 1, 0]),
        (np.array(["a", "b"]), "a b c a", ["a", "b", "c", "a"]),
    ],
)
def test_labels_are_read_as_a_model_knows_them(write, classes, cells, labels):
    column = column_of(cells.split(), write).column("x")
    assert labels_like(column, classes).tolist() == labels


def test_a_dataset_has_two_classes(write):
    dataset, table = read_dataset(write("x,c,y\n1,a,10\n2,b,9\n3,b,9.0\n", "two.csv"), "y")
    assert dataset.name == "two"
    assert dataset.y.tolist() == [1, -1, -1]
    assert dataset.X is table.X
    with pytest.raises(ValueError, match="the target 'c' must have two values; got 3: 'a', 'b', 'd'"):
        read_dataset(write("x,c\n1,a\n2,b\n3,d\n"), "c")


IDS = "".join(f"id{k},{k},{k % 2}\n" for k in range(300))
FEW = "".join(f"id{k // 2 * 2},{k},{k % 2}\n" for k in range(600))


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("", "y", r"some\.csv is empty; its first line must name the columns"),
        ("x,y\n", "y", r"some\.csv has a header but no rows"),
        ("\n\n", "y", r"some\.csv is empty; its first line must name the columns"),
        ("x,,y\n1,2,3\n", "y", r"some\.csv, line 1: column 2 has no name$"),
        ("\n,x,y\n0,2,3\n", "y", r"some\.csv, line 2: column 1 has no name; .* unless told index=False$"),
        ("x,y,x\n1,2,3\n", "y", r"some\.csv, line 1: columns 1 and 3 have the same name 'x'"),
        ("x,y\n1,0\n1,2,3\n", "y", r"some\.csv, line 3: expected 2 cells.*; got 3"),
        ('x,y\n"1\n2",0\n1\n', "y", r"some\.csv, line 4: expected 2 cells.*; got 1"),
        ("x,label\n1,0\n", "Lable", r"some\.csv has no column 'Lable'; did you mean 'label'\?"),
        ("x,label\n1,0\n", "zzz", r"some\.csv has no column 'zzz'; it has 'x', 'label'$"),
        ("x,y\n1,0\n2,?\n", "y", r"some\.csv, line 3: the target 'y' has no value"),
        ("x,y\n1,0\n2,0\n", "y", r"the target 'y' must hold classes, at least two of them; got only 0$"),
        ("x,y\n1,0\n2,0.5\n", "y", r"the target 'y' must hold classes.*; got the number 0\.5"),
        ("id,x,y\n" + IDS, "x", r"the target 'x' must hold classes; got 300 distinct values in 300 rows"),
        ("y\n1\n0\n", "y", r"some\.csv has no column but the target 'y'"),
        ("x,y\n1,0\ninf,1\n", "y", r"some\.csv, line 3, column 'x': 'inf' is not a finite number"),
        ("x,y\n1e999,0\n1,1\n", "y", r"some\.csv, line 2, column 'x': '1e999' is not a finite number"),
        (
            "an id,x,y\n" + IDS,
            "y",
            r"'an id' holds another text in every row, such as 'id0'.*--ignore 'an id'$",
        ),
        ("x,y\n1,0\n2,1\n4 cm,0\n5,1\n", "y", "'x' holds another text in every row, such as '4 cm'"),
        ("id,x,y\n" + FEW, "y", r"column 'id' holds 300 different texts.*at most 255.*--ignore id$"),
        (b"x,y\n\xff,0\n", "y", r"some\.csv is not UTF-8 text: invalid start byte at byte 4"),
        ('x,y\n"1"2,0\n', "y", r"some\.csv, line 2: .*expected after"),
    ],
)
def test_what_is_wrong_with_a_csv(write, text, target, message):
    with pytest.raises(ValueError, match=message):
        training_table(open_file(write(text)), target)


@pytest.mark.parametrize(
    ("ignore", "message"),
    [
        (["X0"], r"has no column 'X0'; did you mean 'x0'\?"),
        (["y"], "the target 'y' cannot be ignored"),
        (["x0", "x1"], "has no column but the target 'y' and those to ignore"),
    ],
)
def test_what_cannot_be_ignored(write, ignore, message):
    with pytest.raises(ValueError, match=message):
        training_table(open_file(write("x0,x1,y\n1,2,0\n1,2,1\n")), "y", ignore)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,Age\n1,2\n", r"some\.csv has no column 'age'; did you mean 'Age'\?"),
        ("x,z\n1,2\n", r"some\.csv has no column 'age'; it has 'x', 'z'"),
        ("age,x\n2,1\n3,tall\n", r"some\.csv, line 3, column 'x': 'tall' is not a number"),
        ("age,x\n2,1\nTrue,1\n", r"some\.csv, line 3, column 'age': 'True' is not a number"),
    ],
)
def test_rows_that_a_model_does_not_know(write, text, message):
    with pytest.raises(ValueError, match=message):
        rows_like(open_file(write(text)), ["age", "x"], {})


def test_a_file_that_is_not_there_or_not_what_it_says(write, tmp_path):
    for name in ("no.csv", "no.csv.gz", "no.parquet"):
        with pytest.raises(ValueError, match=f"{name} cannot be read: No such file"):
            open_file(tmp_path / name)
        (tmp_path / "folder" / name).mkdir(parents=True)
        with pytest.raises(ValueError, match=f"{name} cannot be read: Is a directory"):
            open_file(tmp_path / "folder" / name)
    for path in (write("x,y\n1,2\n", "a.csv.gz"), write(gzip.compress(b"x,y\n1,2\n")[:-9], "b.csv.gz")):
        with pytest.raises(ValueError, match=r"\.csv\.gz cannot be read: "):
            open_file(path)
    with pytest.raises(ValueError, match=r"a\.parquet is not a Parquet file"):
        open_file(write("x,y\n1,2\n", "a.parquet"))
    with pytest.raises(ValueError, match=r"a\.xlsx: the name must end with \.csv, \.csv\.gz, \.parquet"):
        open_file(write("", "a.xlsx"))
