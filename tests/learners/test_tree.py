"""A tree is one array of node records, with leaves anywhere in [-1, 1]."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

from export.models import two_classes
from frankboost import CertificateError, SoftMarginClassifier, load, save, verify
from frankboost.display import TreeDisplay
from frankboost.export import to_graphviz, to_shap, to_text
from frankboost.export.onnx_format import ensemble_attributes
from frankboost.learners.best_tree import BestTree
from frankboost.learners.nodes import NO_SETS, blank_nodes, packed, unpacked
from frankboost.learners.tree import Forest, Tree, vote
from records import assert_same, records, with_nodes

X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, np.nan]])


def real_tree():
    """x0 <= 1.5, then x1 <= 4.5 with missing values on the left."""
    nodes = records(
        feature=[0, -1, 1, -1, -1],
        threshold=[1.5, np.nan, 4.5, np.nan, np.nan],
        missing_left=[0, 0, 1, 0, 0],
        left=[1, -1, 3, -1, -1],
        right=[2, -1, 4, -1, -1],
        value=[0.0, -0.25, 0.0, 1.0, 0.5],
    )
    return Tree(nodes, NO_SETS)


def test_votes_are_the_leaves():
    tree = real_tree()
    np.testing.assert_array_equal(tree(X), [-0.25, -0.25, 0.5, 1.0])
    np.testing.assert_allclose(vote([tree, tree], np.array([0.5, 0.25]), X), 0.75 * tree(X), rtol=1e-15)


def test_arrays_are_views_that_cannot_be_written():
    tree = real_tree()
    for name in set(tree.nodes.dtype.names) - {"unused"}:
        np.testing.assert_array_equal(getattr(tree, name), tree.nodes[name])
        with pytest.raises(ValueError, match="read-only"):
            getattr(tree, name)[0] = 1


def test_sets_are_packed_64_to_a_word():
    for categories in ([], [0], [63, 64], [3, 127, 128, 254]):
        np.testing.assert_array_equal(np.flatnonzero(unpacked(packed(categories))), categories)
    np.testing.assert_array_equal(packed([1, 64, 191]), np.array([2, 1, 1 << 63, 0], dtype=np.uint64))


@pytest.mark.parametrize("categorical", [(), (0, 2)])
def test_trees_come_apart_as_they_were_joined(categorical):
    rng = np.random.default_rng(0)
    rows, y = rng.integers(0, 12, (200, 4)).astype(float), rng.choice([-1.0, 1.0], 200)
    trees = [
        tree
        for depth in (1, 2, 3)
        for tree in BestTree(depth, columns_per_round=4, categorical=categorical)
        .prepare(rows, y, np.ones(200))(y * rng.dirichlet(np.ones(200)))
        .hypotheses
    ]
    assert any(len(tree.sets) for tree in trees) == bool(categorical)
    for tree, again in zip(trees, Forest.of(trees).trees(), strict=True):
        assert_same(tree.nodes, again.nodes)
        assert_same(tree.sets, again.sets)
        assert_same(tree.nodes, pickle.loads(pickle.dumps(tree)).nodes)


def test_training_columns_are_bytes_unless_a_leaf_is_real():
    rows, y = np.random.default_rng(1).normal(size=(60, 2)), np.tile([-1.0, 1.0], 30)
    oracle = BestTree(columns_per_round=2).prepare(rows, y, np.ones(60))
    trees = oracle(y / 60).hypotheses
    assert oracle.values(trees, rows).dtype == np.int8
    leaf = int(np.argmax(trees[0].feature < 0))
    real = with_nodes(trees[0], value=np.where(np.arange(len(trees[0].nodes)) == leaf, 0.125, trees[0].value))
    values = oracle.values([real, trees[1]], rows)
    assert values.dtype == np.float64
    np.testing.assert_array_equal(values, [real(rows), trees[1](rows)])


def model_with_real_leaves():
    """A fitted model whose heaviest tree votes a half, and its rows."""
    model, rows, y = two_classes()
    model = copy.deepcopy(model)
    tree = model.estimators_[0]
    model.estimators_[0] = with_nodes(tree, value=tree.value / 2)
    return model, rows, y


def test_json_keeps_the_leaves(tmp_path):
    model, rows, _ = model_with_real_leaves()
    save(model, tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    leaves = [{node["value"] for node in tree if "value" in node} for tree in document["fits"][0]["trees"]]
    assert leaves[0] <= {-0.5, 0.5}
    assert all(type(value) is int for value in leaves[1])
    loaded = load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.estimators_[0].value, model.estimators_[0].value)
    np.testing.assert_array_equal(loaded.decision_function(rows), model.decision_function(rows))
    assert (loaded.estimators_[0].last_bin == -1).all()


def test_exports_keep_the_leaves():
    model, _, _ = model_with_real_leaves()
    tree, weight = model.estimators_[0], model.estimator_weights_[0]
    leaves = tree.value[tree.feature < 0]
    votes = ensemble_attributes(model.model_.ensembles, {})["leaf_weights"][: len(leaves)]
    np.testing.assert_array_equal(votes, weight * leaves)
    shap = to_shap(model)["trees"][0]["values"][tree.feature < 0, 0]
    np.testing.assert_array_equal(shap, weight * leaves)
    said = {"benign, 0.5", "malignant, 0.5"}
    assert any(f"    {leaf}\n" in to_text(model, most=1) + "\n" for leaf in said)
    assert any(leaf in to_graphviz(model, 0) for leaf in said)
    boxes = {box.get_text() for box in TreeDisplay.from_estimator(model, 0).boxes_}
    assert boxes & said
    assert not boxes & {"benign", "malignant"}


def test_verify_walks_to_real_leaves():
    """A tree whose leaves are the means of two trees' votes as both do, and proves as much."""
    rows, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 0, 1])
    model = SoftMarginClassifier(1.0, max_depth=1).fit(rows, y)
    [tree] = model.estimators_
    leaf = np.flatnonzero(tree.feature < 0)[0]
    other = with_nodes(tree, value=np.where(np.arange(len(tree.nodes)) == leaf, -tree.value, tree.value))
    mean = with_nodes(tree, value=(tree.value + other.value) / 2)
    assert 0.0 in mean.value[mean.feature < 0]
    soft_margin = float(np.mean((2 * y - 1) * mean(rows)))  # at nu = 1
    model.certificate_ = dataclasses.replace(model.certificate_, soft_margin=soft_margin, status="max_iter")
    for trees, shares in (
        ([tree, other], [0.5, 0.5]),
        ([mean], [1.0]),
        ([mean, tree, other], [0.5, 0.25, 0.25]),
    ):
        model.estimators_, model.estimator_weights_ = trees, np.array(shares)
        assert verify(model, rows, y).soft_margin == pytest.approx(soft_margin)
    model.estimators_, model.estimator_weights_ = [with_nodes(tree, value=1.25 * tree.value)], np.ones(1)
    with pytest.raises(CertificateError, match=r"claimed a leaf in \[-1, 1\], found"):
        verify(model, rows, y)


