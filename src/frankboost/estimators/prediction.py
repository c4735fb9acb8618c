"""The methods of a fitted classifier: votes, classes, probabilities, stages, margins, shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from frankboost.arrays import beside
from frankboost.certificate import Certificate
from frankboost.estimators.attributes import ModelPart
from frankboost.estimators.row_checks import RowChecks
from frankboost.model import Categories, Model, Vote
from frankboost.saying import named
from frankboost.shapes import Features, Shapes, shapes_of
from frankboost.tables.frames import Encoding
from frankboost.tables.weights import check_weights
from frankboost.threads import threads_for
from frankboost.trace import Trace
from frankboost.typing import Floats, one_or_all
from frankboost.validation import quoted

COLUMN_ATTRIBUTES = ("n_features_in_", "feature_names_in_")


class ModelClassifier(RowChecks, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of the classifiers: the methods that need only a fitted model."""

    model_: Model
    n_jobs: int | None
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    classes_ = ModelPart[NDArray[Any]]("classes")
    categories_ = ModelPart[Categories]("categories")
    target_name_ = ModelPart[str]("target_name")
    weight_name_ = ModelPart[str]("weight_name")
    dates_ = ModelPart[Sequence[str]]("dates")
    feature_importances_ = ModelPart[Floats](
        "importances", absent=": only trees of BestTree, the default weak learner, have them"
    )
    certificate_ = ModelPart[Certificate]("certificate", of_each=True)
    trace_ = ModelPart[Trace]("trace", of_each=True)
    # The attributes of hypotheses and of their class depend on the weak learner.
    estimators_ = ModelPart[Sequence[Any]]("hypotheses", of_each=True)
    estimator_weights_ = ModelPart[Floats]("weights", of_each=True)
    optimum_ = ModelPart[Vote](
        "optimum", of_each=True, absent=": the vote in use is the optimum itself, see estimators_"
    )
    distribution_ = ModelPart[Floats]("distribution", of_each=True)
    hypothesis_class_ = ModelPart[Any]("hypothesis_class", of_each=True)

    @property
    def nu_(self) -> float:
        """The nu of the fit; with more than two classes a list with one entry per class."""
        return one_or_all([each.certificate.nu for each in self.model_.ensembles])

    @property
    def n_iter_(self) -> int:
        """The rounds of the longest fit."""
        return max(len(each.trace) for each in self.model_.ensembles)

    def decision_function(self, X: Any) -> Floats:
        """The weighted vote sum_j w_j h_j(x), in [-1, 1].

        Parameters
        ----------
        X : array-like of shape (m, n)

        Returns
        -------
        array of shape (m,), or (m, k) for k > 2 classes
            With two classes, a positive vote is for `classes_[1]`. With more, column j is the vote for
            `classes_[j]`. If X is on a CUDA device, so is the result; this holds for `predict_proba` too,
            and for `predict` if the classes are numbers.
        """
        votes: Floats = beside(X, self._votes(X))
        return votes

    def _votes(self, X: Any) -> Floats:
        check_is_fitted(self)
        return self.model_.votes(encoding_of(self)(X), threads_for(self.n_jobs))

    def predict(self, X: Any) -> NDArray[Any]:
        """For each row, the class with the largest vote; in a tie, the first of these classes.

        If the fit chose nu, this class also has the largest probability; with two classes and
        `class_weight`, it has the larger product of probability and class weight. With more than two classes
        that have one calibration each (leaves="sign", or a given nu with `calibration`), votes have different
        scales, and the method returns the most probable class.
        """
        votes = self._votes(X)
        labels: NDArray[Any] = beside(X, self.model_.labels(votes))
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, one column per class; shares of the vote if the model is not
        calibrated.

        If the fit chose nu, or with `calibration`, the probability is the beta calibration of the vote. The
        calibration is fitted to votes for held-out rows, without their `class_weight`. It keeps
        probabilities 1 / (8 m) away from 0 and 1 for m training rows. With multi_class="joint", one
        calibration for all classes keeps the order of their votes.

        A model that is not calibrated returns the share (1 + vote) / 2 of the weight that votes for a class,
        scaled to sum 1 over more than two classes. This share ranks rows as the vote does, but it is a poor
        estimate of a probability, as the fit maximises margins and not likelihoods.
        """
        votes = self._votes(X)
        chances: Floats = beside(X, self.model_.probabilities(votes))
        return chances

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """`decision_function` of the best ensemble known after each round.

        A fit with more than 200 rounds keeps only about every second, fourth, ... round and the last one;
        `staged_rounds` lists them. With sure leaves (see `leaves`) only the last stage has such leaves.
        """
        check_is_fitted(self)
        return self.model_.staged_votes(encoding_of(self)(X), threads_for(self.n_jobs))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """`predict` of the best ensemble known after each round; see `staged_decision_function`."""
        stages = self.staged_decision_function(X)
        return map(self.model_.labels, stages)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """`predict_proba` of the best ensemble known after each round; see `staged_decision_function`.

        The calibration, if there is one, is that of the final model.
        """
        stages = self.staged_decision_function(X)
        return map(self.model_.probabilities, stages)

    def staged_rounds(self) -> list[int]:
        """The rounds of the stages of `staged_decision_function` and `staged_predict`, in order."""
        check_is_fitted(self)
        return self.model_.staged_rounds()

    def margins(self, X: Any, y: ArrayLike) -> Floats:
        """The margin of each row, y_i sum_j w_j h_j(x_i): how clearly the model votes for its label, in
        [-1, 1].

        With more than two classes, the margin is the vote for the row's own class against the rest. With
        multi_class="joint", it is half of the lead over the largest vote for another class.
        """
        return self.model_.margins(self._votes(X), column_or_1d(y))

    @named
    def shapes(self, X: Any, sample_weight: ArrayLike | None = None) -> Shapes:
        """Write the vote as an exact sum of functions of one feature (shapes) and of two features (pairs).

        A tree of depth 2 is a function of the features of its root and its left child, plus a function of
        the features of its root and its right child. So for every row the terms sum to `decision_function`.

        Parameters
        ----------
        X : array-like of shape (m, n)
            Rows over which the mean of each term is taken; best the training set.
        sample_weight : array-like of shape (m,), default=None
            The weight of each row. None: all rows have the same weight.

        Returns
        -------
        Shapes
            An object with `intercept`, `terms`, `effects(X)`, `worth(X, y)` and `to_frame()`; `print` shows
            the strongest terms. With more than two classes, a list with one entry per class.
        """
        check_is_fitted(self)
        encoding = encoding_of(self)
        numbers = encoding(X)
        weight = check_weights(sample_weight, len(numbers))
        features = Features(feature_names_of(self), category_names(self), date_features(self))
        found = [
            shapes_of(each, features, numbers, weight, encoding, classes=self.classes_)
            for each in self.model_.contests
        ]
        return one_or_all(found)

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def _repr_html_inner(self) -> str:
        """scikit-learn's diagram, and below it the certificate and the rounds of the fit."""
        shown: str = super()._repr_html_inner()
        return shown + self._model_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in shown:
            shown["text/html"] += self._model_html()
        return shown

    def _model_html(self) -> str:
        return self.model_._repr_html_() if self.__sklearn_is_fitted__() else ""


