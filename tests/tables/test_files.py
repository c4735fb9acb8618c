"""Files become data frames, or are refused with a reason."""

import gzip
import io
import json
import os
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from frankboost.tables.files import read_table, replacing
from frankboost.validation import quoted

nan = np.nan


def read_frame(path, target=None, known=None):
    """All columns of a file."""
    table, known = read_table(path), known or {}
    columns = {name: table.column(name, known.get(name), is_target=name == target) for name in table.names}
    return pd.DataFrame(columns)


def values(column):
    """What a column holds, with None for a missing value."""
    return [None if pd.isna(value) else value for value in column.tolist()]


def test_numbers_text_bools_and_gaps(write):
    text = (
        '\ufeffage, sex ,"a, b",old,sick\n1,m,NA,True,no\n\n2.5, f ,?,null,yes\n'
        ",m,N/A,false,no\n-1e3,,nan,TRUE,yes\n"
    )
    frame = read_frame(write(text))
    assert frame.columns.tolist() == ["age", "sex", "a, b", "old", "sick"]
    assert {name: values(frame[name]) for name in frame} == {
        "age": [1.0, 2.5, None, -1000.0],
        "sex": ["m", "f", "m", None],
        "a, b": [None] * 4,
        "old": [True, None, False, True],
        "sick": ["no", "yes", "no", "yes"],
    }


def test_blank_lines_are_left_out(write):
    frame = read_frame(write("\n\nx,y\n1,0\n\n2,1\n3,\n"))
    assert frame["x"].tolist() == [1, 2, 3]
    assert values(frame["y"]) == [0, 1, None]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("tail", ["   ", "   \n", " \n \n"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_lines_of_spaces_are_left_out(write, end, tail, separator):
    text = f" \nx,y\n1,0\n  \n2,1\n{tail}".replace("\n", end).replace(",", separator)
    frame = read_frame(write(text))
    assert frame["x"].tolist() == [1, 2]
    assert frame["y"].tolist() == [0, 1]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_header_may_be_longer_than_any_cell(write, separator):
    names = [f"gene{k:05d}" for k in range(14_000)]
    rows = [names, ["1"] * len(names)]
    table = read_table(write("".join(separator.join(row) + "\n" for row in rows)))
    assert table.names == names
    assert table.column("gene13999").tolist() == [1]


def test_a_name_longer_than_a_cell_may_be(write):
    with pytest.raises(ValueError, match="line 1: field larger than field limit"):
        read_table(write("x" * 140_000 + ",y\n1,0\n"))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("10 9 x 9", ["10", "9", "x", "9"]),  # one word makes it text
        ("1_0 1 1 1", ["1_0", "1", "1", "1"]),
        ("true 1 true true", ["true", "1", "true", "true"]),
        ("true ? TRUE False", [True, None, True, False]),
        ("? NA nan N/A", [None] * 4),
        ("10 9 9 -1", [10, 9, 9, -1]),
        ("10 9 9.0 1e1", [10.0, 9.0, 9.0, 10.0]),
        ("07 7 8 9", [7, 7, 8, 9]),
        ("1000000000000000000000 1 1 1", [1e21, 1.0, 1.0, 1.0]),
    ],
)
def test_a_column_is_what_all_its_cells_are(write, cells, expected):
    frame = read_frame(write("x,y\n" + "".join(f"{cell},0\n" for cell in cells.split())))
    found = values(frame["x"])
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


def test_numbers_are_read_to_the_last_digit(write):
    numbers = np.random.default_rng(0).normal(size=2000) * 10.0 ** np.arange(-200, 200, 0.2)
    frame = read_frame(write("x\n" + "\n".join(map(repr, numbers.tolist())) + "\n?\n"))
    np.testing.assert_array_equal(frame["x"], [*numbers, nan])


def test_a_target_with_codes_is_text(write):
    frame = read_frame(write("x,y\n07,07\n7,7\n"), target="y")
    assert frame["x"].tolist() == [7, 7]
    assert frame["y"].tolist() == ["07", "7"]


