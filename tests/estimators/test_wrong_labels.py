"""How many labels are wrong, of which classes, and which."""

import numpy as np
import pytest

from frankboost.estimators.wrong_labels import (
    confident_joint,
    count_wrong_labels,
    find_issues,
    label_quality,
)

NOISE = np.array([[0.9, 0.1, 0.0], [0.0, 1.0, 0.0], [0.05, 0.15, 0.8]])  # P(given | true)


def noisy(rows=6000):
    """True and given labels of rows, and the chances of the given ones; few rows are in doubt."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, rows)
    clean = rng.dirichlet(np.full(3, 0.05), rows)
    clean[np.arange(rows), true] += 1.0
    clean /= clean.sum(axis=1, keepdims=True)
    true = np.array([rng.choice(3, p=each) for each in clean])
    given = np.array([rng.choice(3, p=NOISE[each]) for each in true])
    return true, given, clean @ NOISE


def counted(true, given):
    joint = np.zeros((3, 3))
    np.add.at(joint, (given, true), 1.0 / len(true))
    return joint


def test_the_joint_is_that_of_the_noise():
    true, given, chances = noisy()
    expected = counted(true, given)
    found = confident_joint(chances, given)
    np.testing.assert_allclose(found.sum(axis=1), np.bincount(given) / len(given))
    np.testing.assert_allclose(found, expected, atol=0.03)


def test_the_count_is_that_of_wrong_labels():
    true, given, chances = noisy()
    count = (true != given).sum()
    assert count_wrong_labels(chances, given, counted(true, given)) == pytest.approx(count, rel=0.05)
    assert count_wrong_labels(chances, given, confident_joint(chances, given)) == pytest.approx(
        count, rel=0.3
    )


def test_labels_that_are_never_wrong_are_in_no_doubt():
    """No row gets the label 2 by mistake: what has it, has it rightly, however little speaks for it."""
    joint = np.array([[0.3, 0.0, 0.02], [0.03, 0.33, 0.05], [0.0, 0.0, 0.27]])
    quality, best = label_quality(np.array([[0.6, 0.39, 0.01]]), np.array([2]), joint)
    assert quality[0] == pytest.approx(1.0)
    assert best[0] == 2
    quality, best = label_quality(np.array([[0.01, 0.01, 0.98]]), np.array([1]), joint)
    assert quality[0] < 0.1
    assert best[0] == 2


def issues(rows=400):
    true, given, chances = noisy(rows)
    judged = np.arange(rows) > 9
    margins, distribution = np.linspace(-1, 1, rows), np.full(rows, 1 / rows)
    classes = np.array(["x", "y", "z"])
    found = find_issues(
        classes,
        given,
        judged,
        held_out=chances[judged],
        mixed=chances[judged],
        margins=margins,
        distribution=distribution,
    )
    return true, given, judged, found


def test_issues_are_the_rows_of_least_quality():
    true, given, judged, found = issues()
    flagged = found.is_label_issue
    assert 0 < flagged.sum() < 100
    assert not flagged[~judged].any()
    assert np.isnan(found.label_quality[~judged]).all()
    assert found.label_quality[flagged].max() <= found.label_quality[judged & ~flagged].min()
    assert (found.predicted_label[flagged] != found.given_label[flagged]).all()
    assert (found.given_label == found.classes[given]).all()
    assert (true != given)[flagged].mean() > 0.4  # of one row in ten
    assert found.index.tolist() == found.order[: flagged.sum()].tolist()
    assert (np.diff(found.label_quality[found.index]) >= 0.0).all()
    assert sorted(found.order.tolist()) == list(range(400))


def test_they_are_printed_as_a_table_and_are_a_data_frame():
    *_, found = issues()
    count = int(found.is_label_issue.sum())
    title, heads, *rows, more = str(found).splitlines()
    assert title == f"{count} of 400 labels flagged"
    assert heads.split() == ["position", "given", "suggested", "quality", "margin"]
    assert [int(row.split()[0]) for row in rows] == found.index[:8].tolist()
    assert more.split() == [str(count - 8), "more"]
    assert repr(found) == f"<LabelIssues: {count} of 400 labels flagged>"
    assert title in found._repr_html_()
    frame = found.to_frame()
    assert frame.columns[:4].tolist() == ["is_label_issue", "label_quality", "given_label", "predicted_label"]
    assert len(frame) == len(found) == 400
