"""Scores by name are those that scikit-learn gives for two classes."""

import numpy as np
import pytest
from sklearn import metrics

from frankboost.vote_scores import vote_score

RNG = np.random.default_rng(0)
VOTES = RNG.uniform(-1, 1, 200)
TARGET = VOTES + RNG.normal(size=200) > 0.3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (None, metrics.accuracy_score(TARGET, VOTES > 0)),
        ("accuracy", metrics.accuracy_score(TARGET, VOTES > 0)),
        ("roc_auc", metrics.roc_auc_score(TARGET, VOTES)),
        ("average_precision", metrics.average_precision_score(TARGET, VOTES)),
        ("f1", metrics.f1_score(TARGET, VOTES > 0)),
        ("balanced_accuracy", metrics.balanced_accuracy_score(TARGET, VOTES > 0)),
        ("neg_log_loss", -metrics.log_loss(TARGET, (1 + VOTES) / 2)),
        ("neg_brier_score", -metrics.brier_score_loss(TARGET, (1 + VOTES) / 2)),
        (lambda votes, target: float(votes[target].sum()), VOTES[TARGET].sum()),
    ],
)
def test_scores(name, expected):
    assert vote_score(name)(VOTES, TARGET) == pytest.approx(expected, abs=1e-12)


def test_errors():
    with pytest.raises(ValueError, match="'best'"):
        vote_score("best")
    with pytest.raises(TypeError, match=r"scoring must be the name of a score, a function .* or None; got 7"):
        vote_score(7)
