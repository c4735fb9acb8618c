"""`verify` accepts what fits return, without a tolerance, and catches tampering."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from frankboost import (
    Certificate,
    CertificateError,
    Columns,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
    WorstCase,
)
from frankboost.verification import verify
from records import with_nodes
from verification.samples import ROWS, Floats, xor_data

ALGORITHMS = [LPBoostClassifier, MLPBoostClassifier, ERLPBoostClassifier]


def assert_confirms(found: Any, model: Any) -> None:
    """Both ends are what was claimed or better, to the last bit; what the class is called was found anew."""
    claim = model.certificate_
    assert claim.soft_margin <= found.soft_margin
    assert found.bound <= claim.bound
    changes = {"soft_margin": claim.soft_margin, "bound": claim.bound}
    if claim.hypothesis_class.startswith("the "):
        changes["hypothesis_class"] = claim.hypothesis_class
    assert dataclasses.replace(found, **changes) == claim


# What fits return is accepted.


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("max_depth", [1, 2])
@pytest.mark.parametrize("max_bins", [None, 255, 5])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_accepts_fitted_trees(algorithm: Any, max_depth: int, max_bins: int | None, missing: float) -> None:
    X, y = xor_data(missing=missing)
    model = algorithm(nu=0.3, tol=0.05, max_depth=max_depth, max_bins=max_bins).fit(X, y)
    found = verify(model, X, y)
    assert found.exact
    assert found == model.certificate_


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_accepts_sample_weights_with_zeros(algorithm: Any) -> None:
    X, y = xor_data(missing=0.1)
    weight = np.random.default_rng(1).integers(0, 4, size=ROWS).astype(float)
    labels = np.where(weight == 0, 7, y)  # rows of weight 0 are as if absent, whatever their label
    model = algorithm(nu=0.3, tol=0.05).fit(X, labels, sample_weight=weight)
    assert_confirms(verify(model, X, labels, sample_weight=weight), model)
    with pytest.raises(ValueError, match="y must hold the labels"):
        verify(model, X, labels)


def test_accepts_dataframes_and_string_labels() -> None:
    X, y = xor_data(missing=0.1)
    frame = pd.DataFrame(X, columns=list("abcd"))
    labels = pd.Series(np.where(y > 0, "yes", "no"))
    model = LPBoostClassifier(nu=0.3, tol=0.05).fit(frame, labels)
    assert_confirms(verify(model, frame, labels), model)
    assert_confirms(verify(model, X.tolist(), labels.tolist()), model)


def test_accepts_nullable_columns_with_gaps() -> None:
    X, y = xor_data(missing=0.1)
    frame = pd.DataFrame(np.round(X), columns=list("abcd")).convert_dtypes()
    assert frame.isna().any(axis=None)
    assert set(map(str, frame.dtypes)) == {"Int64"}
    for features in (frame, frame.assign(e=pd.Categorical(np.where(y > 0, "u", "v")))):
        model = LPBoostClassifier(nu=0.3, tol=0.05).fit(features, y)
        assert_confirms(verify(model, features, y), model)


def test_accepts_labels_in_a_column() -> None:
    X, y = xor_data()
    model = LPBoostClassifier(nu=0.3, tol=0.05).fit(X, y)
    assert_confirms(verify(model, X, y[:, None]), model)
    assert_confirms(verify(model, X, pd.DataFrame({"y": y})), model)


@pytest.mark.parametrize("categories", [False, True])
def test_columns_in_another_order_are_named(categories: bool) -> None:
    X, y = xor_data()
    frame = pd.DataFrame(X, columns=list("abcd"))
    if categories:
        frame["d"] = pd.Categorical(np.where(X[:, 3] > 0, "u", "v"))
    model = LPBoostClassifier(nu=0.3, tol=0.05).fit(frame, y)
    with pytest.raises(ValueError, match="in their order; column 1 must be 'b'; got 'c'") as caught:
        verify(model, frame[list("acbd")], y)
    assert not isinstance(caught.value, CertificateError)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_accepts_the_worst_case(algorithm: Any) -> None:
    X, y = xor_data(rows=20)
    model = algorithm(nu=1 / 20, tol=0.01, estimator=WorstCase()).fit(X, y)
    assert_confirms(verify(model, X, y), model)


def test_accepts_columns_of_the_data_with_weights() -> None:
    X, y = xor_data()
    X /= np.abs(X).max()
    weight = np.arange(ROWS) % 3.0
    model = MLPBoostClassifier(nu=0.5, estimator=Columns()).fit(X, y, sample_weight=weight)
    assert_confirms(verify(model, X, y, weight), model)


def test_a_heuristic_bound_is_kept() -> None:
    X, y = xor_data()
    tree = DecisionTreeClassifier(max_depth=2)
    model = LPBoostClassifier(nu=0.3, tol=0.05, estimator=tree, max_iter=50).fit(X, y)
    found = verify(model, X, y)
    assert not found.exact
    assert found.bound == model.certificate_.bound
    assert_confirms(found, model)


def test_a_fit_that_stopped_early_is_accepted() -> None:
    X, y = xor_data()
    model = LPBoostClassifier(nu=0.3, tol=1e-6, max_iter=3).fit(X, y)
    assert model.certificate_.status == "max_iter"
    assert_confirms(verify(model, X, y), model)


def test_one_row_weighted_twice_is_the_row_twice() -> None:
    X, y = xor_data()
    twice = np.arange(ROWS) % 2 == 0
    model = LPBoostClassifier(nu=0.3, tol=0.05).fit(X, y, sample_weight=1.0 + twice)
    unweighted = copy.copy(model)
    half = np.floor(model.distribution_[twice] * 2.0**51) / 2.0**52
    rest = model.distribution_.copy()
    rest[twice] -= half
    unweighted.distribution_ = np.concatenate([rest, half])
    assert_confirms(verify(unweighted, np.vstack([X, X[twice]]), np.append(y, y[twice])), model)


# The soft margin, by hand.


@pytest.mark.parametrize(
    ("nu", "weight", "expected"),
    [
        (0.5, None, (-1.0 + 0.2) / 2),  # the mean of the two smallest of four
        (0.25, None, -1.0),
        (0.375, None, (-1.0 + 0.5 * 0.2) / 1.5),  # one and a half of four
        (1.0, None, (-1.0 + 0.2 + 0.4 + 1.0) / 4),
        (0.5, [0, 2, 1, 1], 0.2),  # the first row is absent, the second half of the rest
        (0.5, [1, 1, 4, 2], (-1.0 + 0.2 + 2 * 0.4) / 4),
    ],
)
def test_soft_margin_by_hand(nu: float, weight: list[float] | None, expected: float) -> None:
    X = np.array([[1.0], [0.2], [-0.4], [1.0]])
    y = np.array(["n", "p", "n", "p"])  # margins -1, 0.2, 0.4, 1
    s = np.ones(4) if weight is None else np.asarray(weight, dtype=float)
    model = SimpleNamespace(
        classes_=np.array(["n", "p"]),
        certificate_=Certificate(expected - 1e-15, 1.0, 0.01, nu, False, "max_iter", "by hand"),
        estimators_=[lambda X: X[:, 0]],
        estimator_weights_=np.ones(1),
        distribution_=s / s.sum(),
        hypothesis_class_="by hand",
    )
    found = verify(model, X, y, weight)
    assert found.soft_margin == pytest.approx(expected, abs=1e-15)
    assert found.soft_margin >= model.certificate_.soft_margin
    stronger = math.nextafter(math.nextafter(found.soft_margin, 1.0), 1.0)
    model.certificate_ = dataclasses.replace(model.certificate_, soft_margin=stronger)
    with pytest.raises(CertificateError, match="soft_margin: claimed"):
        verify(model, X, y, weight)


# Tampering is caught.


@pytest.fixture(scope="module")
def fitted() -> tuple[Any, Floats, NDArray[np.int64]]:
    X, y = xor_data(missing=0.1)
    model = ERLPBoostClassifier(nu=0.3, tol=0.05).fit(X, y)
    assert len(model.estimators_) > 3
    verify(model, X, y)
    return model, X, y


Tamper = Callable[[Any], None]


def claiming(**changes: Any) -> Tamper:
    def tamper(model: Any) -> None:
        model.certificate_ = dataclasses.replace(model.certificate_, **changes)

    return tamper


def shifted(name: str, by: float) -> Tamper:
    def tamper(model: Any) -> None:
        value = getattr(model.certificate_, name) + by
        model.certificate_ = dataclasses.replace(model.certificate_, **{name: value})

    return tamper


def next_to(name: str, towards: float) -> Tamper:
    """One unit in the last place better than what was claimed."""

    def tamper(model: Any) -> None:
        value = math.nextafter(getattr(model.certificate_, name), towards)
        model.certificate_ = dataclasses.replace(model.certificate_, **{name: value})

    return tamper


def in_tree(name: str, node: str | int, value: Any) -> Tamper:
    """Change an array of the first tree in its root, its first inner node below it or its first leaf."""

    def tamper(model: Any) -> None:
        tree = model.estimators_[0]
        nodes = {"root": 0, "leaf": int(np.argmax(tree.feature == -1))}
        changed = getattr(tree, name).copy()
        k = nodes[node] if isinstance(node, str) else node
        changed[k] = value(changed[k]) if callable(value) else value
        model.estimators_[0] = with_nodes(tree, **{name: changed})

    return tamper


def swapped_weights(model: Any) -> None:
    model.estimator_weights_[[0, -1]] = model.estimator_weights_[[-1, 0]]


def perturbed_weights(model: Any) -> None:
    model.estimator_weights_[:2] += [2.0**-10, -(2.0**-10)]


def negative_weight(model: Any) -> None:
    model.estimator_weights_[:2] += [1.0, -1.0]


def doubled_weights(model: Any) -> None:
    model.estimator_weights_ *= 2.0


def lost_weight(model: Any) -> None:
    model.estimator_weights_ = model.estimator_weights_[:-1]


def another_declared_threshold(model: Any) -> None:
    tree = model.estimators_[0]
    declared = model.hypothesis_class_.thresholds[tree.feature[0]]
    in_tree("threshold", "root", declared[0])(model)


def distribution_moved_within(model: Any) -> None:
    # The prior is in P, and so is what lies between it and another distribution of P.
    units = np.floor(2.0**51 * model.distribution_ + 2.0**51 / ROWS)
    units[0] += 2.0**52 - units.sum()
    model.distribution_ = units / 2.0**52


def distribution_above_a_cap(model: Any) -> None:
    d = np.zeros(ROWS)
    d[:2] = 0.5
    model.distribution_ = d


def distribution_below_zero(model: Any) -> None:
    order = np.argsort(model.distribution_)
    move = model.distribution_[order[0]] + 1e-6
    model.distribution_[order[:2]] += [-move, move]


def distribution_without_sum_1(model: Any) -> None:
    model.distribution_ *= 0.99


def distribution_a_unit_short(model: Any) -> None:
    model.distribution_[np.argmax(model.distribution_)] -= 2.0**-52


def distribution_in_a_column(model: Any) -> None:
    model.distribution_ = model.distribution_[:, None]


def distribution_of_complex(model: Any) -> None:
    model.distribution_ = model.distribution_.astype(complex)


def distribution_of_nan(model: Any) -> None:
    model.distribution_[0] = np.nan


def shallower_class(model: Any) -> None:
    thresholds = model.hypothesis_class_.thresholds
    model.hypothesis_class_ = SimpleNamespace(searched_as="trees", max_depth=1, thresholds=thresholds)


def no_depth(model: Any) -> None:
    model.hypothesis_class_ = SimpleNamespace(
        searched_as="trees", max_depth="2", thresholds=model.hypothesis_class_.thresholds
    )


def deeper_class(model: Any) -> None:
    thresholds = model.hypothesis_class_.thresholds
    model.hypothesis_class_ = SimpleNamespace(searched_as="trees", max_depth=3, thresholds=thresholds)


def nameless_class(model: Any) -> None:
    model.hypothesis_class_ = "some trees"


def class_with(first: Any) -> Tamper:
    def tamper(model: Any) -> None:
        thresholds = (np.asarray(first), *model.hypothesis_class_.thresholds[1:])
        model.hypothesis_class_ = SimpleNamespace(searched_as="trees", max_depth=2, thresholds=thresholds)

    return tamper


def stranger(model: Any) -> None:
    model.estimators_[0] = lambda X: np.ones(len(X))


def truncated_tree(model: Any) -> None:
    tree = model.estimators_[0]
    fields = ("feature", "threshold", "missing_left", "left", "right", "set_index", "sets")
    arrays = {name: getattr(tree, name) for name in fields}
    model.estimators_[0] = SimpleNamespace(**arrays | {"value": tree.value[:-1]})


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (swapped_weights, "soft_margin: claimed .*, found"),
        (perturbed_weights, "soft_margin: claimed .*, found"),
        (negative_weight, r"weights: claimed shares in \[0, 1\], found"),
        (doubled_weights, r"weights: claimed (sum 1, found 1 \+4503599627370496 \*|shares in)"),
        (lost_weight, r"weights: claimed one real number for each of \d+ hypotheses, found float64"),
        (another_declared_threshold, "soft_margin: claimed .*, found"),
        (in_tree("threshold", "root", lambda t: t + 1e-9), "declared threshold of feature"),
        (in_tree("threshold", "root", np.nan), "claimed a split, found nan"),
        (in_tree("missing_left", "root", 2), "claimed a split, found .* side 2"),
        (in_tree("value", "leaf", lambda v: -v), "soft_margin: claimed .*, found"),
        (in_tree("value", "leaf", 0), "soft_margin: claimed .*, found"),
        (in_tree("value", "leaf", 1.5), r"claimed a leaf in \[-1, 1\], found 1.5"),
        (in_tree("value", "leaf", np.nan), r"claimed a leaf in \[-1, 1\], found nan"),
        (in_tree("feature", "root", 4), "claimed one of 4 features, found 4"),
        (in_tree("feature", "root", -2), "claimed one of 4 features, found -2"),
        (in_tree("left", "root", 0), "node 0: claimed a child, found a cycle"),
        (in_tree("right", "root", 99), "node 99: claimed a child, found"),
        (in_tree("right", "root", -1), "node -1: claimed a child, found"),
        (truncated_tree, "claimed a tree, found arrays of shapes"),
        (stranger, "hypothesis 0: claimed a tree, found"),
        (shallower_class, "claimed depth <= 1, found"),
        (no_depth, "max_depth of the class: claimed '2'"),
        (deeper_class, "exact: claimed True, found"),
        (nameless_class, "exact: claimed True, found"),
        (class_with([0.0, 0.0]), "thresholds of feature 0: claimed finite and increasing"),
        (class_with([0.0, np.inf]), "thresholds of feature 0: claimed finite and increasing"),
        (distribution_moved_within, "bound: claimed .*, found"),
        (distribution_above_a_cap, "bound: claimed .*, found"),
        (distribution_below_zero, r"distribution: claimed shares in \[0, 1\], found -"),
        (distribution_without_sum_1, r"distribution: claimed multiples of 2\^-52, found 0"),
        (distribution_a_unit_short, r"distribution: claimed sum 1, found 1 -1 \* 2\^-52"),
        (distribution_in_a_column, r"one real number for each of 60 rows, found float64 of shape \(60, 1\)"),
        (distribution_of_complex, r"found complex128 of shape \(60,\)"),
        (distribution_of_nan, r"distribution: claimed shares in \[0, 1\], found nan"),
        (shifted("bound", -9e-7), "bound: claimed .*, found"),
        (next_to("bound", -1.0), "bound: claimed .*, found"),
        (
            shifted("soft_margin", 9e-7),
            r"soft_margin: claimed .*, found .* \(X, y and sample_weight must be",
        ),
        (next_to("soft_margin", 1.0), "soft_margin: claimed .*, found"),
        (claiming(soft_margin=np.nan), "soft_margin: claimed a finite number, found nan"),
        (claiming(bound=np.inf), "bound: claimed a finite number, found inf"),
        (claiming(tol=None), "tol: claimed a finite number, found None"),
        (claiming(exact="yes"), "exact: claimed True or False, found 'yes'"),
        (claiming(status="proved by God"), "status: claimed one of .*, found 'proved by God'"),
        (claiming(status="converged", tol=1e-9), 'status: claimed "converged" with tol 1e-09, found a gap'),
        (claiming(status="closed", tol=1e-9), 'status: claimed "closed" with tol 1e-09, found a gap'),
        (claiming(exact=False, bound=-1.0), "bound: claimed -1.0, found"),
        (claiming(exact=False, bound=0.0, soft_margin=-1.0), "bound: claimed 0.0, found"),
        (
            claiming(hypothesis_class="all functions"),
            "hypothesis_class: claimed 'all functions', found 'depth-2",
        ),
        (claiming(nu=0.6), "claimed"),
        (claiming(nu=0.0), "nu: claimed a fraction"),
        (claiming(tol=1e-4), 'status: claimed "optimal" with tol 0.0001, found a gap'),
    ],
)
def test_tampering_is_caught(fitted: Any, tamper: Tamper, message: str) -> None:
    model, X, y = fitted
    model = copy.deepcopy(model)
    tamper(model)
    with pytest.raises(CertificateError, match=message):
        verify(model, X, y)


@pytest.mark.parametrize("changed", ["X", "y", "sample_weight", "absent"])
def test_other_data_are_caught(fitted: Any, changed: str) -> None:
    model, X, y = fitted
    given: dict[str, Any] = {"X": X, "y": y}
    if changed == "X":
        given["X"] = X[::-1]
    elif changed == "y":
        given["y"] = np.where(np.arange(ROWS) < 3, -y, y)
    else:
        weight = np.arange(1.0, ROWS + 1.0)
        given["sample_weight"] = weight if changed == "sample_weight" else weight - 1.0
    with pytest.raises(CertificateError, match=r"claimed .*found"):
        verify(model, **given)


def deeper_and_heuristic(model: Any) -> None:
    deeper_class(model)
    text = "depth-3 trees over 4 features, all thresholds, searched greedily above depth 2"
    claiming(exact=False, hypothesis_class=text)(model)


def test_deeper_trees_have_no_proof_but_are_checked(fitted: Any) -> None:
    model, X, y = fitted
    model = copy.deepcopy(model)
    deeper_and_heuristic(model)
    assert not verify(model, X, y).exact
    in_tree("threshold", "root", lambda t: t + 1e-9)(model)
    with pytest.raises(CertificateError, match="declared threshold"):
        verify(model, X, y)


def test_trees_of_a_nameless_class_are_evaluated_anew(fitted: Any) -> None:
    model, X, y = fitted
    model = copy.deepcopy(model)
    nameless_class(model)
    claiming(exact=False)(model)
    assert not verify(model, X, y).exact
    in_tree("left", "root", 0)(model)
    with pytest.raises(CertificateError, match="cycle"):
        verify(model, X, y)


@pytest.mark.parametrize(
    ("says", "message"),
    [
        (lambda X: 1.5 * np.ones(len(X)), r"hypothesis 0: claimed values in \[-1, 1\], found 1.5"),
        (lambda X: np.full(len(X), np.nan), r"hypothesis 0: claimed values in \[-1, 1\], found nan"),
        (lambda X: np.ones(len(X) + 1), "hypothesis 0: claimed a value for each of 20 rows"),
        (lambda X: np.ones(len(X)), "hypothesis 0: claimed a column of the class"),
    ],
)
def test_tampered_columns_are_caught(says: Callable[[Floats], Floats], message: str) -> None:
    X, y = xor_data(rows=20)
    model = LPBoostClassifier(nu=1 / 20, estimator=WorstCase()).fit(X, y)
    model.estimators_[0] = says
    with pytest.raises(CertificateError, match=message):
        verify(model, X, y)


def test_tampered_predictions_are_caught() -> None:
    X, y = xor_data(rows=20)
    model = LPBoostClassifier(nu=1 / 20, estimator=WorstCase()).fit(X, y)
    predictions = model.hypothesis_class_.predictions
    for changed, message in [
        (predictions[:-1], "finite class: claimed predictions of shape"),
        (2.0 * predictions, r"finite class: claimed values in \[-1, 1\]"),
        (np.column_stack([predictions, y]), "bound: claimed"),
    ]:
        model.hypothesis_class_ = SimpleNamespace(searched_as="columns", predictions=changed)
        with pytest.raises(CertificateError, match=message):
            verify(model, X, y)


# Bad calls.


def test_bad_calls(fitted: Any) -> None:
    model, X, y = fitted
    weight = np.ones(ROWS)
    uncertified = copy.copy(model)
    uncertified.certificate_ = "soft margin <= optimum"
    three = copy.copy(model)
    three.classes_ = np.arange(3)
    calls: list[tuple[type[Exception], str, tuple[Any, ...]]] = [
        (
            ValueError,
            "model must be a fitted classifier of frankboost; this LPBoostClassifier",
            (LPBoostClassifier(), X, y),
        ),
        (TypeError, "model must have a Certificate", (uncertified, X, y)),
        (ValueError, "model must have a list of 3 as its certificate_", (three, X, y)),
        (ValueError, "X must have the 60 rows", (model, X[1:], y)),
        (ValueError, "X must have the 60 rows", (model, X[:, 0], y)),
        (ValueError, "X must have the 4 features", (model, X[:, 1:], y)),
        (ValueError, "X must hold numbers", (model, np.full(X.shape, "a"), y)),
        (ValueError, "y must have one label", (model, X, y[1:])),
        (ValueError, "y must have one label", (model, X, np.column_stack([y, y]))),
        (ValueError, "y must hold the labels", (model, X, y + 1)),
        (ValueError, "y must hold the labels", (model, X, y.astype(str))),
        (ValueError, "sample_weight must have one weight", (model, X, y, weight[1:])),
        (ValueError, "sample_weight must hold finite", (model, X, y, -weight)),
        (ValueError, "sample_weight must not be all zeros", (model, X, y, 0.0 * weight)),
        (ValueError, "sample_weight must hold finite", (model, X, y, np.nan * weight)),
        (ValueError, "sample_weight must hold numbers", (model, X, y, ["a"] * ROWS)),
    ]
    for error, message, arguments in calls:
        with pytest.raises(error, match=message) as caught:
            verify(*arguments)
        assert not isinstance(caught.value, CertificateError)


def test_thresholds_as_far_apart_as_numbers_are():
    """The last one, which tells what is missing from all others, is the largest number."""
    X = np.array([[-1.7e308], [-1.6e308], [np.nan], [1.0]] * 5)
    labels = np.array([0, 1, 0, 1] * 5)
    verify(SoftMarginClassifier(0.5).fit(X, labels), X, labels)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_vote_in_use_is_claimed_or_the_optimum(classes):
    """Else the sentence would be about a vote that nobody uses."""
    X, labels = xor_data()
    labels = labels if classes == 2 else labels + (X[:, 0] > 0.5)
    model = SoftMarginClassifier().fit(X, labels)
    assert verify(model, X, labels) == model.certificate_
    silent = [dataclasses.replace(each.certificate, in_use=None) for each in model.model_.ensembles]
    forged = copy.copy(model)
    forged.model_ = dataclasses.replace(
        model.model_,
        ensembles=tuple(
            dataclasses.replace(each, certificate=certificate)
            for each, certificate in zip(model.model_.ensembles, silent, strict=True)
        ),
    )
    with pytest.raises(CertificateError, match="in_use: claimed nothing"):
        verify(forged, X, labels)
