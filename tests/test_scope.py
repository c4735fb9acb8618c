"""What a certificate is about is told in its sentence."""

import pytest

from frankboost import Certificate
from frankboost.scope import Counts, Scope, finite_text, trees_text

PROVED = Counts(right=8, weighted=0, totals=(5.0, 5.0), thresholds=(9, 9))


def certificate(soft_margin=0.4, bound=0.41, *, exact=True, status="optimal", scope=None):
    return Certificate(soft_margin, bound, 0.02, 0.1, exact, status, "depth-2 trees", scope=scope)


@pytest.mark.parametrize(
    ("scope", "text"),
    [
        (Scope(1, 0, 10, weighted=False), "class 1 against 0, 10 rows of weight 1"),
        (Scope("a", None, 10, weighted=False), "class 'a' against the rest, 10 rows of weight 1"),
        (
            Scope("a\n", "b", 10, weighted=True),
            r"class 'a\n' against 'b', 10 rows, some with a weight other than 1",
        ),
        (Scope(1, 0, 10, weighted=False, counts=PROVED), "class 1 against 0, 10 rows of weight 1"),
        (
            Scope(1, 0, 10, weighted=True, counts=Counts(8, 3, (1.5, 7.0), (2, 9), ("x", 3))),
            "class 1 against 0, 10 rows, 3 of them with a weight other than 1 (class 1 weighs 1.5 in all, "
            "0 7); 2 of the 9 thresholds that tell these rows apart; no threshold splits 'x', 3",
        ),
    ],
)
def test_text(scope, text):
    assert str(scope) == text


def test_a_long_label_is_shortened():
    assert len(str(Scope("a" * 10**6, "b" * 10**6, 10, weighted=False))) < 200


def test_scopes_do_not_make_certificates_differ():
    assert certificate() == certificate(scope=Scope(1, 0, 10, weighted=False))
    assert "scope" not in certificate().facts()


def test_plain_words_where_rows_were_counted():
    known = Scope(1, 0, 10, weighted=False, counts=PROVED)
    assert len(certificate(scope=Scope(1, 0, 10, weighted=False)).sentences()) == 1
    _, words = certificate(0.123456, 0.234561, scope=known).sentences()
    assert words == (
        "In plain words: the vote is right on 8 of 10 rows. On the hardest 10.00% of the rows its mean "
        "margin is at least 0.12345; no vote of such trees has a mean margin above 0.23457 on its own "
        "hardest 10.00% of the rows. The certificate says nothing about other rows."
    )
    _, words = certificate(exact=False, scope=known).sentences()
    assert "other votes may have a larger mean margin" in words


@pytest.mark.parametrize(
    ("ends", "status", "ending"),
    [
        ((0.4, 0.41), "optimal", ", optimal; "),
        ((0.0099, 0.0286), "optimal", ", optimal to within tol, but the gap is 65% of the bound; "),
        ((-0.01, 0.005), "optimal", ", optimal to within tol, but the gap is 100% of the bound; "),
        ((-0.3, -0.29), "optimal", ", optimal; "),
        ((0.1, 0.3), "max_iter", ", max_iter; "),
    ],
)
def test_a_gap_that_is_a_large_part_of_the_bound_is_called_so(ends, status, ending):
    assert ending in str(certificate(*ends, status=status))


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
