"""Scores of probabilities, by hand and by scikit-learn, and trials of more classes than two."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split

from studies.accuracy.scoring import calibration_error, probability_scores, score_trial
from studies.running.trial import Trial


def two(p):
    return np.column_stack([1 - np.asarray(p), p])


def test_the_calibration_error_by_hand():
    # Ten bins of two rows: in five of them both are of class 1 at 0.9, in the others one of two is at 0.2.
    p = np.r_[np.full(10, 0.9) + np.arange(10) / 1e6, np.full(10, 0.2) + np.arange(10) / 1e6]
    y = np.r_[np.ones(10), np.tile([0, 1], 5)].astype(int)
    assert calibration_error(y, two(p)) == pytest.approx((0.1 + 0.3) / 2, abs=1e-5)


def test_rows_of_equal_probability_are_in_one_bin():
    y = np.r_[np.ones(50), np.zeros(50)].astype(int)
    assert calibration_error(y, two(np.full(100, 0.5))) == pytest.approx(0)


def test_probabilities_that_are_right_are_calibrated_and_others_are_not():
    rng = np.random.default_rng(0)
    p = rng.random(20_000)
    y = (rng.random(20_000) < p).astype(int)
    assert calibration_error(y, two(p)) < 0.02
    assert calibration_error(y, two(p**2)) > 0.1


def test_the_brier_score_is_the_usual_one_of_two_classes():
    rng = np.random.default_rng(0)
    p, y = rng.random(50), rng.integers(0, 2, 50)
    scores = probability_scores(y, two(p), rare=1)
    assert scores["brier"] == pytest.approx(brier_score_loss(y, p))


def test_the_average_precision_is_that_of_the_rarer_class():
    y, p = np.array([1, 1, 1, 0]), np.array([0.9, 0.8, 0.3, 0.4])
    assert probability_scores(y, two(p), rare=0)["average_precision"] == pytest.approx(1 / 2)
    assert probability_scores(y, two(p), rare=1)["average_precision"] > 0.8


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A set of three classes, the last of them rare, which one column tells apart."""
    X = np.random.default_rng(0).normal(size=(400, 2))
    path = tmp_path_factory.mktemp("three") / "three.npz"
    np.savez(path, X=X, y=np.digitize(X[:, 0], [0.0, 1.3]))
    return path


@pytest.mark.parametrize("name", ["SoftMarginClassifier()", "HistGradientBoosting()", "RandomForest()"])
def test_many_classes_have_all_scores_but_rankings(name, three):
    score = score_trial(
        Trial("accuracy", "three", name, 0.0, split=0, train_rows=999, test_rows=999), three.parent
    )
    with np.load(three) as file:
        train, _ = train_test_split(file["y"], test_size=0.2, stratify=file["y"], random_state=0)
    assert score.classes == 3
    assert score.rarest == pytest.approx(np.mean(train == 2))
    assert score.test_error < 0.1
    assert 0 < score.log_loss < 0.5
    assert 0 < score.brier < 0.1
    assert 0 < score.calibration_error < 0.1
    assert score.auc is score.average_precision is score.trees is None


def test_a_class_without_training_rows_is_never_expected(tmp_path):
    X = np.linspace(0, 1, 100)[:, None]
    np.savez(tmp_path / "late.npz", X=X, y=np.r_[np.arange(80) % 2, np.full(20, 2)], n_train=80)
    trial = Trial("accuracy", "late", "RandomForest()", 0.0, split=0, train_rows=99, test_rows=99)
    score = score_trial(trial, tmp_path)
    assert (score.classes, score.rarest, score.test_error) == (3, 0, 1)
    assert score.log_loss > 10