def encoding_of(clf: ModelClassifier) -> Encoding:
    """The encoding of tables with the columns of the fit as numbers."""
    return Encoding(clf.categories_, clf)


def set_model(clf: ModelClassifier, model: Model, columns: Any, **attributes: Any) -> None:
    """Set the model and other fitted attributes of a classifier.

    The number and the names of the columns are those of the classifier `columns`. All attributes are set at
    once, so that an interrupt leaves the old fit or the new one.
    """
    old = {name: value for name, value in vars(clf).items() if name not in COLUMN_ATTRIBUTES}
    new = {name: getattr(columns, name) for name in COLUMN_ATTRIBUTES if hasattr(columns, name)}
    clf.__dict__ = {**old, **new, **attributes, "model_": model}


def feature_names_of(clf: ModelClassifier, names: Sequence[str] | None = None) -> list[str]:
    """The given names, or the column names of the fit, or x0, x1, ..."""
    count = clf.n_features_in_
    if names is None:
        return [str(name) for name in getattr(clf, "feature_names_in_", (f"x{f}" for f in range(count)))]
    if isinstance(names, str) or not hasattr(names, "__len__") or len(names) != count:
        raise ValueError(f"feature_names must hold {count} names, one per feature; got {quoted(names)}")
    return [str(name) for name in names]


def date_features(clf: ModelClassifier) -> list[int]:
    """The numbers of the columns that held dates in the fit, which are now days since 1970-01-01."""
    position = {name: f for f, name in enumerate(getattr(clf, "feature_names_in_", ()))}
    return [position[name] for name in clf.model_.dates or ()]


def category_names(clf: ModelClassifier) -> dict[int, list[Any]]:
    """The categories of each categorical column, by the number of the column."""
    return {f: known.tolist() for f, known in encoding_of(clf).by_column.items()}
