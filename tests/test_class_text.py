"""What a class is called follows from what it is."""

import pytest

from frankboost.class_text import finite_text, trees_text

SETS = "subsets of categories"
ROOTS = " (above another split one against the rest if there are more than 8)"


@pytest.mark.parametrize(
    ("depth", "counts", "categories", "every", "text"),
    [
        (1, [3, 1], [0, 0], False, "depth-1 trees over 2 features, at most 3 thresholds per feature"),
        (1, [1], [0], False, "depth-1 trees over 1 feature, at most 1 threshold per feature"),
        (2, [3, 1], [0, 0], True, "depth-2 trees over 2 features, all thresholds"),
        (1, [3, 0], [0, 9], True, f"depth-1 trees over 2 features, all thresholds and {SETS}"),
        (2, [3, 0], [0, 8], True, f"depth-2 trees over 2 features, all thresholds and {SETS}"),
        (2, [3, 0], [0, 9], True, f"depth-2 trees over 2 features, all thresholds and {SETS}{ROOTS}"),
        (2, [0], [5], False, f"depth-2 trees over 1 feature, {SETS}"),
        (3, [3], [0], True, "depth-3 trees over 1 feature, all thresholds, searched greedily above depth 2"),
    ],
)
def test_trees(depth, counts, categories, every, text):
    assert trees_text(depth, counts, categories, all_thresholds=every, exact=False) == text


def test_trees_of_depth_3_that_were_all_searched():
    text = trees_text(3, [3], [0], all_thresholds=True, exact=True)
    assert text == "depth-3 trees over 1 feature, all thresholds"


def test_finite_classes():
    assert finite_text(7) == "the 7 hypotheses of a finite class"
    assert finite_text(7, "columns of X") == "the 7 columns of X"
