"""Models to read and to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from frankboost.estimators.names import category_names, feature_names_of
from frankboost.export.fitted import contests_for
from frankboost.learners.tree import Tree
from frankboost.model import Contest
from frankboost.validation import check_count

Condition = Callable[[Tree, int], str]  # what sends a row left at a node


def to_text(
    model: Any, *, feature_names: Sequence[str] | None = None, most: int | None = None, label: Any = None
) -> str:
    """A fitted model as text: its certificate, then its trees, largest weight first.

    Parameters
    ----------
    model : fitted classifier
        An ensemble of frankboost's own trees.
    feature_names : sequence of str, default=None
        One per feature. None: those of the data frame that was fitted, or x0, x1, ...
    most : int or None, default=None
        At most this many trees of each ensemble.
    label : object, default=None
        The class whose ensemble is shown, if there are more than two. None: all.

    Returns
    -------
    str

    Examples
    --------
    >>> from frankboost import SoftMarginClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> text = to_text(SoftMarginClassifier(max_depth=1).fit(X, ["no", "no", "yes", "yes"]))
    >>> certificate, trees = text.split("\\n\\n")
    >>> print(trees)
    tree 0, weight 1
      if x0 <= 1.5:
        no
      else:
        yes
    """
    check_count("most", most, at_least=1, or_none=True)
    contests = contests_for(model, label)
    names = [_one_line(name) for name in feature_names_of(model, feature_names)]
    categories = {f: [_one_line(str(c)) for c in known] for f, known in category_names(model).items()}
    condition = partial(Tree.condition, names=names, categories=categories)
    return "\n\n".join("\n".join(_contest_lines(each, condition, most)) for each in contests)


def to_graphviz(
    model: Any, tree: int = 0, *, feature_names: Sequence[str] | None = None, label: Any = None
) -> str:
    """One tree of a fitted model in the language of Graphviz.

    Parameters
    ----------
    model : fitted classifier
        An ensemble of frankboost's own trees.
    tree : int, default=0
        Its number in `estimators_`; 0 has the largest weight.
    feature_names : sequence of str, default=None
        One per feature. None: those of the data frame that was fitted, or x0, x1, ...
    label : object, default=None
        The class whose ensemble is meant; needed if there are more than two.

    Returns
    -------
    str

    Examples
    --------
    >>> from frankboost import SoftMarginClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> print(to_graphviz(SoftMarginClassifier(max_depth=1).fit(X, ["no", "no", "yes", "yes"])))
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
    contests = contests_for(model, label)
    if len(contests) > 1:
        raise ValueError(
            f"label must be one of {model.classes_.tolist()}, each of which has its own trees; got None"
        )
    trees, weights = contests[0].ensemble.trees(), contests[0].ensemble.weights
    check_count("tree", tree, at_least=0, at_most=len(trees) - 1)
    names, categories = feature_names_of(model, feature_names), category_names(model)
    condition = partial(Tree.condition, names=names, categories=categories)
    title = f"tree {tree}, weight {weights[tree]:.4g}"
    statements = _statements(trees[tree], condition, contests[0].sides)
    return "\n".join(
        ["digraph tree {", f"  label={_quoted(title)};", "  node [shape=box];", *statements, "}"]
    )


def _contest_lines(contest: Contest, condition: Condition, most: int | None) -> Iterator[str]:
    ensemble = contest.ensemble
    low, high = map(_one_line, contest.sides)
    against = "" if contest.other is not None else f"{high} against the rest: "
    yield f"{against}{ensemble.certificate}"
    trees, weights = ensemble.trees(), ensemble.weights
    for number, tree in enumerate(trees[:most]):
        yield ""
        yield f"tree {number}, weight {weights[number]:.4g}"
        yield from _node_lines(tree, condition, (low, high))
    if most is not None and most < len(trees):
        yield ""
        yield f"{len(trees) - most} more, weight {weights[most:].sum():.4g}"


def _node_lines(tree: Tree, condition: Condition, sides: tuple[str, str]) -> Iterator[str]:
    """A tree as nested conditions; without recursion, since it may be deep."""
    waiting: list[tuple[str, int, int]] = [
        ("", 0, 1)
    ]  # a line before a node, the node, and how far it is indented
    while waiting:
        before, k, level = waiting.pop()
        if before:
            yield "  " * (level - 1) + before
        indent = "  " * level
        if tree.feature[k] < 0:
            yield indent + tree.says(k, sides)
            continue
        missing = " or missing" if tree.missing_left[k] else ""
        yield f"{indent}if {condition(tree, k)}{missing}:"
        waiting += [("else:", int(tree.right[k]), level + 1), ("", int(tree.left[k]), level + 1)]


def _statements(tree: Tree, condition: Condition, sides: tuple[str, str]) -> Iterator[str]:
    for k in range(len(tree.feature)):
        if tree.feature[k] < 0:
            yield f"  {k} [label={_quoted(tree.says(k, sides))}, style=rounded];"
            continue
        yes, no = ("yes, or missing", "no") if tree.missing_left[k] else ("yes", "no, or missing")
        yield f"  {k} [label={_quoted(condition(tree, k))}];"
        yield f'  {k} -> {tree.left[k]} [label="{yes}"];'
        yield f'  {k} -> {tree.right[k]} [label="{no}"];'


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _quoted(text: str) -> str:
    """A string of Graphviz, in which backslashes and entities mean themselves."""
    text = text.replace("\0", "").replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n") + '"'