def test_a_column_with_known_words_is_text(write):
    frame = read_frame(write("x,land\n1,NA\n01,na\n2,DK\n"), known={"x": ["1"], "land": ["NA"]})
    assert frame["x"].tolist() == ["1", "01", "2"]
    assert values(frame["land"]) == ["NA", None, "DK"]


def test_a_packed_file_is_the_same(write):
    text = "x,word\n1,a\n?,b\n"
    plain, packed = read_frame(write(text)), read_frame(write(gzip.compress(text.encode()), "a.CSV.gz"))
    pd.testing.assert_frame_equal(plain, packed)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("\n\n", "it is empty"),
        ("x,,y\n1,2,3\n", "column 2 has no name$"),
        ("\n,x,y\n0,2,3\n", "column 1 has no name; .* without index=False$"),
        ("x,y,x\n1,2,3\n", "columns 1 and 3 have the same name 'x'"),
        ("x,y\n1,0\n1,2,3\n", "line 3: expected 2 cells; got 3$"),
        ("x,y\n1,2,3\n4,5,6\n", "line 2: expected 2 cells; got 3$"),
        ("\nx,y\n1,0\n\n2\n", "line 5: expected 2 cells; got 1$"),  # a file that was cut
        ('x,y\n1,"0\n', "line 2: unexpected end of data$"),
        ('x,y\n1,0\n"1"2,1\n', "line 3: ',' expected after '\"'$"),
        (b"x,y\n\xff,0\n", "the text is not in UTF-8; save the file in UTF-8$"),
    ],
)
def test_what_is_wrong_with_a_csv(write, text, reason):
    with pytest.raises(ValueError, match=r"some\.csv cannot be read: .*" + reason):
        read_frame(write(text))


def test_files_without_rows(write, tmp_path):
    with pytest.raises(ValueError, match=r"some\.csv has columns but no rows"):
        read_frame(write("x,y\n"))
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), tmp_path / "some.parquet")
    with pytest.raises(ValueError, match=r"some\.parquet has columns but no rows"):
        read_frame(tmp_path / "some.parquet")


@pytest.mark.parametrize("name", ["some.parquet", "some.feather"])
@pytest.mark.parametrize(
    "noted",
    [
        b'{"columns": [{"name": "z", "field_name": "z", "pandas_type": "categorical", "numpy_type": "int8", '
        b'"metadata": null}], "index_columns": [], "column_indexes": []}',
        b'{"columns": [{"name": "x", "field_name": "x"}], "index_columns": [], "column_indexes": []}',
        b'{"columns": [], "index_columns": ["q"], "column_indexes": []}',
        b"[1, 2]",
        b"\xff",
    ],
)
def test_what_pandas_has_noted_in_a_file_may_be_wrong(tmp_path, name, noted):
    table = pa.table({"x": [1.0, 2.0], "y": [0, 1]}).replace_schema_metadata({b"pandas": noted})
    (pq.write_table if name.endswith("parquet") else feather.write_feather)(table, tmp_path / name)
    reason = f"{name} cannot be read: what pandas has noted in it contradicts its columns: "
    with pytest.raises(ValueError, match=reason):
        read_table(tmp_path / name)


def test_a_file_that_is_not_there_or_not_what_it_says(write, tmp_path):
    for name in ("no.csv", "no.csv.gz", "no.parquet"):
        with pytest.raises(ValueError, match=f"{name} cannot be read: No such file"):
            read_frame(tmp_path / name)
        (tmp_path / "folder" / name).mkdir(parents=True)
        with pytest.raises(ValueError, match=f"{name} cannot be read: Is a directory"):
            read_frame(tmp_path / "folder" / name)
    packed = gzip.compress(b"x,y\n1,2\n")
    bad = [write("x,y\n1,2\n", "a.csv.gz"), write(packed[:-9], "b.csv.gz"), write("x,y\n1,2\n", "a.parquet")]
    for path in bad:
        with pytest.raises(ValueError, match=rf"{path.name} cannot be read: \w"):
            read_frame(path)
    with pytest.raises(ValueError, match=r"a\.xlsx: the name must end with \.csv, .*, \.parquet, \.feather "):
        read_frame(write("", "a.xlsx"))