def test_a_tree_is_printed_as_conditions():
    nodes = blank_nodes(5)
    nodes["feature"][:2], nodes["threshold"][1], nodes["set_index"][0] = [2, 0], 1 / 3, 0
    nodes["left"][:2], nodes["right"][:2], nodes["missing_left"][1] = [1, 2], [4, 3], 1
    nodes["value"][2:] = [1.0, -1.0, 0.5]
    tree = Tree(nodes, packed([0, 3])[None])
    assert str(tree).splitlines() == [
        "if x2 in {0, 3}:",
        "  if x0 <= 0.3333 or missing:",
        "    +1",
        "  else:",
        "    -1",
        "else:",
        "  +0.5",
    ]
    assert repr(tree) == "<Tree of depth 2, 3 leaves>"
    assert "if x0 &lt;= 0.3333 or missing:\n" in tree._repr_html_()


def test_every_byte_of_a_record_has_a_name():
    """NumPy copies fields, and leaves the bytes between them to chance."""
    dtype = blank_nodes(1).dtype
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize == 40


def test_equal_fits_with_categories_have_equal_bytes():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 6, (80, 2)), rng.integers(0, 2, 80)
    fits = [SoftMarginClassifier(0.3, 0.05, max_iter=5, categorical_features=[0]).fit(X, y) for _ in range(2)]
    trees = [[copy.deepcopy(each).nodes.tobytes() for each in clf.estimators_] for clf in fits]
    assert trees[0] == trees[1]
    assert all(not each.nodes["unused"].any() for clf in fits for each in clf.estimators_)


def test_a_pickled_tree_is_the_same_and_read_only():
    tree = real_tree()
    assert not pickle.loads(pickle.dumps(tree)).nodes.flags.writeable
    assert_same(pickle.loads(pickle.dumps(tree)).nodes, tree.nodes)
