"""The contestants: our classifiers and those of other libraries, and how to fit each of them.

Other libraries' classifiers have their defaults. Some also take part with early stopping: a tenth of the
training rows is held out, and a fit of up to 1000 rounds ends after 50 rounds without a gain there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split

import frankboost
from studies.sets import LabelledRows

OURS = ("SoftMarginClassifier()", "SoftMarginClassifierCV()")
REFERENCE = "HistGradientBoosting()"
PACKAGES = ("lightgbm", "xgboost", "catboost", "interpret-core")
EARLY = "early stopping"
ROUNDS = 1000
PATIENCE = 50
HELD_OUT = 0.1
Form = Literal["codes", "frame"]


@dataclass(frozen=True, eq=False)
class Training:
    """The arguments of a fit: rows in a contestant's form, labels, columns of categories, threads and
    seed."""

    X: Any
    y: NDArray[np.int64]
    categorical: list[int]
    threads: int
    seed: int


@dataclass(frozen=True, eq=False)
class Contestant:
    """A classifier with its settings.

    The form of its rows is "codes", an array in which categories are numbers, or "frame", a data frame in
    which they have the categorical type of pandas.
    """

    name: str
    package: str  # must be importable
    form: Form
    fit: Callable[[Training], Any]  # returns the fitted classifier
    trees: Callable[[Any], int | None]  # its number of trees, or None


def to_form(data: LabelledRows, rows: NDArray[np.intp], form: Form) -> Any:
    """Some rows of a data set in a form; a column of categories has the categories of the whole set."""
    X = data.X[rows].astype(np.float64)
    if form == "codes":
        return X
    columns: dict[str, Any] = {f"x{f}": X[:, f] for f in range(X.shape[1])}
    for f in data.categorical:
        known = np.unique(data.X[:, f]).astype(np.int64)
        columns[f"x{f}"] = pd.Categorical(X[:, f].astype(np.int64), categories=known)
    return pd.DataFrame(columns)


def parse_classifier(text: str) -> Contestant:
    """Make a contestant of a text such as "SoftMarginClassifier(max_depth=3)"; a ValueError if this fails."""
    name, settings = _parse_call(text)
    shown = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    kind = getattr(frankboost, name)
    try:
        kind().set_params(**settings)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    fit = partial(_fit, kind, settings)
    return Contestant(f"{name}({shown})", "frankboost", "codes", fit, lambda clf: len(clf.estimators_))


def _parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """The class and the settings of a text."""
    try:
        call = ast.parse(text.strip() if "(" in text else f"{text.strip()}()", mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            settings = {each.arg or "": ast.literal_eval(each.value) for each in call.keywords}
            name = call.func.id
            if name in frankboost.public.__all__ and name.endswith(("Classifier", "ClassifierCV")):
                return name, settings
    except (SyntaxError, ValueError):
        pass
    raise ValueError(
        "a classifier must be a class of frankboost, with keywords and plain values if it has settings, "
        f"such as 'SoftMarginClassifier(max_depth=3)'; got {text!r}"
    )


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


def _histogram_boosting(given: Training, early: bool = False) -> Any:
    # It has no parameter for threads: the runner limits the threads of OpenMP.
    usual = {"categorical_features": given.categorical or None, "random_state": given.seed}
    ending = {"max_iter": ROUNDS, "early_stopping": True, "n_iter_no_change": PATIENCE} if early else {}
    return HistGradientBoostingClassifier(**usual, **ending).fit(given.X, given.y)


def _lightgbm(given: Training, early: bool = False) -> Any:
    package = import_module("lightgbm")
    usual = {"n_jobs": given.threads, "random_state": given.seed, "verbosity": -1}
    if not early:
        return package.LGBMClassifier(**usual).fit(given.X, given.y)
    ending = package.early_stopping(PATIENCE, verbose=False)
    return _fit_with_early_stopping(
        package.LGBMClassifier(n_estimators=ROUNDS, **usual), given, callbacks=[ending]
    )


def _xgboost(given: Training, early: bool = False) -> Any:
    make = import_module("xgboost").XGBClassifier
    usual = {"n_jobs": given.threads, "random_state": given.seed, "enable_categorical": True}
    if not early:
        return make(**usual).fit(given.X, given.y)
    return _fit_with_early_stopping(
        make(n_estimators=ROUNDS, early_stopping_rounds=PATIENCE, **usual), given, verbose=False
    )


def _catboost(given: Training, early: bool = False) -> Any:
    make = import_module("catboost").CatBoostClassifier
    usual = {"thread_count": given.threads, "random_seed": given.seed, "cat_features": given.categorical}
    quiet = {"verbose": False, "allow_writing_files": False}
    if not early:
        return make(**usual, **quiet).fit(given.X, given.y)
    return _fit_with_early_stopping(
        make(iterations=ROUNDS, **usual, **quiet), given, early_stopping_rounds=PATIENCE
    )


def _fit_with_early_stopping(clf: Any, given: Training, **ending: Any) -> Any:
    X, X_held, y, y_held = train_test_split(
        given.X, given.y, test_size=HELD_OUT, stratify=given.y, random_state=given.seed
    )
    return clf.fit(X, y, eval_set=[(X_held, y_held)], **ending)


def _explainable_boosting(given: Training) -> Any:
    package = import_module("interpret.glassbox")
    clf = package.ExplainableBoostingClassifier(n_jobs=given.threads, random_state=given.seed)
    return clf.fit(given.X, given.y)


def _random_forest(given: Training) -> Any:
    return RandomForestClassifier(n_jobs=given.threads, random_state=given.seed).fit(given.X, given.y)


def _adaboost(given: Training) -> Any:
    return AdaBoostClassifier(random_state=given.seed).fit(given.X, given.y)


def _xgboost_trees(clf: Any) -> int:
    # With early stopping, XGBoost keeps all rounds, but predicts with the rounds up to the best one.
    if clf.early_stopping_rounds is None:
        return int(clf.get_booster().num_boosted_rounds())
    return int(clf.best_iteration) + 1


Entry = tuple[str, str, Form, Callable[..., Any], Callable[[Any], int | None]]

BOOSTERS: list[Entry] = [
    ("HistGradientBoosting", "sklearn", "codes", _histogram_boosting, lambda clf: int(clf.n_iter_)),
    ("LightGBM", "lightgbm", "frame", _lightgbm, lambda clf: int(clf.booster_.num_trees())),
    ("XGBoost", "xgboost", "frame", _xgboost, _xgboost_trees),
    ("CatBoost", "catboost", "frame", _catboost, lambda clf: int(clf.tree_count_)),
]
OTHERS: list[Entry] = [
    ("ExplainableBoosting", "interpret", "frame", _explainable_boosting, lambda clf: None),
    ("RandomForest", "sklearn", "codes", _random_forest, lambda clf: len(clf.estimators_)),
    ("AdaBoost", "sklearn", "codes", _adaboost, lambda clf: len(clf.estimators_)),
]
DEFAULTS = {
    (shown := f"{name}()"): Contestant(shown, package, form, fit, trees)
    for name, package, form, fit, trees in [*BOOSTERS, *OTHERS]
}
WITH_EARLY_STOPPING = {
    (shown := f"{name}({EARLY})"): Contestant(shown, package, form, partial(fit, early=True), trees)
    for name, package, form, fit, trees in BOOSTERS
}
RIVALS = DEFAULTS | WITH_EARLY_STOPPING
