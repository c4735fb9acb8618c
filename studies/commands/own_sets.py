"""The option --data: the user's files as data sets of a study, which are saved beside its results."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Collection
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from frankboost.cli.arguments import Parser, printable
from frankboost.cli.files import DATA_HELP, add_ignore
from frankboost.datasets import NAMES, Dataset
from frankboost.tables.files import ENDINGS, STANDARD_INPUT, read_table
from frankboost.tables.frames import encoded
from frankboost.tables.reading import listed, read_training
from frankboost.validation import quoted
from studies.algorithms import TREE, plugin_learner
from studies.sets import SMALL_SETS, WORST_CASE, Categorical, save_set

FOLDER = "sets"  # beside the results
RESERVED_NAMES = {*NAMES, WORST_CASE, *(name for name, _ in SMALL_SETS)}
OwnSets = dict[str, tuple[Dataset, Categorical]]


def add_options(parser: Parser) -> None:
    """Add the options for the user's files."""
    add = parser.add_argument
    add("--data", metavar="PATH", action="append", type=Path,
        help=f"a data set of your own instead: {DATA_HELP.partition(', or -')[0]}, or a folder of such "
        "files; may be given again. A set has the name of its file up to the first dot")  # fmt: skip
    add("--target", metavar="COLUMN",
        help="the column of --data to predict, of two values (default: the last of each file)")  # fmt: skip
    add_ignore(parser)


def read_own_sets(parser: Parser, args: Namespace) -> OwnSets:
    """Read the sets of --data, by name; a mistake ends the program with status 2."""
    if args.data is None:
        for option in ("target", "ignore"):
            if getattr(args, option):
                parser.error(f"argument --{option}: must be given with --data")
        return {}
    sets: OwnSets = {}
    for path in [file for each in args.data for file in _files(parser, each)]:
        try:
            table = read_dataset(path, args.target or read_table(path).names[-1], args.ignore)
        except ValueError as error:
            parser.error(f"argument --data: {error}")
        name = table[0].name
        if name in RESERVED_NAMES or name in sets:
            whose = "another of --data" if name in sets else "a set that comes with the study"
            parser.error(f"argument --data: {path} has the name {printable(name)!r} of {whose}; rename it")
        sets[name] = table
    _check_learner(parser, args, sets)
    return sets


def read_dataset(path: Path, target: str, ignore: Collection[str] = ()) -> tuple[Dataset, Categorical]:
    """Read a file; also returns the numbers of its columns of categories.

    The target must have two values, the smaller of which becomes the label -1.
    """
    table = read_training(path, target, ignore)
    classes, code = np.unique(table.y, return_inverse=True)
    if len(classes) != 2:
        got = f"{len(classes)}: {listed(classes.tolist())}"
        raise ValueError(f"{path}: the target {quoted(target)} must have two values; got {got}")
    X, encoding = encoded(SimpleNamespace(), table.X, None, np.ones(len(table.y), dtype=np.bool_))
    name = path.name.lstrip(".").split(".")[0]
    return Dataset(name, X, np.where(code == 1, 1, -1)), tuple(encoding.by_column)


def _files(parser: Parser, path: Path) -> list[Path]:
    if str(path) == STANDARD_INPUT:
        parser.error("argument --data: must be a file or a folder, whose name is that of the set; got -")
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.iterdir() if each.name.lower().endswith(ENDINGS))
    if not found:
        parser.error(f"argument --data: {path} has no file that ends with {', '.join(ENDINGS)}")
    return found


def _check_learner(parser: Parser, args: Namespace, sets: OwnSets) -> None:
    """End the program if the weak learner of a plugin gets categories, which it does not know."""
    if args.learner == TREE or plugin_learner(args.learner).splits_features:
        return
    for name, (_, categorical) in sets.items():
        if categorical:
            parser.error(f"argument --learner: {args.learner} takes numbers, but {name} has categories")


def save_own_sets(parser: Parser, sets: OwnSets, out: Path) -> Path:
    """Save the sets in a folder beside the results, where each trial finds them; returns the folder."""
    for table in sets.values():
        try:
            save_set(out / FOLDER, *table)
        except (OSError, ValueError) as error:
            parser.error(f"argument --data: {error}; choose another folder with --out")
    return out / FOLDER
