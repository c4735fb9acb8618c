"""The parameters of the classifiers.

The meaning, the default and the check of a parameter are written down once, here or in the class that has the
parameter. Constructors, docstrings, checks and the parameters of a saved model follow from that.
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
from frankboost.native import MOST_THRESHOLDS
from frankboost.saying import named
from frankboost.validation import check_count, check_positive, check_word, quoted

Check = Callable[[str, Any], None]
T = TypeVar("T")

MOST_JOBS = 1024
DEPTH = "The depth of the trees. The search is exact for 1 and 2 and greedy for larger depths."
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
    """Declare a parameter of a constructor; without `doc`, a new default of an inherited parameter.

    `kind` describes the allowed values (None: the annotation), and `check(name, value)` raises an error for
    other values. `saved` says whether a saved model keeps the parameter.
    """
    metadata = {"doc": doc, "kind": kind, "check": check, "saved": saved}
    return field(default=default, kw_only=kw_only, metadata=metadata)


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(parameter,))
def with_parameters(cls: type[T]) -> type[T]:
    """Give a class a constructor and a docstring with the parameters that it declares and inherits.

    A plain value is a new default of an inherited parameter.
    """
    inherited = getattr(cls, "__dataclass_fields__", {})
    for name in get_annotations(cls):
        value = vars(cls)[name]
        default = value.default if isinstance(value, Field) else value
        if not isinstance(value, Field) or value.metadata["doc"] is None:
            base = inherited[name]
            setattr(cls, name, parameter(default=default, kw_only=bool(base.kw_only), **base.metadata))
    dataclass(eq=False, repr=False)(cls)
    cls.__init__ = named(cls.__init__)  # type: ignore[assignment, method-assign]
    if cls.__doc__ is not None:
        cls.__doc__ = _document_parameters(cleandoc(cls.__doc__), parameters_of(cls))
    return cls


def with_constructor(cls: type[T]) -> type[T]:
    """`with_parameters` for a classifier that only inherits parameters.

    The name hides the dataclass from type checkers. scikit-learn has no types, and mypy gives a dataclass
    below an unknown class a constructor that takes anything. So classes without such a base declare the
    parameters, and come first among the bases.
    """
    return with_parameters(cls)


def parameters_of(classifier: Any) -> dict[str, Field[Any]]:
    """The parameters of a class by name, in the order of the constructor."""
    return {each.name: each for each in sorted(fields(classifier), key=lambda each: bool(each.kw_only))}


def check_parameters(classifier: Any) -> None:
    """Raise a ValueError for the first parameter whose value is not allowed."""
    for name, each in parameters_of(classifier).items():
        if (check := each.metadata["check"]) is not None:
            check(name, getattr(classifier, name))


def _document_parameters(doc: str, parameters: dict[str, Field[Any]]) -> str:
    """Insert the parameters before the other sections of a docstring, and the attributes if it lacks them."""
    lines = ["\n", "Parameters", "----------"]
    for name, each in parameters.items():
        annotation = each.type if isinstance(each.type, str) else formatannotation(each.type)
        kind = each.metadata["kind"] or annotation.replace(" | ", " or ")
        lines.append(f"{name} : {kind}, default={each.default!r}")
        lines.append(
            textwrap.indent(textwrap.fill(each.metadata["doc"], 104, break_on_hyphens=False), "    ")
        )
    later = LATER_SECTIONS.search(doc)
    place = len(doc) if later is None else later.start()
    attributes = "" if later is not None and later[1] == "Attributes" else f"\n{ATTRIBUTES}\n"
    return doc[:place].rstrip() + "\n".join([*lines, attributes]) + doc[place:]


def check_flag(name: str, value: Any) -> None:
    """Raise a ValueError unless a value is True or False."""
    if not isinstance(value, bool | np.bool_ | int) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False; got {quoted(value)}")


def _check_jobs(name: str, value: Any) -> None:
    check_count(name, value, at_least=-MOST_JOBS, at_most=MOST_JOBS, or_none=True)
    if value == 0:
        raise ValueError(
            f"{name} must be None or 1 (one thread), -1 (all cores) or another integer except 0; got 0"
        )


def _check_verbose(name: str, value: Any) -> None:
    check_count(name, int(value) if isinstance(value, bool | np.bool_) else value, at_least=0)


def _check_callbacks(name: str, value: Any) -> None:
    if value is not None and not (isinstance(value, Sequence) and all(callable(each) for each in value)):
        raise TypeError(f"{name} must be a list of functions or None; got {quoted(value)}")


_check_from_one = partial(check_count, at_least=1)


@with_parameters
class Parameters:
    """The parameters that all classifiers have."""

    estimator: Any = parameter(
        "The weak learner. None: `BestTree(max_depth, max_bins)`. A scikit-learn classifier must take "
        "sample_weight, and the certificate then says `exact=False`.",
        default=None,
        kind="weak learner or scikit-learn classifier",
        saved=False,
    )
    max_depth: int = parameter(DEPTH, default=2, check=_check_from_one)
    max_bins: int | None = parameter(
        "The largest number of thresholds per feature, at most 255. None: a threshold between any two "
        "distinct values.",
        default=MOST_THRESHOLDS,
        check=partial(_check_from_one, at_most=MOST_THRESHOLDS, or_none=True),
    )
    monotonic_cst: Any = parameter(
        "One number per column: 1 if the vote for the second class may not fall as the column grows, -1 if "
        "the vote may not rise, 0 for no constraint. A dict by name may leave out columns that have 0. Every "
        "tree keeps to the constraints. Missing values have no place in the order. Only for two classes and "
        "for columns of numbers.",
        default=None,
        kind="array-like of int, dict or None",
    )
    interaction_cst: Any = parameter(
        "Sets of columns, by position or name. All columns that are split on a path from the root of a tree "
        'to a leaf must be in one set. Columns that are in none of the sets form one more set. "pairwise": '
        'any two columns; "no_interactions": a single column. None: any columns.',
        default=None,
        kind='"pairwise", "no_interactions", list of sets or None',
    )
    min_samples_leaf: float | None = parameter(
        "The smallest number of training rows in a leaf. A row counts as its sample weight times its "
        "`class_weight`: a row of weight 2 counts as two rows. At the last level of splits, all categories "
        "with fewer rows go to the same side. None: no limit.",
        default=None,
        kind="float or None",
    )
    categorical_features: ArrayLike | None = parameter(
        "The columns that hold categories, at most 255 per column; trees split them by subsets of the "
        "categories. None: the columns of a data frame that hold text or have a type of categories (pandas "
        "category, polars Categorical and Enum). A category that was not in the fit is treated as a missing "
        "value. At each split, missing values go to the same side as in the fit; if the fit had none, they "
        "go to the side with more weight.",
        default=None,
        kind="list of names or numbers, mask or None",
    )
    columns_per_round: int = parameter(
        "The largest number of hypotheses that a round adds: with more of them, a fit takes fewer rounds. "
        "Trees of depth 1 and 2 differ in the root feature; if there are fewer features than this number, "
        "trees of depth 2 differ in one of their three features. The algorithms of the paper add 1.",
        default=1,
        check=_check_from_one,
    )
    max_iter: int = parameter("The largest number of rounds.", default=10_000, check=_check_from_one)
    time_limit: float | None = parameter(
        "The largest number of seconds for the whole fit, whatever the number of classes. The choice of nu "
        "takes at most half of this time. Each fold of `calibration` may take as many seconds again. The fit "
        "looks at the clock after each round, and during searches for trees and linear programs. If "
        "the time ends in the first search, the ensemble is what this search found, and the bound is 1.",
        default=None,
        check=partial(check_positive, or_none=True),
    )
    multi_class: Literal["ovr", "joint"] = parameter(
        'With more than two classes, "ovr" (one versus the rest) fits each class against the rest, with one '
        'certificate per class. "joint" fits all classes together, with one nu and one certificate. The '
        "margin of a row is then half the lead of the vote for its own class over the largest other vote. "
        '"joint" needs `BestTree`.',
        default="ovr",
        kind='"ovr" or "joint"',
        check=partial(check_word, words=("ovr", "joint")),
    )
    class_weight: Mapping[Any, float] | Literal["balanced"] | None = parameter(
        'Factors for the sample weights of each class. "balanced" gives all classes the same total weight.',
        default=None,
        kind='dict, "balanced" or None',
    )
    calibration: int | None = parameter(
        "The number of folds of a cross-validation that calibrates `predict_proba`. None: no "
        "cross-validation. Probabilities are then calibrated only if nu was chosen on held-out rows, and "
        "otherwise are shares of the vote.",
        default=None,
        check=partial(check_count, at_least=2, or_none=True),
    )
    n_jobs: int | None = parameter(
        "The number of threads, as in joblib. With more than two classes, the threads fit classes side by "
        "side. The model does not depend on this number.",
        default=None,
        check=_check_jobs,
    )
    device: Literal["cpu", "cuda"] = parameter(
        '"cpu", or "cuda" to fit trees of depth 1 and 2 on the current CUDA device, with the same model bit '
        'for bit. With "cuda", the `n_jobs` threads do only a small part of the search.',
        default="cpu",
        kind="str",
        check=partial(check_word, words=("cpu", "cuda")),
        saved=False,
    )
    verbose: int = parameter(
        "0: the fit prints nothing. 1: it prints a table of the rounds on standard error, about one line "
        "per second, and before that a line about the choice of nu. 2: also a line for each nu that is "
        "tried.",
        default=0,
        check=_check_verbose,
    )
    callbacks: Sequence[Observer] | None = parameter(
        "The fit calls these functions after each round with a `Round`: the record of the round (see "
        "`trace_`) and the `decision_function` of the ensemble so far. It ends when a function returns True.",
        default=None,
        kind="sequence of functions or None",
        check=_check_callbacks,
        saved=False,
    )