def test_parquet_keeps_types(tmp_path):
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3], dtype="Int64"),
            "flag": [True, None, False],
            "word": ["NA", None, "7"],
            "kind": pd.Categorical(["u", "v", None], categories=["w", "v", "u"]),
            "grade": pd.Categorical([3, None, 1]),
            "x": [0.5, nan, 1.0],
        }
    )
    frame.to_parquet(tmp_path / "some.parquet")
    read = read_frame(tmp_path / "some.parquet")
    assert read.columns.tolist() == frame.columns.tolist()
    for name in frame:
        assert values(read[name]) == values(frame[name])
    assert read["kind"].cat.categories.tolist() == ["w", "v", "u"]
    assert read["grade"].cat.categories.tolist() == [1, 3]


def test_numbered_columns_have_their_numbers_as_names(tmp_path):
    pd.DataFrame([[1, 2]]).to_parquet(tmp_path / "some.parquet")
    assert read_frame(tmp_path / "some.parquet").columns.tolist() == ["0", "1"]


def test_an_index_is_a_column_only_if_it_has_a_name(tmp_path):
    frame = pd.DataFrame({"x": [1, 2]}, index=[7, 5])
    frame.to_parquet(tmp_path / "plain.parquet")
    frame.rename_axis("id").to_parquet(tmp_path / "named.parquet")
    assert read_frame(tmp_path / "plain.parquet").columns.tolist() == ["x"]
    assert read_frame(tmp_path / "named.parquet")["id"].tolist() == [7, 5]


def test_columns_of_the_same_name_in_parquet(tmp_path):
    pq.write_table(pa.table([pa.array([0]), pa.array([1])], names=["x", "x"]), tmp_path / "some.parquet")
    with pytest.raises(ValueError, match=r"some\.parquet cannot be read: Multiple matches .*x"):
        read_frame(tmp_path / "some.parquet")


@pytest.mark.parametrize(("module", "name"), [("pandas", "some.csv"), ("pyarrow", "some.parquet")])
def test_without_the_libraries_the_extra_is_named(write, monkeypatch, module, name):
    path = write("x\n1\n", name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ValueError, match=r'needs pandas and pyarrow .*: pip install "frankboost\[cli\]"'):
        read_frame(path)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["123456789012345678901", "123456789012345678902", "5"], str),
        (["-9223372036854775809", "1"], str),
        (["18446744073709551615", "1"], int),
        (["-9223372036854775808", "1"], int),
        (["1e20", "5"], float),
    ],
)
def test_a_target_with_integers_that_no_number_holds_is_text(write, cells, expected):
    text = "\n".join(["y", *cells]) + "\n"
    assert {type(value) for value in read_frame(write(text), "y")["y"].tolist()} == {expected}
    if expected is not float:
        assert list(map(str, read_frame(write(text), "y")["y"].tolist())) == cells
    assert read_frame(write(text))["y"].dtype.kind in "iuf"


def test_long_values_are_quoted_in_part(write):
    assert quoted("a" * 98) == repr("a" * 98)
    assert quoted("7" * 100_000) == "'" + "7" * 69 + "..." + "7" * 19 + "'"
    name = "n" * 50_000
    with pytest.raises(ValueError, match=r"columns 1 and 2 have the same name 'nnn") as raised:
        read_frame(write(f"{name},{name}\n1,2\n"))
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('x;"a, b";c\n1;u, v;2\n', "some.csv"),
        ("x\ta, b\tc\n1\tu, v\t2\n", "some.tsv"),
        ("\n\nx|a, b|c\n1|u, v|2\n", "some.csv"),
        ('x,"a, b",c\n1,"u, v",2\n', "some.tsv"),
    ],
)
def test_separators_are_found_in_the_header(write, text, name):
    assert read_frame(write(text, name)).to_dict("list") == {"x": [1], "a, b": ["u, v"], "c": [2]}


