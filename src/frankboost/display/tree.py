"""Plot one tree of an ensemble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frankboost.display.base import GREY, LIGHT_BLUE, LIGHT_ORANGE, Display, contests_of, draw, style
from frankboost.estimators.prediction import category_names, date_features, feature_names_of
from frankboost.learners.tree import Tree
from frankboost.native import MOST_CATEGORIES
from frankboost.typing import Floats
from frankboost.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

FONT_SIZE = 10.0
MOST_SHOWN = 4  # categories in a box
PAD = 0.4  # between a text and its box, in letters
SPACE = 0.6  # between boxes, in letters
LARGEST = 30.0  # inches; a larger tree gets smaller letters


@dataclass(eq=False, repr=False, kw_only=True)
class TreeDisplay(Display):
    """Draw a tree as boxes: splits with their features, leaves with the class they vote for.

    Rows for which a split holds go left. Rows without a value go right, unless the split says otherwise.
    The letters are so small that boxes do not overlap, unless `plot` gets a `fontsize`. The keyword
    arguments of `plot` are settings for the texts in the boxes, see `matplotlib.axes.Axes.text`.

    Parameters
    ----------
    tree : Tree
    feature_names : sequence of str
        One for each feature.
    categories : dict of lists, default={}
        The categories of each categorical feature, by the number of the feature.
    dates : sequence of int, default=()
        Features that are days since 1970-01-01.
    sides : tuple of two str
        The classes that leaves of -1 and +1 vote for.
    title : str

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    boxes_ : list of matplotlib texts
        One for each node, in the order of the tree's arrays.
    edges_ : list of matplotlib lines
        Two for each split.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import TreeDisplay
    >>> data = load_breast_cancer()
    >>> clf = SoftMarginClassifier(nu=0.1).fit(data.data, data.target_names[data.target])
    >>> display = TreeDisplay.from_estimator(clf, 0, feature_names=data.feature_names)
    >>> {"benign", "malignant"} <= {box.get_text() for box in display.boxes_}
    True
    """

    tree: Tree
    feature_names: Sequence[str]
    categories: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    dates: Sequence[int] = ()
    sides: tuple[str, str]
    title: str
    size = (5.0, 3.0)
    shares_scales = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        tree: int = 0,
        *,
        feature_names: Sequence[str] | None = None,
        label: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> TreeDisplay:
        """Draw a tree of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With `BestTree`, the default weak learner.
        tree : int, default=0
            Its place in `estimators_`; 0 has the largest weight.
        feature_names : sequence of str, default=None
            None: `feature_names_in_` if the classifier has them, else x0, x1, ...
        label : object, default=None
            With more than two classes, the class whose tree to draw. None: all classes, one plot per class.
        ax, **kwargs
            As in `plot`.
        """
        contests = contests_of(estimator, label)
        fewest = min(len(contest.ensemble.trees()) for contest in contests)
        check_count("tree", tree, at_least=0, at_most=fewest - 1)
        names, categories = feature_names_of(estimator, feature_names), category_names(estimator)
        displays = {
            contest: cls(
                tree=contest.ensemble.trees()[tree],
                feature_names=names,
                categories=categories,
                dates=date_features(estimator),
                sides=contest.sides,
                title=f"tree {tree}, weight {contest.ensemble.weights[tree]:.3g}",
            )
            for contest in contests
        }
        return draw(displays, ax, kwargs)

    def _figsize(self) -> tuple[float, float]:
        leaves, levels = np.count_nonzero(self.tree.feature < 0), self.tree.depth() + 1
        return min(max(6.4, 1.2 * leaves), LARGEST), min(0.6 + 1.1 * levels, LARGEST)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        tree, x, level = self.tree, across(self.tree), np.array(self.tree.levels())
        leaves, splits = np.count_nonzero(tree.feature < 0), np.flatnonzero(tree.feature >= 0)
        ax.set(xlim=(0.0, leaves), ylim=(level.max() + 0.5, -0.5), title=self.title)
        ax.set_axis_off()
        children = np.column_stack([tree.left[splits], tree.right[splits]]).ravel()
        ends = np.stack([splits.repeat(2), children])
        self.edges_ = ax.plot(x[ends], level[ends], color=GREY, linewidth=1.0, zorder=1)
        self.boxes_ = [self._box(ax, k, x[k], level[k], kwargs) for k in range(len(x))]
        answers = self._draw_answers(ax)
        if not {"fontsize", "size"} & set(kwargs):
            fitting = FONT_SIZE * min(1.0, largest_scale(ax, self.boxes_))
            for text in self.boxes_ + answers:
                text.set_fontsize(fitting)

    def headline(self) -> str:
        return self.title

    def _draw_answers(self, ax: Axes) -> list[Text]:
        """Write yes and no at the root only; left means yes everywhere."""
        answers = []
        for edge, answer, side in zip(self.edges_, ("yes", "no"), ("right", "left"), strict=False):
            x, y = np.asarray(edge.get_data()).mean(axis=1)
            answers.append(ax.text(x, y, f"  {answer}  ", ha=side, va="bottom", color=GREY))
        return answers

    def _box(self, ax: Axes, k: int, x: float, y: float, kwargs: dict[str, Any]) -> Text:
        # A leaf has a light shade, so that black on it is easy to read.
        leaf_colour = LIGHT_BLUE if self.tree.value[k] > 0 else LIGHT_ORANGE
        colour = "white" if self.tree.feature[k] >= 0 else leaf_colour
        frame = {"boxstyle": f"round,pad={PAD}", "edgecolor": GREY, "facecolor": colour}
        # A name may have dollar signs, which are no mathematics.
        look = {"bbox": frame, "fontsize": FONT_SIZE, "zorder": 2, "parse_math": False}
        defaults = look | {"horizontalalignment": "center", "verticalalignment": "center"}
        return ax.text(x, y, self._text(k), **style(defaults, kwargs, "Text"))

    def _text(self, k: int) -> str:
        tree = self.tree
        if tree.feature[k] < 0:
            return tree.leaf_text(k, self.sides)
        if tree.set_index[k] < 0:
            split = tree.condition(k, self.feature_names, self.categories, digits=4, dates=self.dates)
        else:
            split = self._set_text(k)
        return f"{split}\nmissing left" if tree.missing_left[k] else split

    def _set_text(self, k: int) -> str:
        """The text of a split by categories: its smaller side, as much as fits in a box."""
        f, left = int(self.tree.feature[k]), self.tree.categories(k).tolist()
        known = self.categories.get(f, range(MOST_CATEGORIES))
        right = sorted(set(range(len(known))) - set(left))
        relation, sent = ("not in", right) if len(right) < len(left) else ("in", left)
        shown = [str(known[c]) for c in sent[:MOST_SHOWN]]
        if len(sent) > MOST_SHOWN:
            shown.append(f"{len(sent) - MOST_SHOWN} more")
        return f"{self.feature_names[f]} {relation} {{{', '.join(shown)}}}"


def across(tree: Tree) -> Floats:
    """Where each node is from left to right: leaves 1 apart, splits over the middle of their branches."""
    x = np.zeros(len(tree.nodes))
    left, right = tree.left.tolist(), tree.right.tolist()
    leaves, waiting = 0, [0]
    while waiting:  # leaves from left to right
        k = waiting.pop()
        if tree.feature[k] < 0:
            x[k] = leaves + 0.5
            leaves += 1
        else:
            waiting += [right[k], left[k]]
    for k in np.flatnonzero(tree.feature >= 0).tolist()[::-1]:  # children before their parents
        x[k] = (x[left[k]] + x[right[k]]) / 2.0
    return x


def largest_scale(ax: Axes, boxes: Sequence[Text]) -> float:
    """The factor for the letters at which no two boxes overlap and none leaves the axes."""
    x, level = np.array([box.get_position() for box in boxes]).T
    leaves, levels = ax.get_xlim()[1], level.max() + 1.0
    letter = float(boxes[0].get_fontsize()) * ax.figure.dpi / 72.0
    sizes = np.array([box.get_window_extent().size for box in boxes]) + (2.0 * PAD + SPACE) * letter
    wide, high = (sizes / ax.get_window_extent().size * (leaves, levels)).T
    order = np.lexsort((x, level))
    beside = np.diff(level[order]) == 0.0
    room = 2.0 * np.diff(x[order])[beside] / (wide[order][:-1] + wide[order][1:])[beside]
    room_at_ends = 2.0 * np.minimum(x, leaves - x) / wide
    return float(min(1.0 / high.max(), room_at_ends.min(), room.min(initial=np.inf)))
