"""Trees as nested conditions, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frankboost.learners.tree import Tree

Words = Callable[["Tree", int], str]  # what sends a row left at a node, or what a leaf says


def tree_lines(tree: Tree, words: Words, level: int = 0) -> Iterator[str]:
    """A tree as nested conditions, each level indented; without recursion, since it may be deep."""
    waiting = [("", 0, level)]  # a line before a node, the node, and how far it is indented
    while waiting:
        before, k, at = waiting.pop()
        if before:
            yield "  " * (at - 1) + before
        indent, says = "  " * at, one_line(words(tree, k))
        if tree.feature[k] < 0:
            yield indent + says
            continue
        missing = " or missing" if tree.missing_left[k] else ""
        yield f"{indent}if {says}{missing}:"
        waiting += [("else:", int(tree.right[k]), at + 1), ("", int(tree.left[k]), at + 1)]


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())
