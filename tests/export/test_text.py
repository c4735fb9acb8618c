"""Models to read and to draw."""

import copy
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from export.models import three_classes, two_classes
from frankboost import SoftMarginClassifier
from frankboost.export import to_graphviz, to_text
from frankboost.learners.nodes import NO_SETS
from frankboost.learners.tree import Tree
from frankboost.learners.tree_text import day_text
from records import chain

STRING = r'"((?:[^"\\]|\\.)*)"'


def said(text, names, row):
    """What the first tree in a text says of a row, followed line by line."""
    lines = text.splitlines()
    k = next(k for k, line in enumerate(lines) if line.startswith("tree ")) + 1
    while (condition := re.fullmatch(r"( +)if (.+) <= (\S+?)( or missing)?:", lines[k])) is not None:
        indent, name, threshold, missing = condition.groups()
        value = row[names.index(name)]
        left = missing is not None if np.isnan(value) else value <= float(threshold)
        k = k + 1 if left else lines.index(f"{indent}else:", k) + 1
    return lines[k].strip()


def test_text_says_what_the_tree_says():
    model, X, _ = two_classes()
    names = [f"feature {f} <= 3" for f in range(X.shape[1])]
    text = to_text(model, feature_names=names, most=1)
    votes = model.estimators_[0](X)
    for row, vote in zip(X, votes, strict=True):
        assert said(text, names, row) == model.classes_[int(vote > 0)]


def test_a_split_by_what_is_missing():
    X = np.array([[7.0], [np.nan]] * 10)
    model = SoftMarginClassifier(0.5, max_depth=1).fit(X, X[:, 0] > 0.0)
    assert "  if age is not missing:\n    True\n  else:\n    False" in to_text(model, feature_names=["age"])
    drawn = to_graphviz(model, feature_names=["age"])
    assert '0 [label="age is not missing"];' in drawn
    assert '0 -> 2 [label="no"];' in drawn


def test_thresholds_of_dates_are_dates():
    days = pd.DataFrame({"since": pd.date_range("2020-01-01", periods=60), "pay": 1234.5 * np.arange(60)})
    model = SoftMarginClassifier(0.5, max_depth=1).fit(days[["since"]], days.since > "2020-01-20")
    assert "if since <= 2020-01-20 12:00:" in to_text(model)
    assert '0 [label="since <= 2020-01-20 12:00"];' in to_graphviz(model)
    paid = SoftMarginClassifier(0.5, max_depth=1).fit(days[["pay"]], days.pay > 20_000)
    assert "if pay <= 20369.25:" in to_text(paid)
    assert '0 [label="pay <= 20369"];' in to_graphviz(paid)


@pytest.mark.parametrize(
    ("days", "exact", "short"),
    [
        (18281.0, "2020-01-20", "2020-01-20"),
        (18281.5, "2020-01-20 12:00", "2020-01-20 12:00"),
        (18281.000001, "2020-01-20 00:00:00.086400", "2020-01-20"),
        (18281.0 + 1.0 / 86400.0, "2020-01-20 00:00:01", "2020-01-20"),
        (-5.25, "1969-12-26 18:00", "1969-12-26 18:00"),
        (18281.123456789, "18281.123456789", "2020-01-20 02:58"),  # no date has just these digits
        (1e9, "1000000000.0", "1e+09"),
    ],
)
def test_days_as_dates(days, exact, short):
    assert day_text(days, None) == exact
    assert day_text(days, 4) == short


def test_text_of_a_deep_tree():
    model = copy.copy(two_classes()[0])
    deep = Tree(chain(2000), NO_SETS)
    ensemble = replace(model.model_.ensembles[0], hypotheses=[deep], weights=np.ones(1))
    model.model_ = replace(model.model_, ensembles=(ensemble,))
    lines = to_text(model).splitlines()
    assert len([line for line in lines if line.endswith("else:")]) == 2000
    assert lines[-1].startswith("  " * 50 + "2001: ")
    assert lines[-2] == "  " * 50 + "2000: else:"
    assert max(map(len, lines[1:])) < 130  # no text grows with the square of the number of nodes


