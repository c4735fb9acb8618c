"""The parameters of the classifiers: meaning, default and check of each are written down once, here or in the
class that has it. Constructors, docstrings, checks and what a saved model keeps follow from that.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import partial
from inspect import cleandoc, formatannotation, get_annotations
from typing import Any, Literal, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike

from frankboost.callbacks import Observer
from frankboost.estimators.attributes import ATTRIBUTES
from frankboost.learners.binning import MOST_THRESHOLDS
from frankboost.saying import named
from frankboost.validation import check_count, check_positive

Check = Callable[[str, Any], None]
T = TypeVar("T")

MOST_JOBS = 1024
LATER_SECTIONS = re.compile(r"\n(Attributes|References|Examples)\n-")


def parameter(
    doc: str | None = None,
    *,
    default: Any,
    kind: str | None = None,
    check: Check | None = None,
    saved: bool = True,
    kw_only: bool = True,
) -> Any:
    """A parameter of a constructor.

    `kind` says in words what it may be; None: what its annotation says. `check(name, value)` raises if it is
    not that; without a check those who use the value look at it. `saved`: whether a saved model keeps it.
    Without `doc` it is another default for a parameter that is inherited.
    """
    about = {"doc": doc, "kind": kind, "check": check, "saved": saved}
    return field(default=default, kw_only=kw_only, metadata=about)


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(parameter,))
def with_parameters(cls: type[T]) -> type[T]:
    """A class whose constructor and docstring have the parameters that it declares and inherits.

    A value without `parameter` around it is another default for a parameter that is inherited.
    """
    inherited = getattr(cls, "__dataclass_fields__", {})
    for name in get_annotations(cls):
        value = vars(cls)[name]
        default = value.default if isinstance(value, Field) else value
        if not isinstance(value, Field) or value.metadata["doc"] is None:
            of_base = inherited[name]
            setattr(cls, name, parameter(default=default, kw_only=bool(of_base.kw_only), **of_base.metadata))
    dataclass(eq=False, repr=False)(cls)
    cls.__init__ = named(cls.__init__)  # type: ignore[assignment, method-assign]
    if cls.__doc__ is not None:
        cls.__doc__ = _documented(cleandoc(cls.__doc__), parameters_of(cls))
    return cls


def with_constructor(cls: type[T]) -> type[T]:
    """A classifier whose constructor and docstring have the parameters that it inherits.

    It is `with_parameters`, which a checker does not see here: scikit-learn has no types, and mypy gives a
    dataclass below an unknown class a constructor that takes anything. So classes of their own declare the
    parameters, and come first among the bases.
    """
    return with_parameters(cls)


def parameters_of(classifier: Any) -> dict[str, Field[Any]]:
    """By name, in the order of the constructor."""
    return {each.name: each for each in sorted(fields(classifier), key=lambda each: bool(each.kw_only))}


def check_parameters(classifier: Any) -> None:
    """Raise for the first parameter that is not what it may be."""
    for name, each in parameters_of(classifier).items():
        if (check := each.metadata["check"]) is not None:
            check(name, getattr(classifier, name))


def _documented(doc: str, parameters: dict[str, Field[Any]]) -> str:
    """A docstring with parameters before its other sections, and attributes if it has none of its own."""
    lines = ["\n", "Parameters", "----------"]
    for name, each in parameters.items():
        annotation = each.type if isinstance(each.type, str) else formatannotation(each.type)
        kind = each.metadata["kind"] or annotation.replace(" | ", " or ")
        lines.append(f"{name} : {kind}, default={each.default!r}")
        lines.append(textwrap.indent(textwrap.fill(each.metadata["doc"], 104), "    "))
    later = LATER_SECTIONS.search(doc)
    place = len(doc) if later is None else later.start()
    attributes = "" if later is not None and later[1] == "Attributes" else f"\n{ATTRIBUTES}\n"
    return doc[:place].rstrip() + "\n".join([*lines, attributes]) + doc[place:]


def check_flag(name: str, value: Any) -> None:
    """Raise unless a value is true or false."""
    if not isinstance(value, bool | np.bool_ | int) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False; got {value!r}")


def _check_jobs(name: str, value: Any) -> None:
    check_count(name, value, at_least=-MOST_JOBS, at_most=MOST_JOBS, or_none=True)
    if value == 0:
        raise ValueError(f"{name} must not be 0; got 0, where None and 1 are one thread and -1 all cores")


def _check_device(name: str, value: Any) -> None:
    if value not in ("cpu", "cuda"):
        raise ValueError(f'{name} must be "cpu" or "cuda"; got {value!r}')


def _check_multi_class(name: str, value: Any) -> None:
    if not isinstance(value, str) or value not in ("ovr", "joint"):
        raise ValueError(f'{name} must be "ovr" or "joint"; got {value!r}')


def _check_verbose(name: str, value: Any) -> None:
    check_count(name, int(value) if isinstance(value, bool | np.bool_) else value, at_least=0)


def _check_callbacks(name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, Sequence) and all(callable(each) for each in value)):
        raise TypeError(f"{name} must be a list of functions or None; got {value!r}")


_check_from_one = partial(check_count, at_least=1)


@with_parameters
class Parameters:
    """What all classifiers have in common."""

    estimator: Any = parameter(
        "None: `BestTree(max_depth, max_bins)`. A classifier must take sample_weight; its certificate says "
        "`exact=False`.",
        default=None,
        kind="weak learner or scikit-learn classifier",
        saved=False,
    )
    max_depth: int = parameter(
        "Depth of the trees: 1 and 2 are searched exactly.", default=2, check=_check_from_one
    )
    max_bins: int | None = parameter(
        "At most this many thresholds per feature, up to 255; None: every one between two distinct values.",
        default=MOST_THRESHOLDS,
        check=partial(_check_from_one, at_most=MOST_THRESHOLDS, or_none=True),
    )
    monotonic_cst: Any = parameter(
        "1 for a column along whose numbers the vote for the second class never falls, -1 for one along "
        "which it never rises, 0 for all others: by position, or by name and the others are 0. Every tree "
        "keeps to it. Missing values have no place in that order. For two classes, and not for categories.",
        default=None,
        kind="array-like of int, dict or None",
    )
    interaction_cst: Any = parameter(
        "The columns that a path from the root of a tree to a leaf splits are all in one of these sets, by "
        'position or name; those in none of the sets are one more set. "pairwise": any two of them; '
        '"no_interactions": one.',
        default=None,
        kind='"pairwise", "no_interactions", list of sets or None',
    )
    categorical_features: ArrayLike | None = parameter(
        "Columns that hold categories, at most 255 each, and are split by subsets of them. None: those of a "
        "data frame that are of a type of categories (pandas category, polars Categorical and Enum) or hold "
        "text. Categories that were not fitted are treated as missing values, which go where the fitted ones "
        "went, or else where more weight went.",
        default=None,
        kind="list of names or numbers, mask or None",
    )
    columns_per_round: int = parameter(
        "At most this many hypotheses per round, of depth 1 and 2 one for each root feature or, if these are "
        "fewer, of depth 2 one for each choice of three features; the paper's algorithms take 1.",
        default=1,
        check=_check_from_one,
    )
    max_iter: int = parameter("Rounds at the most.", default=10_000, check=_check_from_one)
    time_limit: float | None = parameter(
        "Seconds at the most, whatever the number of classes, half of them for the choice of nu, and as many "
        "for each fold of `calibration`; looked at after each round, and within the search for trees and "
        "linear programs. If the very first search is cut short, the ensemble is what it found, with the "
        "bound 1.",
        default=None,
        check=partial(check_positive, or_none=True),
    )
    multi_class: Literal["ovr", "joint"] = parameter(
        'With more than two classes: "ovr" fits each class against the rest, with a certificate for each; '
        '"joint" fits all in one game, with one nu and one certificate about the largest vote: no votes of '
        "such trees, one per class, have a larger soft margin of a row's own class over the next. "
        "For our own trees on the CPU, and not with rules that need linear programs.",
        default="ovr",
        kind='"ovr" or "joint"',
        check=_check_multi_class,
    )
    class_weight: Mapping[Any, float] | Literal["balanced"] | None = parameter(
        'Factors for the sample weights of each class; "balanced" gives all classes the same total.',
        default=None,
        kind='dict, "balanced" or None',
    )
    calibration: int | None = parameter(
        "Folds of a cross-validation that calibrates `predict_proba`; None: vote shares.",
        default=None,
        check=partial(check_count, at_least=2, or_none=True),
    )
    n_jobs: int | None = parameter(
        "Threads, as in joblib; with more than two classes, classes side by side. The model does not depend "
        "on it.",
        default=None,
        check=_check_jobs,
    )
    device: Literal["cpu", "cuda"] = parameter(
        'Where the rows are: "cpu", or "cuda" for trees of depth 1 and 2 on the current CUDA device, with '
        "the same model bit for bit; `n_jobs` threads then only scan tables.",
        default="cpu",
        kind="str",
        check=_check_device,
        saved=False,
    )
    verbose: int = parameter(
        "1: a table of the rounds on standard error, about one line per second, and before it a line on how "
        "the choice of nu goes; 2: every nu that is tried as well.",
        default=0,
        check=_check_verbose,
    )
    callbacks: Sequence[Observer] | None = parameter(
        "Each is called after each round with its record (see `trace_`), which here also has a "
        "`decision_function` for the ensemble so far. The fit ends if one returns True.",
        default=None,
        kind="sequence of functions or None",
        check=_check_callbacks,
        saved=False,
    )
