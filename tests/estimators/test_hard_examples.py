"""What hard examples look like."""

import sys

import numpy as np
import pytest

from frankboost import SoftMarginClassifier, verify
from frankboost.estimators.row_checks import HardExamples

HARD = HardExamples(np.arange(100, 110), np.linspace(-1, 1, 10), np.full(10, 0.1))


def test_they_are_printed_as_a_table():
    header, *rows, more = str(HARD).splitlines()
    assert header.split() == ["position", "margin", "weight"]
    assert [row.split() for row in rows[:2]] == [["100", "-1.000", "0.1"], ["101", "-0.778", "0.1"]]
    assert len(rows) == 8
    assert more.split() == ["2", "more"]
    assert f"{more}</pre>" in HARD._repr_html_()
    none = HardExamples(HARD.index[:0], HARD.margin[:0], HARD.weight[:0])
    assert str(none) == "no row is at its cap; a larger nu makes the caps lower"
    assert repr(none) == "<HardExamples: 0 rows>"
    assert (
        repr(HARD) == f"<HardExamples: 10 rows, hardest first: {', '.join(map(str, range(100, 108)))}, ...>"
    )


def test_they_are_a_data_frame(monkeypatch):
    frame = HARD.to_frame()
    assert frame.index.name == "position"
    assert frame.loc[109].tolist() == [1.0, 0.1]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r'pip install "frankboost\[pandas\]"'):
        HARD.to_frame()


def test_what_is_proved_of_every_vote():
    """Weak duality, by enumeration: no vote of stumps has a large margin on more of the distribution."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (60, 3)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=60, scale=2.0) > 5, 1, -1)
    clf = SoftMarginClassifier(nu=0.5, tol=0.01, max_depth=1).fit(X, y)
    found = verify(clf, X, y)
    stumps = [s * np.where(X[:, f] <= t, 1, -1) for f in range(3) for t in range(-1, 6) for s in (-1, 1)]
    columns, d = y[:, None] * np.column_stack(stumps), clf.distribution_
    # From votes on few stumps to votes on many, and the best vote of all.
    votes = [rng.dirichlet(np.full(len(stumps), a)) for a in (0.01, 0.1, 1.0) for _ in range(200)]
    tight = np.inf
    for margins in [*(columns @ vote for vote in votes), clf.margins(X, y)]:
        for theta in (0.1, 0.3, 0.5, 0.8):
            least = d[margins <= theta].sum()
            tight = min(tight, least - found.hard_share(theta))
    assert 0.0 <= tight < 0.5
    assert found.hard_share(found.bound) == 0.0
    assert found.hard_share(1.0) == pytest.approx((1.0 - found.bound) / 2.0)


def test_the_sentence():
    X = np.arange(8.0)[:, None]
    y = np.array([1, 1, 0, 1, 0, 0, 1, 0])
    hard = SoftMarginClassifier(nu=0.75, max_depth=1).fit(X, y).hard_examples(X, y)
    [sentence] = hard.proofs
    bound = SoftMarginClassifier(nu=0.75, max_depth=1).fit(X, y).certificate_.bound
    rows = int(np.ceil(0.75 * 8 * (0.5 - bound) / 1.5))
    assert sentence.startswith(
        f"Every vote of such trees has a margin of at most 0.5 on at least {rows} of the 8 rows"
    )
    assert str(hard).endswith(sentence)
    deep = SoftMarginClassifier(nu=0.75, max_depth=3).fit(X, y)
    assert deep.hard_examples(X, y).proofs == []  # the bound is a guess
