"""Models as text and as Graphviz drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from frankboost.estimators.prediction import (
    ModelClassifier,
    category_names,
    date_features,
    feature_names_of,
)
from frankboost.export.fitted import contests_for
from frankboost.learners.tree import Tree
from frankboost.learners.tree_text import one_line
from frankboost.model import Contest, VoteAlone
from frankboost.validation import check_count

DIGITS = 4  # of a threshold in a picture

Words = Callable[[Tree, int], str]
"""What sends a row left at a node, or what a leaf says."""


def to_text(
    model: Any, *, feature_names: Sequence[str] | None = None, most: int | None = None, label: Any = None
) -> str:
    """A fitted model as text: its certificate, then its trees, largest weight first.

    Parameters
    ----------
    model : fitted classifier
        Its hypotheses must be trees of `BestTree`, the default weak learner.
    feature_names : sequence of str, default=None
        One per feature. None: those of the data frame that was fitted, or x0, x1, ...
    most : int or None, default=None
        At most this many trees of each ensemble.
    label : object, default=None
        The class whose ensemble is shown, with more than two classes. None: all classes.

    Examples
    --------
    >>> from frankboost import SoftMarginClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> text = to_text(SoftMarginClassifier(0.5, max_depth=1).fit(X, ["no", "no", "yes", "yes"]))
    >>> certificate, trees = text.split("\\n\\n")
    >>> print(trees)
    tree 0, weight 1
      if x0 <= 1.5:
        no
      else:
        yes
    """
    check_count("most", most, at_least=1, or_none=True)
    parts = (
        _contest_lines(each, most, _words(model, each, feature_names)) for each in contests_for(model, label)
    )
    return "\n\n".join("\n".join(lines) for lines in parts)


def to_graphviz(
    model: Any, tree: int = 0, *, feature_names: Sequence[str] | None = None, label: Any = None
) -> str:
    """One tree of a fitted model in the language of Graphviz, with thresholds rounded as in `TreeDisplay`.

    Parameters
    ----------
    model, feature_names
        As for `to_text`.
    tree : int, default=0
        Its number in `estimators_`; 0 has the largest weight.
    label : object, default=None
        The class whose tree is drawn; required with more than two classes.

    Examples
    --------
    >>> from frankboost import SoftMarginClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> print(to_graphviz(SoftMarginClassifier(0.5, max_depth=1).fit(X, ["no", "no", "yes", "yes"])))
    digraph tree {
      label="tree 0, weight 1";
      node [shape=box];
      0 [label="x0 <= 1.5"];
      0 -> 1 [label="yes"];
      0 -> 2 [label="no, or missing"];
      1 [label="no", style=rounded];
      2 [label="yes", style=rounded];
    }
    """
    contest, *others = contests_for(model, label)
    if others:
        raise ValueError(
            f"label must be one of {model.classes_.tolist()}, each of which has its own trees; got None"
        )
    trees, weights = contest.ensemble.trees(), contest.ensemble.weights
    check_count("tree", tree, at_least=0, at_most=len(trees) - 1)
    title = f"tree {tree}, weight {weights[tree]:.4g}"
    statements = _statements(trees[tree], _words(model, contest, feature_names, DIGITS))
    return "\n".join(
        ["digraph tree {", f"  label={_quoted(title)};", "  node [shape=box];", *statements, "}"]
    )


def _words(
    clf: ModelClassifier, contest: Contest, feature_names: Sequence[str] | None, digits: int | None = None
) -> Words:
    names, categories, dates = feature_names_of(clf, feature_names), category_names(clf), date_features(clf)

    def words(tree: Tree, k: int) -> str:
        if tree.feature[k] < 0:
            return tree.leaf_text(k, contest.sides)
        return tree.condition(k, names, categories, digits, dates=dates)

    return words


def _contest_lines(contest: Contest, most: int | None, words: Words) -> Iterator[str]:
    against = f"{one_line(contest.sides[1])} against the rest: " if contest.other is None else ""
    alone = isinstance(contest.ensemble, VoteAlone)
    told = "saved without its certificate" if alone else contest.ensemble.certificate
    yield f"{against}{told}"
    trees, weights = contest.ensemble.trees(), contest.ensemble.weights
    for number, tree in enumerate(trees[:most]):
        yield f"\ntree {number}, weight {weights[number]:.4g}"
        yield from tree.lines(partial(words, tree), level=1)
    if most is not None and most < len(trees):
        yield f"\n{len(trees) - most} more, weight {weights[most:].sum():.4g}"


def _statements(tree: Tree, words: Words) -> Iterator[str]:
    for k in range(len(tree.feature)):
        says = _quoted(words(tree, k))
        if tree.feature[k] < 0:
            yield f"  {k} [label={says}, style=rounded];"
            continue
        yes, no = ("yes, or missing", "no") if tree.missing_left[k] else ("yes", "no, or missing")
        if tree.tells_missing(k):
            yes, no = "yes", "no"
        yield f"  {k} [label={says}];"
        yield f'  {k} -> {tree.left[k]} [label="{yes}"];'
        yield f'  {k} -> {tree.right[k]} [label="{no}"];'


def _quoted(text: str) -> str:
    """A string of Graphviz, in which backslashes and entities mean themselves."""
    text = text.replace("\0", "").replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n") + '"'
