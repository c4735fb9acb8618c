"""Models as JSON files, which hold no code."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from frankboost.estimators.prediction import ModelClassifier
from frankboost.export.json_model import document_of, read_model
from frankboost.tables.files import replacing

MOST_BYTES = 2**30
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
MOST_CONTAINERS = 5_000_000  # lists and objects; an empty one takes twenty times its bytes in memory
MOST_ENTRIES = 100_000_000
MOST_DIGITS = 25  # of an integer; larger ones take long to read, and none has a use


def save(model: Any, path: str | os.PathLike[str], *, certificate: bool = True) -> None:
    """Write a fitted model to a JSON file.

    The file holds the trees and their weights, the certificate, the distribution that attains the bound,
    the declared class of trees and the trace, so that `verify` works on the loaded model. Floats keep every
    bit. The file also holds `target_name_` and `weight_name_`, which `frankboost fit` sets, and `dates_`,
    the columns that were dates in the fit and are days since 1970-01-01 in the model. The file does not
    hold the stages of the fit, the state for a warm start, the results of a cross-validation, and settings
    that are objects (a weak learner, a rule, a splitter, callbacks).

    Parameters
    ----------
    model : fitted classifier
        Its hypotheses must be trees of `BestTree`, the default weak learner.
    path : str or path
        The file to write. An existing file is replaced in one step, so that a reader finds the old or the
        new file. A device or a pipe is written to directly.
    certificate : bool, default=True
        False writes a small file without anything about the training rows. The loaded model predicts the
        same, bit for bit, but has no `certificate_`, `trace_`, `distribution_` and `hypothesis_class_`.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifier().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(clf, f"{folder}/model.json")
    ...     again = load(f"{folder}/model.json")
    ...
    >>> again.certificate_ == clf.certificate_
    True
    """
    document = document_of(model, certificate=certificate)
    data = json.dumps(document, default=plain).encode()
    try:
        _model(data)  # what cannot be loaded is not saved
    except ValueError as error:
        raise ValueError(f"model cannot be saved: {error}") from error
    with replacing(Path(path)) as file:
        file.write(data)


def load(path: str | os.PathLike[str]) -> ModelClassifier:
    """Read a model that `save` wrote. It predicts the same as the saved model, bit for bit.

    A file cannot run code or name a class outside frankboost, and every field is checked. `load` does not
    check whether the certificate is true; `verify` does.

    Raises
    ------
    ValueError
        If the file is not a model; the message names the file and the field.
    """
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        return _model(data)
    except RecursionError:
        raise ValueError(f"{os.fspath(path)}: nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{os.fspath(path)}: not a model of frankboost, or cut short: {error}") from error
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error


def plain(value: Any) -> Any:
    """Convert a part of a document that the module `json` does not know."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(
        f"model must have labels and categories that are strings, numbers or bools to be saved; got {value!r}"
    )


def _model(data: bytes) -> ModelClassifier:
    for what, count, most in (
        ("bytes", len(data), MOST_BYTES),
        ("lists and objects", data.count(b"[") + data.count(b"{"), MOST_CONTAINERS),
        ("entries", data.count(b","), MOST_ENTRIES),
    ):
        if count > most:
            raise ValueError(f"a model must have at most {most} {what}; got {count}")
    text = data.decode("utf-8")
    document = json.loads(text, object_pairs_hook=_without_duplicates, parse_int=_integer)
    if SURROGATE.search(data):
        try:
            json.dumps(document, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("a text has one half of a surrogate pair without the other") from None
    return read_model(document)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"an object has the member {name[:100]!r} twice")
        members[name] = value
    return members


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"an integer has {len(digits)} digits")
    return int(digits)
