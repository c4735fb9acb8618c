"""Files become tables to fit to, or tables such as a model knows."""

import numpy as np
import pandas as pd
import pytest

from frankboost.tables import reading
from frankboost.tables.csv_files import _check_names
from frankboost.tables.files import read_table

nan = np.nan


def read_training(path, target, ignore=()):
    table = reading.read_training(path, target, ignore)
    return table.X, table.y


def read_rows(path, *known):
    with reading.about(path):
        return reading.read_rows(read_table(path), *known)


def test_numbers_text_bools_and_gaps(write):
    X, y = read_training(write("age,sex,old,sick\n1,m,True,no\n2.5,f,,yes\n?,m,false,no\n"), "sick")
    assert X.columns.tolist() == ["age", "sex", "old"]
    assert X["sex"].cat.categories.tolist() == ["f", "m"]
    assert y.tolist() == ["no", "yes", "no"]
    np.testing.assert_array_equal(X[["age", "old"]], [[1, 1], [2.5, nan], [nan, 0]])


def test_a_parquet_file_is_read_as_the_same_csv_file_is(write, tmp_path):
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3, 4], dtype="Int64"),
            "x": [0.5, nan, -1e300, 2.0],
            "flag": [True, False, True, True],
            "word": ["a", None, "b", "a"],
            "y": [3, 1, 2, 1],
        },
        index=[7, 5, 3, 1],  # which is kept in the file, and is not a column
    )
    frame.to_parquet(tmp_path / "some.parquet")
    typed, y = read_training(tmp_path / "some.parquet", "y")
    text, same = read_training(write(frame.to_csv(index=False)), "y")
    pd.testing.assert_frame_equal(typed, text, check_categorical=False)
    assert y.tolist() == same.tolist() == [3, 1, 2, 1]
    assert y.dtype == same.dtype == np.int64


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        ("10 9 9 -1", [10, 9, 9, -1]),
        ("10 9 9.0 1e1", [10.0, 9.0, 9.0, 10.0]),
        ("07 7 7 07", ["07", "7", "7", "07"]),  # codes, not numbers
        ("1 b 1 b", ["1", "b", "1", "b"]),
        ("True false TRUE FALSE", [True, False, True, False]),
    ],
)
def test_labels_of_a_csv_file(write, cells, labels):
    lines = "".join(f"{k},{cell}\n" for k, cell in enumerate(cells.split()))
    _, y = read_training(write(f"x,y\n{lines}"), "y")
    assert y.tolist() == labels
    assert type(y.tolist()[0]) is type(labels[0])


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("x,label\n1,0\n", "Lable", r"some\.csv: there is no column 'Lable'; did you mean 'label'\?"),
        ("x,label\n1,0\n", "zzz", r"some\.csv: there is no column 'zzz'; the columns are 'x', 'label'$"),
        ("x,y\n1,0\n2,?\n", "y", r"some\.csv: row 2: the target 'y' has no value"),
        ("y\n1\n0\n", "y", r"some\.csv: there is no column except the target 'y'$"),
        ("x,y\n1,0\ninf,1\n", "y", r"some\.csv: row 2, column 'x': inf is not a finite number"),
        ("x,y\n1e999,0\n1,1\n", "y", r"some\.csv: row 1, column 'x': .* is not a finite number"),
        ("x,y\n" + "".join(f"id{k},{k % 2}\n" for k in range(9)), "y", "'x' holds another text in every row"),
    ],
)
def test_what_is_wrong_with_a_file(write, text, target, message):
    with pytest.raises(ValueError, match=message):
        read_training(write(text), target)


@pytest.mark.parametrize(
    ("ignore", "message"),
    [
        (["X0"], r"there is no column 'X0'; did you mean 'x0'\?"),
        (["y"], "the target 'y' cannot be ignored"),
        (["x0", "x1"], "there is no column except the target 'y' and the columns to ignore"),
    ],
)
def test_what_cannot_be_ignored(write, ignore, message):
    with pytest.raises(ValueError, match=message):
        read_training(write("x0,x1,y\n1,2,0\n1,2,1\n"), "y", ignore)


def test_what_is_ignored_may_hold_anything(write):
    X, _ = read_training(write("id,x,z,y\na,1,inf,0\nb,2,1,1\nc,3,1,1\n"), "y", ["id", "z"])
    assert X.columns.tolist() == ["x"]


