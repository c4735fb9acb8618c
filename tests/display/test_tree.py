"""Trees as boxes."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from frankboost import LPBoostClassifier, SoftMarginClassifier
from frankboost.datasets import twonorm
from frankboost.display import TreeDisplay
from frankboost.display.tree import across
from frankboost.learners.nodes import NO_SETS
from frankboost.learners.tree import Tree
from records import chain


def test_boxes_say_what_the_tree_does(cancer):
    clf, X, _ = cancer
    display = TreeDisplay.from_estimator(clf, 3)
    tree = clf.estimators_[3]
    for k, box in enumerate(display.boxes_):
        if tree.feature[k] < 0:
            assert box.get_text() == clf.classes_[int(tree.value[k] > 0)]
        else:
            assert box.get_text() == f"{X.columns[tree.feature[k]]} <= {tree.threshold[k]:.4g}"
    assert len(display.boxes_) == len(tree.feature) == 7
    assert len(display.edges_) == 6
    assert display.ax_.get_title() == f"tree 3, weight {clf.estimator_weights_[3]:.3g}"


def test_following_the_boxes_gives_the_vote(cancer):
    """Left, where it says yes, is left on the page."""
    clf, X, _ = cancer
    tree = clf.estimators_[0]
    display = TreeDisplay.from_estimator(clf)
    answers = {text.get_text().strip(): text.get_position()[0] for text in display.ax_.texts}
    assert answers["yes"] < display.boxes_[0].get_position()[0] < answers["no"]
    columns = list(X.columns)
    for row, vote in zip(X.to_numpy()[:20], tree(X.to_numpy()[:20]), strict=True):
        k = 0
        while " <= " in (text := display.boxes_[k].get_text()):
            name, _ = text.split(" <= ")
            left, right = sorted((tree.left[k], tree.right[k]), key=lambda j: display.boxes_[j]._x)
            k = left if row[columns.index(name)] <= tree.threshold[k] else right
        assert text == clf.classes_[int(vote > 0)]


def test_names(iris):
    clf = iris[0]
    plain = TreeDisplay.from_estimator(clf, label="versicolor")
    assert plain.feature_names == ["x0", "x1", "x2", "x3"]
    named = TreeDisplay.from_estimator(clf, label="versicolor", feature_names=["a", "b", "c", "d"])
    feature = clf.estimators_[1][0].feature[0]
    assert named.boxes_[0].get_text().startswith("abcd"[feature] + " <= ")
    leaves = {box.get_text() for box in named.boxes_ if "<=" not in box.get_text()}
    assert leaves == {"versicolor", "not versicolor"}
    with pytest.raises(ValueError, match=r"feature_names must hold 4 names, one per feature; got"):
        TreeDisplay.from_estimator(clf, label="versicolor", feature_names=["a"])


def test_missing_values_that_go_left_are_mentioned(cancer):
    _, X, y = cancer
    holes = X.to_numpy().copy()
    holes[np.random.default_rng(0).random(holes.shape) < 0.3] = np.nan
    clf = SoftMarginClassifier(0.2, 0.05).fit(holes, y)
    seen = set()
    for t, tree in enumerate(clf.estimators_[:5]):
        display = TreeDisplay.from_estimator(clf, t)
        said = [box.get_text().endswith("\nmissing left") for box in display.boxes_]
        np.testing.assert_array_equal(said, (tree.feature >= 0) & (tree.missing_left == 1))
        seen |= set(said)
    assert seen == {True, False}


@pytest.mark.parametrize(("depth", "size"), [(2, (3.0, 2.0)), (4, (6.4, 4.8)), (2, None), (5, None)])
def test_boxes_do_not_overlap(depth, size):
    data = twonorm(500, 0)
    clf = SoftMarginClassifier(0.3, max_depth=depth, max_iter=2).fit(data.X, data.y)
    ax = None if size is None else plt.subplots(figsize=size)[1]
    display = TreeDisplay.from_estimator(clf, ax=ax)
    display.figure_.canvas.draw()
    frames = [box.get_bbox_patch().get_window_extent() for box in display.boxes_]
    assert len(frames) == len(clf.estimators_[0].feature)
    assert not any(a.overlaps(b) for a, b in itertools.combinations(frames, 2))


@pytest.mark.parametrize("name", ["size", "fontsize"])
def test_letters_of_a_given_size_keep_it(cancer, ax, name):
    display = TreeDisplay.from_estimator(cancer[0], ax=ax, **{name: 30})
    assert {box.get_fontsize() for box in display.boxes_} == {30.0}


def test_leaves_are_side_by_side_and_splits_over_their_middle(cancer):
    tree = cancer[0].estimators_[0]
    x, level = across(tree), np.array(tree.levels())
    np.testing.assert_allclose(np.sort(x[level == 2]), [0.5, 1.5, 2.5, 3.5])
    np.testing.assert_allclose(np.sort(x[level == 1]), [1.0, 3.0])
    assert x[0] == 2.0


def test_a_tree_of_one_leaf():
    clf = SoftMarginClassifier(1.0, max_iter=1).fit(np.zeros((5, 1)), [0, 0, 1, 1, 1])
    display = TreeDisplay.from_estimator(clf)
    assert [box.get_text() for box in display.boxes_] == ["1"]
    assert display.edges_ == []


def test_the_tree_is_checked(cancer):
    clf, X, y = cancer
    last = len(clf.estimators_) - 1
    with pytest.raises(ValueError, match=rf"tree must be an integer in \[0, {last}\]; got {last + 1}"):
        TreeDisplay.from_estimator(clf, last + 1)
    other = LPBoostClassifier(0.3, estimator=DecisionTreeClassifier(max_depth=1), max_iter=2).fit(X, y)
    with pytest.raises(
        TypeError, match=r"must be an ensemble of trees of BestTree .*; got one with a Fitted"
    ):
        TreeDisplay.from_estimator(other)


def test_categories_are_shown_by_the_smaller_side():
    colours = np.array(["blue", "green", "grey", "pink", "red"] * 8, dtype=object)[:, None]
    clf = SoftMarginClassifier(0.5, max_depth=1, categorical_features=[0]).fit(
        colours, colours[:, 0] != "red"
    )
    display = TreeDisplay.from_estimator(clf)
    assert display.boxes_[0].get_text() == "x0 not in {red}\nmissing left"
    clf.fit(colours, np.isin(colours[:, 0], ["red", "green"]))
    assert TreeDisplay.from_estimator(clf).boxes_[0].get_text() == "x0 in {green, red}"
    many = np.array([f"c{k:02d}" for k in range(20)] * 3, dtype=object)[:, None]
    clf.fit(many, np.arange(60) % 20 < 7)
    assert TreeDisplay.from_estimator(clf).boxes_[0].get_text() == "x0 in {c00, c01, c02, c03, 3 more}"
    bare = TreeDisplay(tree=clf.estimators_[0], feature_names=["x"], sides=("no", "yes"), title="").plot()
    assert bare.boxes_[0].get_text() == "x in {0, 1, 2, 3, 3 more}"


def test_dollar_signs_are_no_mathematics(cancer):
    names = [f"$cost_{f}$ in $" for f in range(30)]
    display = TreeDisplay.from_estimator(cancer[0], feature_names=names)
    assert not any(box.get_parse_math() for box in display.boxes_)
    display.figure_.canvas.draw()


def test_the_layout_of_a_deep_tree():
    x = across(Tree(chain(2000), NO_SETS))
    np.testing.assert_allclose(x[1::2], np.arange(2000) + 0.5)
