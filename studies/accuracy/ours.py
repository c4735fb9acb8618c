"""The library's own classifiers, from a text such as "SoftMarginClassifier(max_depth=3)"."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

import frankboost
from studies.accuracy.contestant import Contestant, Training

DEFAULTS = ("SoftMarginClassifier()", "SoftMarginClassifierCV()")


def contestant(text: str) -> Contestant:
    """The classifier that a text names; a ValueError says what is wrong with it."""
    name, settings = _parsed(text)
    shown = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    kind = getattr(frankboost, name)
    try:
        kind().set_params(**settings)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    fit = partial(_fit, kind, settings)
    return Contestant(f"{name}({shown})", "frankboost", "codes", fit, lambda clf: len(clf.estimators_))


def _fit(kind: Any, settings: dict[str, Any], given: Training) -> Any:
    clf = kind()
    usual = {
        "categorical_features": given.categorical or None,
        "n_jobs": given.threads,
        "random_state": given.seed,
    }
    known = clf.get_params()
    clf.set_params(**{key: value for key, value in usual.items() if key in known}).set_params(**settings)
    return clf.fit(given.X, given.y)


def _parsed(text: str) -> tuple[str, dict[str, Any]]:
    """The name of a class and its settings."""
    wrong = ValueError(
        "a classifier must be a class of frankboost, with keywords and plain values if it has settings, "
        f"such as 'SoftMarginClassifier(max_depth=3)'; got {text!r}"
    )
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        call = tree if isinstance(tree, ast.Call) else ast.Call(tree, [], [])
        settings = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError):
        raise wrong from None
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    named = all(each.arg for each in call.keywords)
    if (
        call.args
        or not named
        or not name.endswith(("Classifier", "ClassifierCV"))
        or not hasattr(frankboost, name)
    ):
        raise wrong
    return name, settings