def test_a_line_with_other_cells_than_the_header_names_the_separator(write):
    with pytest.raises(ValueError, match=r"line 3: expected 3 cells, separated by ';'; got 2$"):
        read_frame(write("x;y;z\n1;2;3\n1,2;3\n"))


@pytest.fixture
def standard_input(monkeypatch):
    def feed(data):
        stream = io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr("sys.stdin", stream)

    return feed


def test_standard_input_may_hold_any_of_them(standard_input, tmp_path):
    frame = pd.DataFrame({"x": [1, 2], "word": ["a", "b"]})
    frame.to_parquet(tmp_path / "some.parquet")
    frame.to_feather(tmp_path / "some.feather")
    text = frame.to_csv(index=False, sep=";").encode()
    files = [
        text,
        gzip.compress(text),
        *((tmp_path / f"some.{e}").read_bytes() for e in ("parquet", "feather")),
    ]
    for data in files:
        standard_input(data)
        assert read_frame("-").to_dict("list") == frame.to_dict("list")
    standard_input(b"x,y\n")
    with pytest.raises(ValueError, match=r"^standard input has columns but no rows$"):
        read_frame("-")
    standard_input(b"")
    with pytest.raises(ValueError, match=r"^standard input cannot be read: it is empty"):
        read_frame("-")


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ValueError, match=r"^standard input cannot be read: it is closed$"):
        read_frame("-")


def test_feather_keeps_types(tmp_path):
    frame = pd.DataFrame({"grade": pd.Categorical([3, None, 1]), "n": pd.array([1, None, 3], dtype="Int64")})
    frame.to_feather(tmp_path / "some.feather")
    read = read_frame(tmp_path / "some.feather")
    assert read["grade"].cat.categories.tolist() == [1, 3]
    assert values(read["n"]) == [1, None, 3]


def test_cells_as_they_are_written(write):
    table = read_table(write("id,x\n007, ?\n1e3,2\n"))
    assert table.as_written("id").tolist() == ["007", "1e3"]
    assert table.as_written("x").tolist() == ["?", "2"]
    assert values(table.column("x")) == [None, 2]


def test_categories_of_half_precision(tmp_path):
    """pandas has none, and a file may declare them all the same."""
    column = {"name": "x", "field_name": "x", "pandas_type": "categorical", "numpy_type": "int8"}
    notes = {"columns": [{**column, "metadata": None}], "index_columns": [], "column_indexes": []}
    table = pa.table({"x": pa.array(np.array([1, 2, 1], dtype=np.float16))})
    pq.write_table(table.replace_schema_metadata({"pandas": json.dumps(notes)}), tmp_path / "some.parquet")
    assert read_frame(tmp_path / "some.parquet")["x"].tolist() == [1.0, 2.0, 1.0]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def test_the_new_file_takes_the_place_of_the_old(path):
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt(), ValueError()])
def test_whatever_goes_wrong_the_old_file_stays(path, error):
    with pytest.raises(type(error)), replacing(path) as file:  # noqa: PT012
        file.write(b"ne")
        raise error
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_a_disk_that_says_so_at_the_end(path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as raised, replacing(path) as file:
        file.write(b"new")
    assert raised.value.filename == str(path)
    assert path.read_bytes() == b"old"


def test_a_folder_that_is_not_there(tmp_path):
    path = tmp_path / "no" / "file"
    with pytest.raises(FileNotFoundError) as raised, replacing(path):
        pass
    assert raised.value.filename == str(path)


def test_a_device_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK)
    with replacing(tmp_path / "pipe") as file:
        file.write(b"new")
    assert os.read(reading, 9) == b"new"
    os.close(reading)