def test_rows_are_read_as_a_model_knows_them(write, tmp_path):
    known = {"zip": ["1", "2"], "land": ["NA", "no"]}
    names = ["x", "zip", "land"]
    rows = read_rows(write("extra,land,x,zip\n?,NA,true,2\n9,no,?,1\n9,?,FALSE,3\n"), names, known)
    assert rows.columns.tolist() == names
    np.testing.assert_array_equal(rows["x"], [1, nan, 0])
    assert rows["zip"].tolist() == ["2", "1", "3"]
    assert rows["land"].tolist()[:2] == ["NA", "no"]
    assert pd.isna(rows["land"][2])
    frame = pd.DataFrame({"land": ["NA", "?"], "x": ["1.5", None], "zip": [2, 7]})
    frame.to_parquet(tmp_path / "some.parquet")
    rows = read_rows(tmp_path / "some.parquet", names, known)
    np.testing.assert_array_equal(rows["x"], [1.5, nan])
    assert rows[["zip", "land"]].to_numpy().tolist() == [["2", "NA"], ["7", "?"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,Age\n1,2\n", r"some\.csv: there is no column 'age'; did you mean 'Age'\?"),
        ("x,z\n1,2\n", r"some\.csv: there is no column 'age'; the columns are 'x', 'z'"),
        ("age,x\n2,1\n3,tall\n", r"some\.csv: row 2, column 'x': 'tall' is not a finite number"),
        ("age,x\n2,1\nTrue,1\n", r"some\.csv: row 2, column 'age': 'True' is not a finite number"),
    ],
)
def test_rows_that_a_model_does_not_know(write, text, message):
    with pytest.raises(ValueError, match=message):
        read_rows(write(text), ["age", "x"], {})


def test_all_columns_that_cannot_be_used_are_told_of_at_once(write):
    lines = "".join(f"k{n},{n},n{n},{n % 2},inf\n" for n in range(9))
    with pytest.raises(ValueError, match="column 'id' holds") as raised:
        read_training(write(f'id,x,"a note, long",y,z\n{lines}'), "y", ["x"])
    reasons = str(raised.value).split("; ")
    assert [reason.split(" holds ")[0] for reason in reasons[:2]] == [
        f"{raised.value.args[0].split(': ')[0]}: column 'id'",
        "column 'a note, long'",
    ]
    assert reasons[2] == "row 1, column 'z': inf is not a finite number"
    assert reasons[3:] == ["leave them out with --ignore 'x,id,\"a note, long\",z'"]


def test_a_long_list_of_them_is_cut(write):
    names = [f"c{k}" for k in range(12)]
    lines = "".join(",".join([f"k{n}"] * 12) + f",{n % 2}\n" for n in range(5))
    with pytest.raises(ValueError, match=f"; and 4 more; leave them out with --ignore {','.join(names)}$"):
        read_training(write(",".join([*names, "y"]) + "\n" + lines), "y")


def test_dates_are_moments(write, tmp_path):
    path = write("since,x,y\n2024-01-02,1,0\n?,2,1\n1969-12-31,3,1\n")
    found = reading.read_training(path, "y")
    moments = np.array(["2024-01-02", "NaT", "1969-12-31"], dtype="datetime64[us]")
    np.testing.assert_array_equal(found.X["since"], moments)
    frame = pd.DataFrame({"since": pd.to_datetime(["2024-01-02", None, "1969-12-31"]), "y": [0, 1, 1]})
    frame.to_parquet(tmp_path / "some.parquet")
    found = reading.read_training(tmp_path / "some.parquet", "y")
    np.testing.assert_array_equal(found.X["since"], moments)
    rows = read_rows(path, ["since", "x"], {}, ["since"])
    np.testing.assert_array_equal(rows["since"], moments)
    with pytest.raises(ValueError, match=r"row 1, column 'since': '2024-01-02' is not a finite number"):
        read_rows(path, ["since"], {}, [])
    with pytest.raises(ValueError, match=r"row 1, column 'x': 1.* is not a date such as 2024-12-31 or"):
        read_rows(path, ["x"], {}, ["x"])


def test_many_columns_take_time_in_proportion(write):
    """So many that work for each pair of columns would not end."""
    names = [f"gene{k:05d}" for k in range(100_000)]
    reading.check_columns(names, names)
    with pytest.raises(ValueError, match="there is no column 'Gene00001'; did you mean 'gene00001'"):
        reading.check_columns(["Gene00001", *names[2:]], names)
    _check_names(names)
    with pytest.raises(ValueError, match="columns 1 and 100001 have the same name 'gene00000'"):
        _check_names([*names, "gene00000"])


def test_long_names_are_not_compared(write):
    with pytest.raises(ValueError, match="there is no column 'abab"):
        reading.check_columns(["ab" * 50_000], ["ba" * 50_000])
