"""Files that commands read and write, and the models among them."""

from __future__ import annotations

import csv
import os
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from frankboost.cli.arguments import Parser
from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_format import load
from frankboost.tables.files import Table, read_table, replacing
from frankboost.tables.reading import about, read_rows
from frankboost.validation import quoted

DATA_HELP = (
    "a .csv, .tsv, .csv.gz, .tsv.gz, .parquet or .feather file with named columns, or - for standard input"
)
FILES = """\
The command needs pandas and pyarrow: pip install "frankboost[cli]". A CSV file
has a header row, cells that are separated by , ; tab or |, and numbers with a
decimal point; an empty cell, NA, N/A, NaN, null or ? is a missing value. In
Parquet and Feather files, ? is text. A column of text holds categories, at most
255. Dates such as 2024-12-31 or 2024-12-31T23:59 become days since 1970-01-01,
here and when the model predicts."""


def columns(text: str) -> list[str]:
    """A comma list of names, quoted as in a CSV file where a name has a comma."""
    try:
        names = [name.strip() for name in next(csv.reader([text], strict=True, skipinitialspace=True), [])]
    except csv.Error:
        names = []
    if not names or not all(names):
        raise ArgumentTypeError(f"must be names of columns, separated by commas; got {text!r}")
    return names


def add_ignore(parser: Parser) -> None:
    """Add the option for columns that are not features."""
    help_text = "columns to leave out, separated by commas; the option may be repeated"
    parser.add_argument(
        "--ignore", metavar="COLUMNS", type=columns, action="extend", default=[], help=help_text
    )


def add_model_and_data(parser: Parser) -> None:
    """Add the arguments for the data and the model."""
    parser.add_argument("data", metavar="DATA", help=DATA_HELP)
    parser.add_argument(
        "--model", metavar="MODEL.json", required=True, help="a model that `frankboost fit` saved"
    )


@contextmanager
def refusing(parser: Parser, option: str = "DATA", path: str | None = None) -> Iterator[None]:
    """End the command with status 2 at a ValueError about an argument; `path` is the file to name."""
    try:
        with nullcontext() if path is None else about(path):
            yield
    except ValueError as error:
        parser.error(f"argument {option}: {error}")


@contextmanager
def writes(parser: Parser, path: str) -> Iterator[None]:
    """End the command with status 1 if a file cannot be written."""
    try:
        yield
    except OSError as error:
        parser.exit(1, f"{parser.prog}: {path} cannot be written: {error.strerror or error}\n")


@contextmanager
def output(parser: Parser, path: str) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of `path` at the end; see `writes` and `replacing`."""
    with writes(parser, path), replacing(Path(path)) as file:
        yield file


def loaded(parser: Parser, path: str) -> ModelClassifier:
    """Load a model whose columns have names, or end with status 2."""
    try:
        with refusing(parser, "--model"):
            model = load(path)
    except OSError as error:
        parser.error(f"argument --model: {path} cannot be read: {error.strerror or error}")
    if not hasattr(model, "feature_names_in_"):
        parser.error(
            f"argument --model: {path} does not know the names of its columns; it must be made by "
            "`frankboost fit`, or fitted to a data frame"
        )
    return model


def opened(parser: Parser, path: str) -> Table:
    """Open a file as a table, or end with status 2."""
    with refusing(parser):
        return read_table(path)


def rows_like(
    parser: Parser, table: Table, path: str, model: ModelClassifier, target: str | None = None
) -> Any:
    """The columns of a table that were in the fit, and the target if asked for; or end with status 2."""
    names = model.feature_names_in_.tolist()
    known = {str(name): values.tolist() for name, values in model.categories_.items()}
    if target is not None:
        names, known[target] = [*names, target], model.classes_.tolist()
    with refusing(parser, path=path):
        return read_rows(table, list(dict.fromkeys(names)), known, getattr(model, "dates_", ()))


def target_of(parser: Parser, args: Namespace, model: ModelClassifier) -> str:
    """The column of the classes, from the option or from the model; or end with status 2."""
    name = args.target or getattr(model, "target_name_", None)
    if name is None:
        parser.error(
            f"argument --target: must name the column with the classes, since {args.model} does not name it"
        )
    return str(name)


def labelled_rows(parser: Parser, args: Namespace, model: ModelClassifier) -> tuple[Table, Any, Any]:
    """The table of the data, the features of a model and its target there; or an end with status 2."""
    target, table = target_of(parser, args, model), opened(parser, args.data)
    rows = rows_like(parser, table, args.data, model, target)
    column, known = rows[target], model.classes_.tolist()
    for number, (label, missing) in enumerate(zip(column.tolist(), column.isna(), strict=True), start=1):
        if missing or label not in known:
            where = f"argument DATA: {args.data}: row {number}: the target {quoted(target)}"
            what = "has no value" if missing else f"is {quoted(label)}, which is not a class of the model"
            parser.error(f"{where} {what}")
    return table, rows[model.feature_names_in_.tolist()], column


def check_output(parser: Parser, option: str, path: str | None, inputs: dict[str, str]) -> None:
    """Check that a file can be written, before any work is done; it must not replace one of the `inputs`."""
    if path is None:
        return
    target = Path(path)
    for name, other in inputs.items():
        if target.exists() and Path(other).exists() and os.path.samefile(target, other):
            parser.error(f"argument {option}: {path} is {name}, which must not be overwritten")
    if target.is_dir():
        parser.error(f"argument {option}: {path} is a folder")
    if target.suffix == ".gz":
        parser.error(f"argument {option}: files are not compressed; name it {target.with_suffix('')}")
    if not target.parent.is_dir():
        parser.error(f"argument {option}: there is no folder {target.parent}")
    replaced = target.is_file() or not target.exists()  # a device or a pipe is written to
    written = target.parent if replaced else target
    if not os.access(written, os.W_OK):
        parser.error(f"argument {option}: {written} cannot be written to")