def test_text_shows_the_certificate_and_all_trees():
    model, _, _ = two_classes()
    text = to_text(model)
    assert text.splitlines()[0] == str(model.certificate_)
    assert text.count("\ntree ") == len(model.estimators_)
    assert f"tree 0, weight {model.estimator_weights_[0]:.4g}\n" in text
    left = len(model.estimators_) - 2
    assert to_text(model, most=2).splitlines()[-1].startswith(f"{left} more, weight 0.")


def test_text_of_many_classes():
    model, _, _ = three_classes()
    text = to_text(model)
    for label, certificate in zip(model.classes_, model.certificate_, strict=True):
        assert f"{label} against the rest: {certificate}" in text
        assert to_text(model, label=label) in text
    assert "not 1" in to_text(model, label=1)


def test_names_of_data_frames_and_labels_are_kept_on_a_line():
    frame = pd.DataFrame({"a\nb": [0.0, 1.0, 2.0, 3.0]})
    model = SoftMarginClassifier(max_depth=1).fit(frame, ["x\ny", "x\ny", "z", "z"])
    assert "if a b <= 1.5:\n    x y\n  else:\n    z" in to_text(model)


def parsed(source):
    """Labels of nodes and edges."""
    lines = source.splitlines()
    assert lines[0] == "digraph tree {"
    assert lines[-1] == "}"
    nodes, edges = {}, {}
    for line in lines[3:-1]:
        node = re.fullmatch(rf"  (\d+) \[label={STRING}(, style=rounded)?\];", line)
        edge = re.fullmatch(rf"  (\d+) -> (\d+) \[label={STRING}\];", line)
        assert node or edge, line
        if node:
            nodes[int(node[1])] = node[2]
        else:
            edges[int(edge[1]), int(edge[2])] = edge[3]
    return nodes, edges


def test_graphviz_is_the_tree():
    model, _, _ = two_classes()
    for number, tree in enumerate(model.estimators_[:20]):
        nodes, edges = parsed(to_graphviz(model, number))
        assert nodes.keys() == set(range(len(tree.feature)))
        splits = np.flatnonzero(tree.feature >= 0)
        assert edges.keys() == {(k, side[k]) for k in splits for side in (tree.left, tree.right)}
        for k in range(len(tree.feature)):
            expected = (
                f"x{tree.feature[k]} <= {tree.threshold[k]:.4g}"
                if k in splits
                else model.classes_[int(tree.value[k] > 0)]
            )
            assert nodes[k] == expected
        for k in splits:
            assert ("missing" in edges[k, tree.left[k]]) == bool(tree.missing_left[k])
            assert ("missing" in edges[k, tree.right[k]]) != bool(tree.missing_left[k])


def test_graphviz_escapes_names(tmp_path):
    strange = 'a"];\nb \\N {x} &lt; é\0'
    frame = pd.DataFrame({strange: [0.0, 1.0, 2.0, 3.0]})
    labels = [strange, strange, "back\\", "back\\"]
    model = SoftMarginClassifier(max_depth=1, leaves="sign").fit(frame, labels)
    source = to_graphviz(model)
    nodes, _ = parsed(source)
    assert nodes[0] == 'a\\"];\\nb \\\\N {x} &amp;lt; é <= 1.5'
    assert "back\\\\" in nodes.values()
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tsvg"], input=source.encode(), capture_output=True, check=True)
        assert b"back\\" in done.stdout


def test_errors():
    model, _, _ = two_classes()
    with pytest.raises(NotFittedError):
        to_text(SoftMarginClassifier())
    with pytest.raises(TypeError, match="model must be a fitted classifier of frankboost; got 3"):
        to_graphviz(3)
    with pytest.raises(ValueError, match="feature_names must hold 8 names, one per feature; got 'abcdefgh'"):
        to_text(model, feature_names="abcdefgh")
    with pytest.raises(ValueError, match="feature_names must hold 8 names"):
        to_graphviz(model, feature_names=["a"])
    with pytest.raises(ValueError, match=r"label must be None or one of \['benign', 'malignant'\]; got 7"):
        to_text(model, label=7)
    with pytest.raises(ValueError, match="most must be an integer >= 1 or None; got 0"):
        to_text(model, most=0)
    with pytest.raises(ValueError, match=r"tree must be an integer in \[0, \d+\]; got -1"):
        to_graphviz(model, -1)
    with pytest.raises(ValueError, match=r"label must be one of \[0, 1, 2\].*; got None"):
        to_graphviz(three_classes()[0])
