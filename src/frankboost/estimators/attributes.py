"""The public attributes of a fitted classifier, which are fields of its model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, overload

from sklearn.utils.validation import check_is_fitted

from frankboost.typing import one_or_all

ATTRIBUTES = """\
Attributes
----------
certificate_ : Certificate
    What the fit proved: soft margin <= optimum <= bound.
trace_ : Trace
    One record per round.
estimators_, estimator_weights_ : list of hypotheses, array
    The ensemble that the model predicts with, largest weight first; the weights sum to 1. If the fit chose
    nu, the last hypothesis may be a constant.
optimum_ : Vote
    The `hypotheses` and `weights` of the vote that the certificate is about. This attribute exists only if
    the model predicts with another vote, see `leaves`.
distribution_ : array of shape (m,)
    The weight of each training row in the distribution that attains the bound: how hard the row is.
hypothesis_class_ : object
    The class of hypotheses that the optimum refers to.
feature_importances_ : array of shape (n,)
    How much the vote depends on each feature, scaled to sum 1: the mean absolute effect of its shape, plus
    half the mean absolute effect of each of its pairs (see `shapes`). Means are over the training rows by
    weight, as if the features were independent, and over the classes if there are more than two. Features
    of noise have an importance, too: compare scikit-learn's `permutation_importance` on rows that the fit
    did not see. For trees deeper than 2, the importance is what the splits of a feature add to the edge: a
    split of rows with sum u into u_left and u_right, where u sums d_i y_i under the distribution that attains
    the bound, adds `|u_left| + |u_right| - |u|`.
categories_ : dict of arrays
    The categories of each categorical column, by the name of the column, or by its number if columns have
    no names.
model_ : Model
    The fitted model as plain data.
nu_ : float
    The nu of the fit, given or chosen.
classes_, n_features_in_, feature_names_in_, n_iter_
    As in scikit-learn; `n_iter_` counts the rounds.

Notes
-----
With more than two classes, `certificate_`, `trace_`, `estimators_`, `estimator_weights_`, `optimum_`,
`distribution_`, `hypothesis_class_` and `nu_` are lists with one entry per class. With multi_class="joint",
they are as with two classes, except that a hypothesis has one member per class and `distribution_` has one
column per class."""


T = TypeVar("T")


class ModelPart(Generic[T]):
    """A fitted attribute, which reads and replaces a field of `model_`.

    With `of_each`, the field is one of the ensembles; with more than two classes, the attribute is a list
    with one entry per class. If the field is None, there is an AttributeError, whose message ends with
    `absent`.
    """

    def __init__(self, field: str, *, of_each: bool = False, absent: str = "") -> None:
        self._field, self._of_each, self._absent = field, of_each, absent

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, clf: None, owner: type) -> Self: ...
    @overload
    def __get__(self, clf: object, owner: type) -> T: ...
    def __get__(self, clf: Any, owner: type | None = None) -> Self | T:
        if clf is None:
            return self
        check_is_fitted(clf)
        owners = clf.model_.ensembles if self._of_each else [clf.model_]
        values: list[T] = [getattr(each, self._field) for each in owners]
        if values[0] is None:
            raise AttributeError(f"this {type(clf).__name__} has no {self._name}{self._absent}")
        return one_or_all(values)

    def __set__(self, clf: Any, value: T) -> None:
        check_is_fitted(clf)
        if self._of_each:
            ensembles = clf.model_.ensembles
            values: Any = [value] if len(ensembles) == 1 else value
            pairs = zip(ensembles, values, strict=True)
            replaced = tuple(replace(each, **{self._field: new}) for each, new in pairs)
            clf.model_ = replace(clf.model_, ensembles=replaced)
        else:
            clf.model_ = replace(clf.model_, **{self._field: value})
